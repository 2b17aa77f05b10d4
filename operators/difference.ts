/**
 * The rows of one set that are not in another, where the payload belongs to the key (as distinct.ts leaves them).
 *
 * Inputs: two sets of rows strictly ascending by (major, minor, payload), with the same u32 payload columns, at least one. Output: the rows of
 * `left` that are not in `right`, in order, one batch at most for each of left. A batch that is kept whole is passed on as it is.
 * Algorithm: one scan of both. `right` is opened at the first major of left, and again where left leaves out `leap` majors or
 * more. So few rows of left do not cost the reading of all of right, and many rows of left do not cost openings.
 * Memory: a batch of each side and one of output. I/O: reads left once, and right at most once, but for a record batch at each
 * opening. Degenerate cases: either side empty.
 */

import type { Counters } from './core/counters.js';
import type { Interval } from './core/interval.js';
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

const ALL_MAJORS = 2 ** 32;
const NO_MORE: IteratorResult<Batch> = { done: true, value: undefined };

/** See the top of this file. */
export async function* difference(
  left: Cursor,
  right: Openable,
  { leap, counters }: DifferenceOptions,
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
          for (; from < batch.length; from++) numbers[count++] = from;
          break;
        }
        const other: Batch = next.value;
        if (other.major === batch.major) {
          strike(batch, from, other, at, numbers, count);
          ({ from, at, count } = progress);
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

/** How far `strike` came: next row of left, next of right, rows kept. One of the two batches is used up. */
const progress = { from: 0, at: 0, count: 0 };

function strike(
  left: Batch,
  from: number,
  right: Batch,
  at: number,
  numbers: Uint32Array,
  count: number,
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
