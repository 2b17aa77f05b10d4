/**
 * In-memory radix sort of rows by their u32 minor, with u32 payload columns moved along; stable.
 *
 * Small arrays: insertion sort. Arrays that fit the cache: least significant digit first, in WebAssembly
 * (packed-sort.ts). Digit width and number of passes come from the number of rows and the range of the minors. Minors alone
 * with a range no wider than their number: counted and written out again. Larger arrays: one partition by the most
 * significant digit into pieces that fit the cache, then the above on each piece. A large scatter misses the cache
 * and the TLB on every row; pieces miss once. Rows with more than two payload columns are numbered, the numbers are moved along, and the
 * columns are put in their order one by one.
 *
 * Memory: the two sets of columns of the caller, 4 MiB a thread, and {@link numberWords} a row. Time: rows × (passes + 2 reads).
 * Degenerate cases: no rows or one row, all minors equal or already ascending (one read, nothing moved), skewed pieces (sorted
 * recursively).
 */

import { type Columns, copyRows } from '../core/columns.js';
import { assert } from '../core/errors.js';
import { MOVED_COLUMNS } from './major-scatter.js';
import { PACKED_ROWS, sortPacked } from './packed-sort.js';
import { countHighDigit, scanRange, startsFromCounts } from './radix-count.js';
import { scatter } from './radix-scatter.js';
import { countingSort, insertionSort } from './small-sorts.js';

const INSERTION_ROWS = 40;
/** Rows of the pieces that more than {@link PACKED_ROWS} are cut into, about. */
const PIECE_ROWS = 1 << 14;
const MAX_DIGIT = 11;

/**
 * Sorts rows [from, to) of `rows` by minor, with the same rows of `spare` as scratch. Returns the columns that hold
 * the result, at the same rows: `rows` or `spare`; the other's rows are garbage.
 */
export function radixSort(rows: Columns, spare: Columns, from: number, to: number): Columns {
  assert(spare.payload.length === rows.payload.length, 'radix sort: payload');
  const n = to - from;
  if (n < 2) return rows;
  if (numberWords(rows.payload.length) > 0) return sortNumbered(rows, spare, from, to);
  if (n <= INSERTION_ROWS) {
    insertionSort(rows, from, to);
    return rows;
  }
  if (isAscending(rows.minor, from, to)) return rows;
  const { min, max } = scanRange(rows.minor, from, to);
  const bits = 32 - Math.clz32(max - min);
  if (rows.payload.length === 0 && max - min < n && bits > MAX_DIGIT) {
    countingSort(rows.minor, spare.minor, from, to, min, max - min + 1);
    return rows;
  }
  if (n > PACKED_ROWS[rows.payload.length]) return sortPieces(rows, spare, from, to, min, bits);
  const passes = choosePasses(n, bits);
  sortPacked(rows, from, to, min, Math.ceil(bits / passes), passes);
  return rows;
}

/** Words for each row that the sort takes beside the two sets of columns. */
export function numberWords(payload: number): 0 | 2 {
  return payload > MOVED_COLUMNS ? 2 : 0;
}

/** {@link radixSort} by way of the numbers of rows, however many columns there are. */
function sortNumbered(rows: Columns, spare: Columns, from: number, to: number): Columns {
  if (isAscending(rows.minor, from, to)) return rows;
  const minor = rows.minor.subarray(from, to);
  const other = spare.minor.subarray(from, to);
  const numbers = Uint32Array.from(minor, (_, i) => from + i);
  const numbered = { minor, payload: [numbers] };
  const sorted = radixSort(numbered, { minor: other, payload: [new Uint32Array(to - from)] }, 0, to - from);
  if (sorted === numbered) other.set(minor);
  for (let c = 0; c < rows.payload.length; c++)
    takeNumbered(rows.payload[c], sorted.payload[0], spare.payload[c], from);
  return spare;
}

function takeNumbered(source: Uint32Array, numbers: Uint32Array, into: Uint32Array, at: number): void {
  for (let i = 0; i < numbers.length; i++) into[at + i] = source[numbers[i]];
}

/** {@link radixSort} with the result always in `rows`. */
function radixSortInPlace(rows: Columns, spare: Columns, from: number, to: number): void {
  const result = radixSort(rows, spare, from, to);
  if (result !== rows) copyRows(result, from, to, rows, from);
}

/** One partition by the high digit of minor - min, then each piece on its own, unless the digit has all bits. */
function sortPieces(
  rows: Columns,
  spare: Columns,
  from: number,
  to: number,
  min: number,
  bits: number,
): Columns {
  const n = to - from;
  const width = bits > MAX_DIGIT ? choosePartition(n, bits) : bits;
  const shift = bits - width;
  const ends = new Uint32Array(1 << width);
  countHighDigit(rows.minor, from, to, min, shift, ends);
  startsFromCounts(ends, from);
  scatter(rows, spare, from, to, min, shift, width, ends);
  if (shift === 0) return spare;
  let start = from;
  for (const end of ends) {
    if (end > start) radixSortInPlace(spare, rows, start, end);
    start = end;
  }
  return spare;
}

/** Bits of the partition's digit, of least estimated cost for pieces of at most about {@link PIECE_ROWS} rows. */
function choosePartition(n: number, bits: number): number {
  let best = MAX_DIGIT;
  let least = Infinity;
  for (let width = 1; width <= MAX_DIGIT; width++) {
    const pieces = 2 ** width;
    if (n > pieces * PIECE_ROWS && width < MAX_DIGIT) continue;
    const cost = pieces * (1 + digitsCost(n / pieces, bits - width, choosePasses(n / pieces, bits - width)));
    if (cost < least) {
      least = cost;
      best = width;
    }
  }
  return best;
}

/** Number of passes of least estimated cost. */
function choosePasses(n: number, bits: number): number {
  let best = 4;
  for (let passes = 3; passes > 0 && bits <= passes * MAX_DIGIT; passes--) {
    if (digitsCost(n, bits, passes) <= digitsCost(n, bits, best)) best = passes;
  }
  return best;
}

/** Cost of a pass: moving a row costs about as much as summing a counter. */
function digitsCost(n: number, bits: number, passes: number): number {
  return passes * (n + 2 ** Math.ceil(bits / passes));
}

/** Whether rows [from, to) ascend already; stops at the first descent, so it costs nothing on random rows. */
function isAscending(minor: Uint32Array, from: number, to: number): boolean {
  let i = from + 1;
  while (i < to && minor[i - 1] <= minor[i]) i++;
  return i >= to;
}
