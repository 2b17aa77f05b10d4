/** Keys of the positions of keyed games, as bigints and as words. */

/** A key of 64 bits, in two words of 32, both signed: V8 keeps other numbers in objects of their own. */
export interface KeyWords {
  high: number;
  low: number;
}

/** The greatest key. */
export const MOST_KEY = 2n ** 64n - 1n;
export const WORD = 2 ** 32;
/** A bigint seen as two words. */
const big = new BigUint64Array(1);
const words = new Uint32Array(big.buffer);

/** The type of keys, for messages. */
export const KEYS = 'a bigint from 0 to 2^64 - 1 or a number from 0 to 2^53 - 1';

export function isLess(a: KeyWords, b: KeyWords): boolean {
  return a.high === b.high ? a.low >>> 0 < b.low >>> 0 : a.high >>> 0 < b.high >>> 0;
}

/** Whether a value is a key; its words. */
export function wordsOf(key: unknown, out: KeyWords): boolean {
  if (typeof key === 'number') {
    if (key < 0 || !Number.isSafeInteger(key)) return false;
    out.high = key < WORD ? 0 : Math.floor(key / WORD) | 0;
    out.low = key | 0;
    return true;
  }
  if (typeof key !== 'bigint' || key < 0n || key > MOST_KEY) return false;
  splitKey(key, out);
  return true;
}

export function splitKey(key: bigint, out: KeyWords): void {
  big[0] = key;
  out.high = words[1] | 0;
  out.low = words[0] | 0;
}

export function bigOf(high: number, low: number): bigint {
  words[0] = low;
  words[1] = high;
  return big[0];
}
