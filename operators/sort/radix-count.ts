/**
 * The reading loops of the radix sort. Digits are taken of `minor - min` in wrapping 32-bit arithmetic.
 * vite.hot-loops.ts writes the loops out: written plainly they take 1.2 to 2.2 times as long.
 *
 * The parameters are separate because a call is made for each small piece, and an object for it would take longer than some pieces.
 */

const range = { min: 0, max: 0 };

/** Least and greatest minor of rows [from, to), at least one row. The object is reused. */
export function scanRange(minor: Uint32Array, from: number, to: number): typeof range {
  // Comparing with the top bit flipped keeps the loop in signed 32-bit arithmetic.
  let min = minor[from] ^ 0x80000000;
  let max = min;
  // @unroll 4 ahead key
  for (let i = from; i < to; i++) {
    const key = minor[i] ^ 0x80000000;
    if (key < min) min = key;
    if (key > max) max = key;
  }
  range.min = (min ^ 0x80000000) >>> 0;
  range.max = (max ^ 0x80000000) >>> 0;
  return range;
}

/** Counts the digit minor >>> shift of minor - min, for all digits that there are. */
export function countHighDigit(
  minor: Uint32Array,
  from: number,
  to: number,
  min: number,
  shift: number,
  counts: Uint32Array,
): void {
  const low = min | 0;
  // @unroll 4 ahead digit
  for (let i = from; i < to; i++) {
    const digit = ((minor[i] | 0) - low) >>> shift;
    counts[digit]++;
  }
}

/** Replaces the counts by the rows where each digit's rows start. */
export function startsFromCounts(counts: Uint32Array, first: number): void {
  let start = first;
  for (let d = 0; d < counts.length; d++) {
    const count = counts[d];
    counts[d] = start;
    start += count;
  }
}
