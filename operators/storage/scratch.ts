import { assert } from '../core/errors.js';
import type { Sink, Store } from './store.js';
import type { Swap } from './swap.js';

/** Temporary storage of one operator: names for its runs, swap space, and objects that are used again. */
export interface Scratch {
  readonly store: Store;
  /** A name not given out before. */
  name(): string;
  /** New swap space. Its content is arbitrary. */
  swap(): Swap;
  /** Starts an object, which may be read until it is given back. */
  object(): Promise<ScratchObject>;
  /** Gives back an object of `bytes` bytes, of this scratch or of another: it is written over, or deleted. */
  giveBack(name: string, bytes: number): Promise<void>;
}

export interface ScratchObject {
  readonly name: string;
  readonly sink: Sink;
}

/**
 * Objects and swap space that are kept to be written over. An existing file has its pages in the page cache and its blocks on
 * the disk, and removing it costs as much as writing a part of it again.
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
      // Objects of other scratches are deleted. Keeping them would add up, because each scratch makes as many as it needs.
      const isOwn = named.startsWith(`${prefix}/`);
      const keeps = store.overwrite !== undefined && isOwn && objects.length < SPARES && bytes <= SPARE_BYTES;
      if (!keeps) return store.delete(named);
      objects.push({ name: named, bytes });
      objects.sort((a, b) => a.bytes - b.bytes);
    },
  };
}

/**
 * Closes the files that this thread has read in a store and in scratch, so that deleting them elsewhere frees their space. A deleted file keeps its
 * blocks on the disk and its pages in memory as long as it is open.
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
