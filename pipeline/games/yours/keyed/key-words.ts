/** Keys of the positions of keyed games, as bigints and as words. */

/** The lowest 64 bits of a key, in two words of 32, both signed: V8 keeps other numbers in objects of their own. */
export interface Words {
  high: number;
  low: number;
}

/** A key in words of 32 bits. */
export interface KeyWords extends Words {
  /** The words above the lowest two, the lowest first, signed, too. There are none up to 64 bits. */
  readonly upper: number[];
}

/** The bits of keys unless a game declares others, and the most that it may declare. */
export const KEY_BITS = 64;
export const MOST_KEY_BITS = 1024;
export const WORD = 2 ** 32;
const WORD_BITS = 32;
/** A bigint seen as two words. */
const big = new BigUint64Array(1);
const words = new Uint32Array(big.buffer);

/** How many words keys of so many bits have above the lowest two. */
export function upperWords(bits: number): number {
  return Math.max(0, Math.ceil((bits - KEY_BITS) / WORD_BITS));
}

/** Shared by all keys without upper words: an array for each would be garbage. */
const NO_WORDS: number[] = [];

export function newKey(bits: number): KeyWords {
  return newKeyOf(upperWords(bits));
}

/** A key with so many upper words. */
export function newKeyOf(upper: number): KeyWords {
  return { high: 0, low: 0, upper: upper === 0 ? NO_WORDS : Array.from({ length: upper }, () => 0) };
}

/** How many bits a key has. */
export function bitsOf(key: bigint): number {
  return key.toString(2).length;
}

/** The type of keys of so many bits, for messages. */
export function kindOfKeys(bits: number): string {
  return `a bigint from 0 to 2^${bits} - 1 or a number from 0 to 2^${Math.min(bits, 53)} - 1`;
}

export function isLess(a: KeyWords, b: KeyWords): boolean {
  for (let at = a.upper.length - 1; at >= 0; at--)
    if (a.upper[at] !== b.upper[at]) return a.upper[at] >>> 0 < b.upper[at] >>> 0;
  return a.high === b.high ? a.low >>> 0 < b.low >>> 0 : a.high >>> 0 < b.high >>> 0;
}

export function isSameKey(a: KeyWords, b: KeyWords): boolean {
  if (a.high !== b.high || a.low !== b.low) return false;
  for (let at = 0; at < a.upper.length; at++) if (a.upper[at] !== b.upper[at]) return false;
  return true;
}

export function copyKey({ high, low, upper }: KeyWords, to: KeyWords): void {
  to.high = high;
  to.low = low;
  for (let at = 0; at < upper.length; at++) to.upper[at] = upper[at];
}

/** Reads keys of so many bits. */
export class KeyReader {
  private readonly most: bigint;
  private readonly mostNumber: number;

  constructor(bits: number) {
    this.most = 2n ** BigInt(bits) - 1n;
    this.mostNumber = Math.min(2 ** bits - 1, Number.MAX_SAFE_INTEGER);
  }

  /** Whether a value is a key; its words. */
  read(key: unknown, out: KeyWords): boolean {
    if (typeof key === 'number') {
      if (!Number.isInteger(key) || key < 0 || key > this.mostNumber) return false;
      out.high = key < WORD ? 0 : Math.floor(key / WORD) | 0;
      out.low = key | 0;
      for (let at = 0; at < out.upper.length; at++) out.upper[at] = 0;
      return true;
    }
    if (typeof key !== 'bigint' || key < 0n || key > this.most) return false;
    splitKey(key, out);
    return true;
  }
}

export function splitKey(key: bigint, out: KeyWords): void {
  big[0] = key;
  out.high = words[1] | 0;
  out.low = words[0] | 0;
  const { upper } = out;
  if (upper.length === 0) return;
  let rest = key >> 64n;
  for (let at = 0; at < upper.length; at += 2) {
    big[0] = rest;
    upper[at] = words[0] | 0;
    if (at + 1 < upper.length) upper[at + 1] = words[1] | 0;
    rest >>= 64n;
  }
}

export function bigOf({ high, low, upper }: Readonly<KeyWords>): bigint {
  let key = 0n;
  for (let at = upper.length - 1; at >= 0; at--) key = (key << 32n) | BigInt(upper[at] >>> 0);
  words[0] = low;
  words[1] = high;
  return upper.length === 0 ? big[0] : (key << 64n) | big[0];
}

/** Keys in arrays that are used again: an object for each would be most of the garbage. */
export class KeyList {
  private readonly high: number[] = [];
  private readonly low: number[] = [];
  /** The upper words of each key, one key after the other. */
  private readonly upper: number[] = [];
  private readonly width: number;

  /** @param bits of keys. */
  constructor(private readonly bits: number) {
    this.width = upperWords(bits);
  }

  put(at: number, { high, low, upper }: KeyWords): void {
    this.high[at] = high;
    this.low[at] = low;
    for (let i = 0; i < this.width; i++) this.upper[at * this.width + i] = upper[i];
  }

  get(at: number, out: KeyWords): void {
    out.high = this.high[at];
    out.low = this.low[at];
    for (let i = 0; i < this.width; i++) out.upper[i] = this.upper[at * this.width + i];
  }

  /** Puts key `from` of a list, which may be this one, to `at`. */
  copy(list: KeyList, from: number, at: number): void {
    this.high[at] = list.high[from];
    this.low[at] = list.low[from];
    const { width } = this;
    for (let i = 0; i < width; i++) this.upper[at * width + i] = list.upper[from * width + i];
  }

  bigAt(at: number): bigint {
    const key = newKey(this.bits);
    this.get(at, key);
    return bigOf(key);
  }

  /** Whether key `at` is key `otherAt` of another list. */
  isSame(at: number, other: KeyList, otherAt: number): boolean {
    if (this.high[at] !== other.high[otherAt] || this.low[at] !== other.low[otherAt]) return false;
    const { width } = this;
    for (let i = 0; i < width; i++)
      if (this.upper[at * width + i] !== other.upper[otherAt * width + i]) return false;
    return true;
  }

  /** Whether a key is among the first `length`. */
  has({ high, low, upper }: KeyWords, length: number): boolean {
    const { width } = this;
    for (let at = 0; at < length; at++) {
      if (this.high[at] !== high || this.low[at] !== low) continue;
      let i = 0;
      while (i < width && this.upper[at * width + i] === upper[i]) i++;
      if (i === width) return true;
    }
    return false;
  }
}
