/** Strictly ascending keys as a bitmap: bit b of its words, least significant first, says that key first + b is there. */

/** Words of the bitmap of keys[0..n). */
export function bitmapWords(keys: Uint32Array, n: number): number {
  return ((keys[n - 1] - keys[0]) >>> 5) + 1;
}

/** Writes the bitmap of keys[0..n) to words[at..). */
export function packBitmap(keys: Uint32Array, n: number, words: Uint32Array, at: number): void {
  words.fill(0, at, at + bitmapWords(keys, n));
  const first = keys[0] | 0;
  for (let i = 0; i < n; i++) {
    const bit = ((keys[i] | 0) - first) | 0;
    words[at + (bit >>> 5)] |= 1 << (bit & 31);
  }
}

/**
 * Fills keys[to..to + n) from words[at..at + size), modulo 2^32; false if they do not have exactly n bits set.
 * The parameters are separate because a block has a hundred keys, and two views a block would take longer than the block.
 */
export function unpackBitmap(
  words: Uint32Array,
  at: number,
  size: number,
  first: number,
  keys: Uint32Array,
  to: number,
  n: number,
): boolean {
  const end = to + n;
  let i = to;
  for (let w = 0; w < size; w++) {
    const base = ((first | 0) + 32 * w) | 0;
    let word = words[at + w] | 0;
    while (word !== 0) {
      if (i === end) return false;
      const lowest = word & -word;
      keys[i++] = (base + 31 - Math.clz32(lowest)) | 0;
      word ^= lowest;
    }
  }
  return i === end;
}
