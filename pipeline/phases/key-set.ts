/**
 * Keys of one part that come in any order and go out ascending, each once. Few are listed and sorted. Many are marked in a
 * bitmap (an eighth of a byte a position of the part) and read off it.
 */
import { newColumns } from '../../operators/sort/columns.js';
import { radixSort } from '../../operators/sort/radix.js';

/** A bitmap is read as fast as about 1/512 as many keys are sorted. */
const LISTED_FRACTION = 512;
const MIN_LISTED = 256;
/** Keys handed out at once, from a bitmap. */
const PIECE = 1 << 13;

export interface PartKeySet {
  /** Adds keys[0..length). */
  add(keys: Uint32Array, length: number): void;
  /** Empties the set, handing its keys to `take` ascending, over all calls. Returns how many. */
  drain(take: (length: number, keys: Uint32Array) => Promise<void>): Promise<number>;
}

/** A set of keys below `bound`. */
export function newKeySet(bound: number): PartKeySet {
  const most = Math.max(MIN_LISTED, Math.floor(bound / LISTED_FRACTION));
  const list = newColumns(most, 0);
  const spare = newColumns(most, 0);
  let listed = 0;
  let bitmap: Uint32Array | null = null;
  let piece: Uint32Array | null = null;
  let marked = false;

  function mark(keys: Uint32Array, length: number): void {
    const words = bitmap!;
    for (let i = 0; i < length; i++) {
      const key = keys[i];
      words[key >>> 5] |= 1 << (key & 31);
    }
  }

  async function drainList(take: (length: number, keys: Uint32Array) => Promise<void>): Promise<number> {
    const { minor } = radixSort(list, spare, 0, listed);
    let n = 0;
    for (let i = 0; i < listed; i++) if (i === 0 || minor[i] !== minor[i - 1]) minor[n++] = minor[i];
    listed = 0;
    if (n > 0) await take(n, minor);
    return n;
  }

  async function drainBitmap(take: (length: number, keys: Uint32Array) => Promise<void>): Promise<number> {
    const words = bitmap!;
    piece ??= new Uint32Array(PIECE + 32);
    const keys = piece;
    let n = 0;
    let total = 0;
    for (let w = 0; w < words.length; w++) {
      let word = words[w] | 0;
      if (word === 0) continue;
      words[w] = 0;
      do {
        const bit = word & -word;
        keys[n++] = (w << 5) + 31 - Math.clz32(bit);
        word ^= bit;
      } while (word !== 0);
      if (n < PIECE) continue;
      await take(n, keys);
      total += n;
      n = 0;
    }
    if (n > 0) await take(n, keys);
    marked = false;
    return total + n;
  }

  return {
    add(keys, length) {
      if (!marked && listed + length <= most) {
        for (let i = 0; i < length; i++) list.minor[listed + i] = keys[i];
        listed += length;
        return;
      }
      bitmap ??= new Uint32Array((bound + 31) >>> 5);
      if (!marked) mark(list.minor, listed);
      marked = true;
      listed = 0;
      mark(keys, length);
    },
    drain: (take) => (marked ? drainBitmap(take) : drainList(take)),
  };
}
