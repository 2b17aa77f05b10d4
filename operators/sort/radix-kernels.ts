/**
 * The inner loops of the radix sort, one for each number of payload columns so that each stays monomorphic. Digits are
 * taken of `minor - min` in wrapping 32-bit arithmetic.
 */
import type { Columns } from './columns.js';

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
  for (let i = from; i < to; i++) counts[((minor[i] | 0) - min) & mask]++;
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
  for (let i = from; i < to; i++) {
    const key = ((minor[i] | 0) - min) | 0;
    counts[key & mask]++;
    counts[base1 + ((key >>> width) & mask)]++;
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
  for (let i = from; i < to; i++) {
    const key = ((minor[i] | 0) - min) | 0;
    counts[key & mask]++;
    counts[base1 + ((key >>> width) & mask)]++;
    counts[base2 + ((key >>> shift2) & mask)]++;
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
  for (let i = from; i < to; i++) {
    const key = ((minor[i] | 0) - min) | 0;
    counts[key & mask]++;
    counts[base1 + ((key >>> width) & mask)]++;
    counts[base2 + ((key >>> shift2) & mask)]++;
    counts[base3 + ((key >>> shift3) & mask)]++;
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

/**
 * Moves rows [from, to) of `source` to the rows of `target` that `starts` (at `base`) names for their digit
 * ((minor - min) >>> shift, `width` bits); afterwards `starts` holds the ends.
 */
export function scatter(
  source: Columns,
  target: Columns,
  from: number,
  to: number,
  min: number,
  shift: number,
  width: number,
  starts: Uint32Array,
  base: number,
): void {
  const table = base === 0 ? starts : starts.subarray(base, base + (1 << width));
  const mask = (1 << width) - 1;
  const low = min | 0;
  const [p0, p1] = source.payload;
  const [t0, t1] = target.payload;
  if (p0 === undefined) scatter0(source.minor, target.minor, from, to, low, shift, mask, table);
  else if (p1 === undefined) scatter1(source.minor, p0, target.minor, t0, from, to, low, shift, mask, table);
  else scatter2(source.minor, p0, p1, target.minor, t0, t1, from, to, low, shift, mask, table);
}

function scatter0(
  minor: Uint32Array,
  outMinor: Uint32Array,
  from: number,
  to: number,
  min: number,
  shift: number,
  mask: number,
  starts: Uint32Array,
): void {
  for (let i = from; i < to; i++) {
    const key = minor[i];
    const digit = (((key | 0) - min) >>> shift) & mask;
    const at = starts[digit];
    starts[digit] = at + 1;
    outMinor[at] = key;
  }
}

function scatter1(
  minor: Uint32Array,
  a: Uint32Array,
  outMinor: Uint32Array,
  outA: Uint32Array,
  from: number,
  to: number,
  min: number,
  shift: number,
  mask: number,
  starts: Uint32Array,
): void {
  for (let i = from; i < to; i++) {
    const key = minor[i];
    const digit = (((key | 0) - min) >>> shift) & mask;
    const at = starts[digit];
    starts[digit] = at + 1;
    outMinor[at] = key;
    outA[at] = a[i];
  }
}

function scatter2(
  minor: Uint32Array,
  a: Uint32Array,
  b: Uint32Array,
  outMinor: Uint32Array,
  outA: Uint32Array,
  outB: Uint32Array,
  from: number,
  to: number,
  min: number,
  shift: number,
  mask: number,
  starts: Uint32Array,
): void {
  for (let i = from; i < to; i++) {
    const key = minor[i];
    const digit = (((key | 0) - min) >>> shift) & mask;
    const at = starts[digit];
    starts[digit] = at + 1;
    outMinor[at] = key;
    outA[at] = a[i];
    outB[at] = b[i];
  }
}

/**
 * Sorts minor[from, to) in place by counting; the minors are min, ..., min + range - 1 and range <= to - from, so that
 * counts[from, to) can hold the counters.
 */
export function countingSort(
  minor: Uint32Array,
  counts: Uint32Array,
  from: number,
  to: number,
  min: number,
  range: number,
): void {
  counts.fill(0, from, from + range);
  const shift = ((min | 0) - from) | 0;
  for (let i = from; i < to; i++) counts[((minor[i] | 0) - shift) | 0]++;
  let at = from;
  let key = min;
  let c = from;
  // Three writes whatever the count save most of the unpredictable branches.
  for (const last = to - 3; at < last; c++, key++) {
    const count = counts[c];
    minor[at] = key;
    minor[at + 1] = key;
    minor[at + 2] = key;
    if (count > 3) minor.fill(key, at + 3, at + count);
    at += count;
  }
  for (; at < to; c++, key++) {
    for (let rest = counts[c]; rest > 0; rest--) minor[at++] = key;
  }
}

/** Stable insertion sort of rows [from, to) in place, for a few dozen rows. */
export function insertionSort(rows: Columns, from: number, to: number): void {
  const { minor, payload } = rows;
  if (payload.length === 0) insertion0(minor, from, to);
  else if (payload.length === 1) insertion1(minor, payload[0], from, to);
  else insertion2(minor, payload[0], payload[1], from, to);
}

function insertion0(minor: Uint32Array, from: number, to: number): void {
  for (let i = from + 1; i < to; i++) {
    const key = minor[i];
    let j = i - 1;
    while (j >= from && minor[j] > key) {
      minor[j + 1] = minor[j];
      j--;
    }
    minor[j + 1] = key;
  }
}

function insertion1(minor: Uint32Array, a: Uint32Array, from: number, to: number): void {
  for (let i = from + 1; i < to; i++) {
    const key = minor[i];
    const valueA = a[i];
    let j = i - 1;
    while (j >= from && minor[j] > key) {
      minor[j + 1] = minor[j];
      a[j + 1] = a[j];
      j--;
    }
    minor[j + 1] = key;
    a[j + 1] = valueA;
  }
}

function insertion2(minor: Uint32Array, a: Uint32Array, b: Uint32Array, from: number, to: number): void {
  for (let i = from + 1; i < to; i++) {
    const key = minor[i];
    const valueA = a[i];
    const valueB = b[i];
    let j = i - 1;
    while (j >= from && minor[j] > key) {
      minor[j + 1] = minor[j];
      a[j + 1] = a[j];
      b[j + 1] = b[j];
      j--;
    }
    minor[j + 1] = key;
    a[j + 1] = valueA;
    b[j + 1] = valueB;
  }
}
