/**
 * In-memory radix sort of rows by their u32 minor, with 0, 1 or 2 u32 payload columns moved along; stable.
 *
 * Small arrays: insertion sort. Arrays that fit the cache: least significant digit first. Digit width and number of
 * passes come from the number of rows and the range of the minors. All digits are counted in one read. Minors alone
 * with a range no wider than their number: counted and written out again. Larger arrays: one partition by the most
 * significant digit into pieces that fit the cache, then the above on each piece. A large scatter misses the cache
 * and the TLB on every row; pieces miss once.
 *
 * Memory: the two sets of columns of the caller. Time: rows × (passes + 2 reads). Degenerate cases: no rows or one
 * row, all minors equal or already ascending (one read, nothing moved), skewed pieces (sorted recursively).
 */
import { assert } from '../core/errors.js';
import { type Columns, copyRows } from './columns.js';
import { countDigits, countHighDigit, isConstantDigit, scanRange, startsFromCounts } from './radix-count.js';
import { scatter } from './radix-scatter.js';
import { countingSort, insertionSort } from './small-sorts.js';

const INSERTION_ROWS = 40;
/** Bytes of minors and payload that are still sorted whole: with their scratch they about fill a core's cache. */
const CACHE_BYTES = 1 << 22;
/** Bytes of the pieces that more than that is cut into. */
const PIECE_BYTES = 1 << 18;
const MAX_DIGIT = 11;

const counts = new Uint32Array(4 << MAX_DIGIT);

/**
 * Sorts rows [from, to) of `rows` by minor, with the same rows of `spare` as scratch. Returns the columns that hold
 * the result, at the same rows: `rows` or `spare`; the other's rows are garbage.
 */
export function radixSort(rows: Columns, spare: Columns, from: number, to: number): Columns {
  assert(rows.payload.length <= 2 && spare.payload.length === rows.payload.length, 'radix sort: payload');
  const n = to - from;
  if (n < 2) return rows;
  if (n <= INSERTION_ROWS) {
    insertionSort(rows, from, to);
    return rows;
  }
  if (isAscending(rows.minor, from, to)) return rows;
  const { min, max } = scanRange(rows.minor, from, to);
  const bits = 32 - Math.clz32(max - min);
  if (n > CACHE_BYTES / rowBytesOf(rows) && bits > MAX_DIGIT) {
    return sortPieces(rows, spare, from, to, min, bits);
  }
  if (rows.payload.length === 0 && max - min < n && bits > MAX_DIGIT) {
    countingSort(rows.minor, spare.minor, from, to, min, max - min + 1);
    return rows;
  }
  return sortDigits(rows, spare, from, to, min, bits);
}

const rowBytesOf = ({ payload }: Columns): number => 4 * (1 + payload.length);

/** As {@link radixSort}, with the result always in `target` (which must be `rows` or `spare`). */
function radixSortInto(rows: Columns, spare: Columns, from: number, to: number, target: Columns): void {
  const result = radixSort(rows, spare, from, to);
  if (result !== target) copyRows(result, from, to, target, from);
}

/** Least significant digit first over the `bits` low bits of minor - min. */
function sortDigits(
  rows: Columns,
  spare: Columns,
  from: number,
  to: number,
  min: number,
  bits: number,
): Columns {
  const n = to - from;
  const passes = choosePasses(n, bits);
  const width = Math.ceil(bits / passes);
  countDigits(rows.minor, from, to, min, width, passes, counts);
  let source = rows;
  let target = spare;
  for (let pass = 0; pass < passes; pass++) {
    const base = pass << width;
    if (isConstantDigit(counts, base, 1 << width, n)) continue;
    startsFromCounts(counts, base, 1 << width, from);
    scatter(source, target, from, to, min, pass * width, width, counts, base);
    [source, target] = [target, source];
  }
  return source;
}

/** One partition by the high digit of minor - min, then each piece on its own. */
function sortPieces(
  rows: Columns,
  spare: Columns,
  from: number,
  to: number,
  min: number,
  bits: number,
): Columns {
  const n = to - from;
  const pieceRows = Math.ceil(PIECE_BYTES / rowBytesOf(rows));
  const width = choosePartition(n, bits, pieceRows);
  const shift = bits - width;
  const size = 1 << width;
  const ends = new Uint32Array(size);
  countHighDigit(rows.minor, from, to, min, shift, ends);
  startsFromCounts(ends, 0, size, from);
  scatter(rows, spare, from, to, min, shift, width, ends, 0);
  // The usual piece needs this many passes, so this is where most pieces end up without a copy.
  const target = choosePasses(n / size, shift) % 2 === 0 ? spare : rows;
  let start = from;
  for (let piece = 0; piece < size; piece++) {
    const end = ends[piece];
    if (end > start) radixSortInto(spare, rows, start, end, target);
    start = end;
  }
  return target;
}

/** Bits of the partition's digit, of least estimated cost for pieces of at most about `pieceRows` rows. */
function choosePartition(n: number, bits: number, pieceRows: number): number {
  let best = MAX_DIGIT;
  let least = Infinity;
  for (let width = 1; width <= MAX_DIGIT; width++) {
    const pieces = 2 ** width;
    if (n > pieces * pieceRows && width < MAX_DIGIT) continue;
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

/** A row costs about as much to move as a counter to sum. */
function digitsCost(n: number, bits: number, passes: number): number {
  return passes * (n + 2 ** Math.ceil(bits / passes));
}

/** Whether rows [from, to) ascend already; stops at the first descent, so it costs nothing on random rows. */
function isAscending(minor: Uint32Array, from: number, to: number): boolean {
  let i = from + 1;
  while (i < to && minor[i - 1] <= minor[i]) i++;
  return i >= to;
}
