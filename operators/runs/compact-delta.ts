/**
 * Ascending keys as bit-packed differences: key i less key i - 1. All have the same number of bits, 0 to 32, least
 * significant bits first. The first key is not among them.
 */

/** Bits that the greatest difference between neighbours of keys[0..n) needs. */
export function deltaBits(keys: Uint32Array, n: number): number {
  let any = 0;
  let before = keys[0] | 0;
  for (let i = 1; i < n; i++) {
    const key = keys[i] | 0;
    any |= key - before;
    before = key;
  }
  return 32 - Math.clz32(any);
}

/** Words that the n - 1 differences of n keys take. */
export function deltaWords(n: number, bits: number): number {
  return ((n - 1) * bits + 31) >>> 5;
}

/** Writes the differences of keys[0..n) to words[at..). */
export function packDeltas(keys: Uint32Array, n: number, bits: number, words: Uint32Array, at: number): void {
  let before = keys[0] | 0;
  let word = 0;
  let used = 0;
  for (let i = 1; i < n; i++) {
    const key = keys[i] | 0;
    const delta = (key - before) | 0;
    before = key;
    word |= delta << used;
    used += bits;
    if (used < 32) continue;
    words[at++] = word;
    used -= 32;
    word = used === 0 ? 0 : delta >>> (bits - used);
  }
  if (used > 0) words[at] = word;
}

/**
 * Fills keys[to..to + n) with `first` and the sums of the differences at words[at..), modulo 2^32. May look at, but makes
 * nothing of, the word behind them.
 * Its parameters are separate, as for `unpackBitmap`.
 */
export function unpackDeltas(
  words: Uint32Array,
  at: number,
  bits: number,
  first: number,
  keys: Uint32Array,
  to: number,
  n: number,
): void {
  let key = first | 0;
  keys[to] = key;
  const end = to + n;
  if (bits === 32) {
    for (let i = to + 1; i < end; i++) keys[i] = key = (key + (words[at++] | 0)) | 0;
    return;
  }
  const mask = (1 << bits) - 1;
  let word = words[at++] | 0;
  let left = 32;
  for (let i = to + 1; i < end; i++) {
    if (left >= bits) {
      key = (key + (word & mask)) | 0;
      word >>>= bits;
      left -= bits;
    } else {
      const next = words[at++] | 0;
      key = (key + ((word | (next << left)) & mask)) | 0;
      word = next >>> (bits - left);
      left += 32 - bits;
    }
    keys[i] = key;
  }
}
