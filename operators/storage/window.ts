/** A piece of an object as an object of its own, with neighbouring reads joined. */
import type { Counters } from '../core/counters.js';
import { StorageError } from '../core/errors.js';
import { objectName } from './object-names.js';
import type { Store } from './store.js';

export interface WindowOptions {
  /** Bytes that are held at most. */
  readonly bytes: number;
  readonly counters: Counters;
  /** Memory for them, whatever it holds; asked for once. */
  readonly allocate: (bytes: number) => Uint8Array;
}

/**
 * A store in which each object is bytes [from, from + size) of the object of that name. A read fetches the bytes behind it too, up to the size of the window, and
 * keeps them until a read elsewhere replaces them. A piece that fits the window is read once, as a whole. Reads of the end
 * of a longer piece, where its footer is, fetch nothing more.
 */
export function newWindow(
  store: Store,
  { from, size }: { readonly from: number; readonly size: number },
  { bytes: most, counters, allocate }: WindowOptions,
): Store {
  let held: { readonly at: number; readonly bytes: Uint8Array } | null = null;
  /** Pieces that are held lie here, one after the other. */
  let room: Uint8Array | null = null;

  async function readAt(name: string, at: number, into: Uint8Array): Promise<void> {
    await store.read(name, from + at, into);
    counters.bytesRead += into.length;
  }

  return {
    ...store,
    readWhole: undefined,
    async size() {
      return size;
    },
    async read(name, offset, into) {
      const end = offset + into.length;
      if (end > size)
        throw new StorageError(objectName(store, name), `has only ${size} bytes from byte ${from} on`);
      if (held !== null && offset >= held.at && end <= held.at + held.bytes.length) {
        into.set(held.bytes.subarray(offset - held.at, end - held.at));
        return;
      }
      const isWhole = size <= most;
      if (!isWhole && (into.length >= most || end === size)) return readAt(name, offset, into);
      const at = isWhole ? 0 : offset;
      const length = Math.min(size - at, most);
      held = null;
      room ??= allocate(Math.min(size, most));
      const bytes = room.subarray(0, length);
      await readAt(name, at, bytes);
      held = { at, bytes };
      into.set(bytes.subarray(offset - at, end - at));
    },
    async distrust(name, times) {
      held = null;
      return (await store.distrust?.(name, times)) ?? false;
    },
  };
}
