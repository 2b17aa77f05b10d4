/**
 * Semi-joins: the rows of `left` whose key is, or is not, in `right`.
 *
 * Inputs: `left`, ascending by (major, minor), and `right` in the same order; either may repeat keys. For {@link difference}, u32 payload
 * columns belong to the key (as distinct.ts leaves them), and both are strictly ascending by (major, minor, payload). Output: the kept rows
 * of left, unchanged and in order, one batch at most for each of left. A batch that is kept whole is passed on as it is.
 * Algorithm: one scan of both. Where rows of left are dropped for want of a partner, they are skipped by doubling steps. `difference` opens
 * right at the first major of left, and again where left leaves out `leap` majors or more. So few rows of left do not cost the reading
 * of all of right, and many rows of left do not cost openings.
 * Memory: one batch of each side and one of output. I/O: reads left once, and right at most once, up to the last key of left, but for a
 * record batch at each opening. Degenerate cases: either side empty.
 */

import type { Counters } from './core/counters.js';
import type { Interval } from './core/interval.js';
import { firstAtLeast } from './core/search.js';
import type { Batch, Cursor } from './runs/types.js';
import { RowSelection } from './selection.js';

/** Rows that can be read from any major on: of a run, or of a spool. */
export interface Openable {
  cursor(range: Interval): Cursor;
}

export interface DifferenceOptions {
  /** Majors that left must leave out for right to be opened again behind them; at least 1. */
  readonly leap: number;
  readonly counters: Counters;
}

export function semiJoin(
  left: Cursor,
  right: Cursor,
  { keep, counters }: { keep: 'matched' | 'unmatched'; counters: Counters },
): Cursor {
  const once = { leap: Number.POSITIVE_INFINITY, counters };
  return keepRows(left, { cursor: () => right }, once, keep === 'matched' ? 1 : 0, select);
}

/** The rows of `left` that are not in `right`, where the payload belongs to the key. */
export function difference(left: Cursor, right: Openable, options: DifferenceOptions): Cursor {
  return keepRows(left, right, options, 0, strike);
}

const ALL_MAJORS = 2 ** 32;
const NO_MORE: IteratorResult<Batch> = { done: true, value: undefined };

async function* keepRows(
  left: Cursor,
  right: Openable,
  { leap, counters }: DifferenceOptions,
  wanted: number,
  compare: typeof select,
): Cursor {
  const selection = new RowSelection();
  let rows: AsyncIterator<Batch> | null = null;
  let next: IteratorResult<Batch> = NO_MORE;
  let at = 0;
  let major = -1;
  try {
    for await (const batch of left) {
      counters.rowsJoined += batch.length;
      if (rows === null || batch.major - major > leap) {
        await rows?.return?.();
        rows = right.cursor({ from: batch.major, to: ALL_MAJORS })[Symbol.asyncIterator]();
        next = await rows.next();
        at = 0;
      }
      major = batch.major;
      const numbers = selection.rows(batch.length);
      let from = 0;
      let count = 0;
      while (from < batch.length) {
        if (next.done || next.value.major > batch.major) {
          // Nothing more of right can match in this batch.
          if (wanted === 0) for (; from < batch.length; from++) numbers[count++] = from;
          break;
        }
        const other: Batch = next.value;
        if (other.major === batch.major && other.minor[other.length - 1] >= batch.minor[from]) {
          compare(batch, from, count, other, at, numbers, wanted);
          ({ from, count, at } = progress);
        } else {
          at = other.length;
        }
        if (at === other.length) {
          next = await rows.next();
          at = 0;
        }
      }
      counters.rowsMatched += count;
      if (count > 0) yield selection.apply(batch, count);
    }
  } finally {
    await rows?.return?.();
  }
}

/** How far a comparison came: next row of left, rows selected, next row of right. One of the two batches is used up. */
const progress = { from: 0, count: 0, at: 0 };

/** The parameters say where two batches and the rows selected so far stand; the result is in `progress` for the same reason. */
function select(
  left: Batch,
  from: number,
  count: number,
  right: Batch,
  at: number,
  numbers: Uint32Array,
  wanted: number,
): void {
  const a = left.minor;
  const b = right.minor;
  const leftRows = left.length;
  const rightRows = right.length;
  let i = from;
  let j = at;
  let n = count;
  while (i < leftRows) {
    const key = a[i];
    while (j < rightRows && b[j] < key) j++;
    if (j === rightRows) break;
    if (wanted === 1 && key < b[j]) {
      i = firstFrom(a, i + 1, leftRows, b[j]);
      continue;
    }
    numbers[n] = i++;
    // The partner stays: the next left row may have the same key.
    n += (b[j] === key ? 1 : 0) === wanted ? 1 : 0;
  }
  progress.from = i;
  progress.count = n;
  progress.at = j;
}

/** As `select`, for rows that are wanted if they have no partner. */
function strike(
  left: Batch,
  from: number,
  count: number,
  right: Batch,
  at: number,
  numbers: Uint32Array,
): void {
  const a = left.minor;
  const b = right.minor;
  const aLow = left.payload[0];
  const bLow = right.payload[0];
  const columns = left.payload.length;
  let i = from;
  let j = at;
  let n = count;
  const leftRows = left.length;
  const rightRows = right.length;
  while (i < leftRows && j < rightRows) {
    const x = a[i];
    const y = b[j];
    if (x === y) {
      let order = aLow[i] - bLow[j];
      for (let c = 1; c < columns && order === 0; c++) order = left.payload[c][i] - right.payload[c][j];
      if (order < 0) numbers[n++] = i++;
      else {
        if (order === 0) i++;
        j++;
      }
      continue;
    }
    // No branch, for the processor could not predict from which side the next row comes. The sign is that of the 33-bit difference x - y.
    const isLess = ((x >>> 1) - (y >>> 1) - (~x & y & 1)) >>> 31;
    numbers[n] = i;
    n += isLess;
    i += isLess;
    j += 1 - isLess;
  }
  progress.from = i;
  progress.at = j;
  progress.count = n;
}

/** The first row from `from` on whose key is at least `bound`, or `rows`: found by steps that double, then by halves. */
function firstFrom(keys: Uint32Array, from: number, rows: number, bound: number): number {
  let low = from;
  let step = 1;
  while (low + step <= rows && keys[low + step - 1] < bound) {
    low += step;
    step *= 2;
  }
  return firstAtLeast(keys, bound, low, Math.min(rows, low + step - 1));
}
