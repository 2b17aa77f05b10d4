/**
 * The reading loops of the radix sort. Digits are taken of `minor - min` in wrapping 32-bit arithmetic.
 * vite.hot-loops.ts writes the loops out: written plainly they take 1.2 to 2.2 times as long.
 *
 * Many parameters: a call is made for each small piece, and an object for it would take longer than some pieces.
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

/**
 * Counts all `passes` digits of `width` bits in one read: digit d of pass p at counts[(p << width) + d]. `passes` is
 * 1 to 4; counters are cleared first.
 */
export function countDigits(
  minor: Uint32Array,
  from: number,
  to: number,
  min: number,
  width: number,
  passes: number,
  counts: Uint32Array,
): void {
  counts.fill(0, 0, passes << width);
  countRows(passes, minor, from, to, min | 0, width, counts);
}

// @copies passes 1 2 3 4
function countRows(
  passes: number,
  minor: Uint32Array,
  from: number,
  to: number,
  min: number,
  width: number,
  counts: Uint32Array,
): void {
  const mask = (1 << width) - 1;
  const base1 = 1 << width;
  const base2 = 2 << width;
  const base3 = 3 << width;
  const shift2 = 2 * width;
  const shift3 = 3 * width;
  // @unroll 4 ahead key
  for (let i = from; i < to; i++) {
    const key = ((minor[i] | 0) - min) | 0;
    counts[key & mask]++;
    if (passes > 1) counts[base1 + ((key >>> width) & mask)]++;
    if (passes > 2) counts[base2 + ((key >>> shift2) & mask)]++;
    if (passes > 3) counts[base3 + ((key >>> shift3) & mask)]++;
  }
}

/** Whether one counter of counts[base, base + size) holds all n rows, so that a scatter would move nothing. */
export function isConstantDigit(counts: Uint32Array, base: number, size: number, n: number): boolean {
  for (let d = base; d < base + size; d++) {
    if (counts[d] !== 0) return counts[d] === n;
  }
  return true;
}

/** Replaces counts[base, base + size) by the row where each digit's rows start. */
export function startsFromCounts(counts: Uint32Array, base: number, size: number, first: number): void {
  let start = first;
  for (let d = base; d < base + size; d++) {
    const count = counts[d];
    counts[d] = start;
    start += count;
  }
}
