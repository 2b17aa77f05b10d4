/**
 * The reading loops of the radix sort. Digits are taken of `minor - min` in wrapping 32-bit arithmetic.
 * The loops are unrolled because a turn of a loop costs about as much as the work on a row. Written plainly they take 1.5 to
 * 2.3 times as long.
 *
 * Many parameters: a call is made for each small piece, and an object for it would take longer than some pieces.
 */

const range = { min: 0, max: 0 };

/** Least and greatest minor of rows [from, to), at least one row. The object is reused. */
export function scanRange(minor: Uint32Array, from: number, to: number): typeof range {
  // Comparing with the top bit flipped keeps the loop in signed 32-bit arithmetic.
  let min = minor[from] ^ 0x80000000;
  let max = min;
  let i = from;
  for (const end = to - 3; i < end; i += 4) {
    const a = minor[i] ^ 0x80000000;
    const b = minor[i + 1] ^ 0x80000000;
    const c = minor[i + 2] ^ 0x80000000;
    const d = minor[i + 3] ^ 0x80000000;
    if (a < min) min = a;
    if (a > max) max = a;
    if (b < min) min = b;
    if (b > max) max = b;
    if (c < min) min = c;
    if (c > max) max = c;
    if (d < min) min = d;
    if (d > max) max = d;
  }
  for (; i < to; i++) {
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
  let i = from;
  for (const end = to - 3; i < end; i += 4) {
    const a = ((minor[i] | 0) - low) >>> shift;
    const b = ((minor[i + 1] | 0) - low) >>> shift;
    const c = ((minor[i + 2] | 0) - low) >>> shift;
    const d = ((minor[i + 3] | 0) - low) >>> shift;
    counts[a]++;
    counts[b]++;
    counts[c]++;
    counts[d]++;
  }
  for (; i < to; i++) counts[((minor[i] | 0) - low) >>> shift]++;
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
  if (passes === 1) count1(minor, from, to, min | 0, width, counts);
  else if (passes === 2) count2(minor, from, to, min | 0, width, counts);
  else if (passes === 3) count3(minor, from, to, min | 0, width, counts);
  else count4(minor, from, to, min | 0, width, counts);
}

function count1(
  minor: Uint32Array,
  from: number,
  to: number,
  min: number,
  width: number,
  counts: Uint32Array,
) {
  const mask = (1 << width) - 1;
  let i = from;
  for (const end = to - 3; i < end; i += 4) {
    const a = ((minor[i] | 0) - min) | 0;
    const b = ((minor[i + 1] | 0) - min) | 0;
    const c = ((minor[i + 2] | 0) - min) | 0;
    const d = ((minor[i + 3] | 0) - min) | 0;
    counts[a & mask]++;
    counts[b & mask]++;
    counts[c & mask]++;
    counts[d & mask]++;
  }
  for (; i < to; i++) {
    const a = ((minor[i] | 0) - min) | 0;
    counts[a & mask]++;
  }
}

function count2(
  minor: Uint32Array,
  from: number,
  to: number,
  min: number,
  width: number,
  counts: Uint32Array,
) {
  const mask = (1 << width) - 1;
  const base1 = 1 << width;
  let i = from;
  for (const end = to - 3; i < end; i += 4) {
    const a = ((minor[i] | 0) - min) | 0;
    const b = ((minor[i + 1] | 0) - min) | 0;
    const c = ((minor[i + 2] | 0) - min) | 0;
    const d = ((minor[i + 3] | 0) - min) | 0;
    counts[a & mask]++;
    counts[base1 + ((a >>> width) & mask)]++;
    counts[b & mask]++;
    counts[base1 + ((b >>> width) & mask)]++;
    counts[c & mask]++;
    counts[base1 + ((c >>> width) & mask)]++;
    counts[d & mask]++;
    counts[base1 + ((d >>> width) & mask)]++;
  }
  for (; i < to; i++) {
    const a = ((minor[i] | 0) - min) | 0;
    counts[a & mask]++;
    counts[base1 + ((a >>> width) & mask)]++;
  }
}

function count3(
  minor: Uint32Array,
  from: number,
  to: number,
  min: number,
  width: number,
  counts: Uint32Array,
) {
  const mask = (1 << width) - 1;
  const base1 = 1 << width;
  const base2 = 2 << width;
  const shift2 = 2 * width;
  let i = from;
  for (const end = to - 3; i < end; i += 4) {
    const a = ((minor[i] | 0) - min) | 0;
    const b = ((minor[i + 1] | 0) - min) | 0;
    const c = ((minor[i + 2] | 0) - min) | 0;
    const d = ((minor[i + 3] | 0) - min) | 0;
    counts[a & mask]++;
    counts[base1 + ((a >>> width) & mask)]++;
    counts[base2 + ((a >>> shift2) & mask)]++;
    counts[b & mask]++;
    counts[base1 + ((b >>> width) & mask)]++;
    counts[base2 + ((b >>> shift2) & mask)]++;
    counts[c & mask]++;
    counts[base1 + ((c >>> width) & mask)]++;
    counts[base2 + ((c >>> shift2) & mask)]++;
    counts[d & mask]++;
    counts[base1 + ((d >>> width) & mask)]++;
    counts[base2 + ((d >>> shift2) & mask)]++;
  }
  for (; i < to; i++) {
    const a = ((minor[i] | 0) - min) | 0;
    counts[a & mask]++;
    counts[base1 + ((a >>> width) & mask)]++;
    counts[base2 + ((a >>> shift2) & mask)]++;
  }
}

function count4(
  minor: Uint32Array,
  from: number,
  to: number,
  min: number,
  width: number,
  counts: Uint32Array,
) {
  const mask = (1 << width) - 1;
  const base1 = 1 << width;
  const base2 = 2 << width;
  const base3 = 3 << width;
  const shift2 = 2 * width;
  const shift3 = 3 * width;
  let i = from;
  for (const end = to - 3; i < end; i += 4) {
    const a = ((minor[i] | 0) - min) | 0;
    const b = ((minor[i + 1] | 0) - min) | 0;
    const c = ((minor[i + 2] | 0) - min) | 0;
    const d = ((minor[i + 3] | 0) - min) | 0;
    counts[a & mask]++;
    counts[base1 + ((a >>> width) & mask)]++;
    counts[base2 + ((a >>> shift2) & mask)]++;
    counts[base3 + ((a >>> shift3) & mask)]++;
    counts[b & mask]++;
    counts[base1 + ((b >>> width) & mask)]++;
    counts[base2 + ((b >>> shift2) & mask)]++;
    counts[base3 + ((b >>> shift3) & mask)]++;
    counts[c & mask]++;
    counts[base1 + ((c >>> width) & mask)]++;
    counts[base2 + ((c >>> shift2) & mask)]++;
    counts[base3 + ((c >>> shift3) & mask)]++;
    counts[d & mask]++;
    counts[base1 + ((d >>> width) & mask)]++;
    counts[base2 + ((d >>> shift2) & mask)]++;
    counts[base3 + ((d >>> shift3) & mask)]++;
  }
  for (; i < to; i++) {
    const a = ((minor[i] | 0) - min) | 0;
    counts[a & mask]++;
    counts[base1 + ((a >>> width) & mask)]++;
    counts[base2 + ((a >>> shift2) & mask)]++;
    counts[base3 + ((a >>> shift3) & mask)]++;
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
