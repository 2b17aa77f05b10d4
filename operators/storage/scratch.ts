import { assert } from '../core/errors.js';
import type { Sink, Store } from './store.js';
import type { Swap } from './swap.js';

/** Where an operator puts runs for itself alone, and how it names them. */
export interface Scratch {
  readonly store: Store;
  /** A name not given out before. */
  name(): string;
  /** New swap space. Its content is arbitrary. */
  swap(): Swap;
  /** Starts an object for bytes that are read as long as it is not given back. */
  object(): Promise<ScratchObject>;
  /** Gives an object back that has so many bytes, this scratch's or another's. */
  giveBack(name: string, bytes: number): Promise<void>;
}

export interface ScratchObject {
  readonly name: string;
  readonly sink: Sink;
}

/**
 * Objects and swap space that are kept to be written over. A file that is there has its place in the system's cache and on
 * the disk. To remove it costs as much as to write a part of it again.
 */
const SPARES = 4;
const SPARE_BYTES = 2 ** 29;

/** Scratch under the folder `prefix` of `store`: prefix/0, prefix/1, … Two scratches must not share a prefix. */
export function newScratch(store: Store, prefix: string): Scratch {
  let next = 0;
  const name = (): string => `${prefix}/${next++}`;
  /** In order of their bytes. */
  const objects: { readonly name: string; readonly bytes: number }[] = [];
  const swaps: Swap[] = [];

  function newSwap(): Swap {
    assert(store.swap, `${store.uri} can hold scratch`);
    return store.swap(name());
  }

  return {
    store,
    name,
    swap: () => (store.overwrite === undefined ? newSwap() : keptSwap(swaps.pop() ?? newSwap(), swaps)),
    async object() {
      const named = objects.pop()?.name ?? name();
      const sink = await (store.overwrite === undefined ? store.create(named) : store.overwrite(named));
      return { name: named, sink };
    },
    async giveBack(named, bytes) {
      // Objects of other scratches would be too many: this one makes as many as it needs.
      const isOwn = named.startsWith(`${prefix}/`);
      const keeps = store.overwrite !== undefined && isOwn && objects.length < SPARES && bytes <= SPARE_BYTES;
      if (!keeps) return store.delete(named);
      objects.push({ name: named, bytes });
      objects.sort((a, b) => a.bytes - b.bytes);
    },
  };
}

/**
 * Closes what was read in a store and in scratch, so that others can free what they delete. A deleted file that is open keeps its
 * place on the disk and in memory.
 */
export function closeRead({ store, scratch }: { readonly store: Store; readonly scratch: Scratch }): void {
  store.closeRead?.();
  scratch.store.closeRead?.();
}

/** Swap space that is put to `spares` in place of being removed. */
function keptSwap(swap: Swap, spares: Swap[]): Swap {
  let bytes = 0;
  return {
    read: swap.read,
    write(offset, from) {
      bytes = Math.max(bytes, offset + from.length);
      swap.write(offset, from);
    },
    remove() {
      if (spares.length < SPARES && bytes <= SPARE_BYTES) spares.push(swap);
      else swap.remove();
    },
  };
}
