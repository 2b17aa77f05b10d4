/**
 * The alphabet of tokens: what is done (five kinds), and for how many positions. Lengths below 8 have symbols of their
 * own, longer ones share four to an octave and are followed by the bits that tell them apart.
 */

/** A run of the value before, of the value before that one, or of the third; a copy from the first row, the second. */
export const SAME = 0;
export const PREVIOUS = 1;
export const OTHER = 2;
export const COPY = 3;
export const KINDS = 5;

/** How many rows copies are made from. */
export const ROWS = KINDS - COPY;

/** No token is longer. */
export const LONGEST_TOKEN = 1 << 18;
const BUCKETS = bucketOf(LONGEST_TOKEN) + 1;

/** Stands for a token whose symbol has no word: kind and length follow as they are. */
export const ESCAPE = KINDS * BUCKETS;
export const ALPHABET = ESCAPE + 1;
export const ESCAPED_KIND_BITS = 3;
export const ESCAPED_LENGTH_BITS = 19;

export function tokenSymbol(kind: number, length: number): number {
  return kind * BUCKETS + bucketOf(length);
}

/** By symbol: its kind, the least length it stands for, and how many bits say how much is to be added. */
export const kindOf = Uint8Array.from({ length: ESCAPE }, (_, symbol) => Math.trunc(symbol / BUCKETS));
export const leastOf = Uint32Array.from({ length: ESCAPE }, (_, symbol) => bucketLeast(symbol % BUCKETS));
export const extraBitsOf = Uint8Array.from({ length: ESCAPE }, (_, symbol) => bucketBits(symbol % BUCKETS));

function bucketOf(length: number): number {
  if (length < 8) return length;
  const octave = 31 - Math.clz32(length);
  return 8 + 4 * (octave - 3) + ((length >>> (octave - 2)) & 3);
}

function bucketBits(bucket: number): number {
  return bucket < 8 ? 0 : 1 + ((bucket - 8) >>> 2);
}

function bucketLeast(bucket: number): number {
  return bucket < 8 ? bucket : (4 + ((bucket - 8) & 3)) << bucketBits(bucket);
}
