/**
 * Semi-join: the rows of `left` whose key is (or, for the anti-join, is not) in `right`.
 *
 * Inputs: two cursors ascending by (major, minor); either may repeat keys. Output: the kept rows of left, unchanged and
 * in order, one batch at most for each of left. A batch that is kept whole is passed on as it is.
 * Algorithm: one scan of both; where rows of left are dropped for want of a partner, they are skipped by doubling steps.
 * Memory: one batch of each side and one of output. I/O: reads left once, and right up to
 * the last key of left. Degenerate cases: either side empty.
 */

import type { Counters } from './core/counters.js';
import { firstAtLeast } from './core/search.js';
import type { Batch, Cursor } from './runs/types.js';
import { RowSelection } from './selection.js';

export async function* semiJoin(
  left: Cursor,
  right: Cursor,
  { keep, counters }: { keep: 'matched' | 'unmatched'; counters: Counters },
): Cursor {
  const other = right[Symbol.asyncIterator]();
  const selection = new RowSelection();
  const wanted = keep === 'matched' ? 1 : 0;
  try {
    let next = await other.next();
    let at = 0;
    for await (const batch of left) {
      counters.rowsJoined += batch.length;
      const numbers = selection.rows(batch.length);
      let from = 0;
      let count = 0;
      while (from < batch.length) {
        if (next.done || next.value.major > batch.major) {
          // Nothing more of right can match in this batch.
          if (wanted === 0) for (; from < batch.length; from++) numbers[count++] = from;
          break;
        }
        const partner: Batch = next.value;
        if (partner.major === batch.major && partner.minor[partner.length - 1] >= batch.minor[from]) {
          select(batch, from, count, partner, at, wanted, numbers);
          ({ from, count, at } = progress);
        } else {
          at = partner.length;
        }
        if (at === partner.length) {
          next = await other.next();
          at = 0;
        }
      }
      counters.rowsMatched += count;
      if (count > 0) yield selection.apply(batch, count);
    }
  } finally {
    await other.return?.();
  }
}

/** How far `select` came: next left row, rows selected, next right row. One of the two batches is used up. */
const progress = { from: 0, count: 0, at: 0 };

/** The parameters say where two batches and the rows selected so far stand; the result is in `progress` for the same reason. */
function select(
  left: Batch,
  from: number,
  count: number,
  right: Batch,
  at: number,
  wanted: number,
  numbers: Uint32Array,
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
