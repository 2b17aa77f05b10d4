import { assert } from '../core/errors.js';
import type { Store } from './store.js';
import type { Swap } from './swap.js';

/** Where an operator puts runs for itself alone, and how it names them. */
export interface Scratch {
  readonly store: Store;
  /** A name not given out before. */
  name(): string;
  /** New swap space. */
  swap(): Swap;
}

/** Scratch under the folder `prefix` of `store`: prefix/0, prefix/1, … Two scratches must not share a prefix. */
export function newScratch(store: Store, prefix: string): Scratch {
  let next = 0;
  const name = (): string => `${prefix}/${next++}`;
  return {
    store,
    name,
    swap: () => {
      assert(store.swap, `${store.uri} can hold scratch`);
      return store.swap(name());
    },
  };
}
