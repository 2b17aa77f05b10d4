/**
 * Merge join of ordered rows with a dense run.
 *
 * Inputs: `left`, a cursor; `right`, the dense side, opened by major, which must have a row for every key of left.
 * Output: unordered rows, those that the kernel makes of each pair. Algorithm: both sides are scanned together and
 * aligned batch against batch. The kernel sees an interval of left rows whose minors all lie in one dense batch.
 * Memory: one batch of each side and the output batch. I/O: reads left once, and of right the majors that left has.
 * Degenerate cases: no rows; left rows with equal keys (each is joined). A key that right lacks trips an assert.
 */

import type { Counters } from './core/counters.js';
import { assert } from './core/errors.js';
import type { Interval } from './core/interval.js';
import { firstAtLeast } from './core/search.js';
import { newRows } from './runs/rows.js';
import type { Batch, Cursor, DenseBatch, DenseCursor, RowSource, Rows } from './runs/types.js';

/** The dense side: opens majors [from, to), as RunReader.denseCursor does. */
export type DenseSide = (range: Interval) => DenseCursor;

/** Left rows [from, to), to > from, whose minors m all satisfy right.first <= m < right.first + right.length. */
export interface Aligned {
  left: Batch;
  from: number;
  to: number;
  right: DenseBatch;
}

/**
 * Joins left rows [from, to) with the dense batch that holds them all: the partner of row i is dense row
 * left.minor[i] - right.first. Appends to `out`; returns the first row not done. It must do at least one row when
 * `out` is empty.
 */
export type JoinKernel = (left: Batch, from: number, to: number, right: DenseBatch, out: Rows) => number;

/** See the top of this file. `rows`: capacity of the output batches; `payload`: number of their u32 columns. */
export async function* join(
  left: Cursor,
  right: DenseSide,
  kernel: JoinKernel,
  { rows, payload, counters }: { rows: number; payload: number; counters: Counters },
): RowSource {
  const out = newRows(rows, payload);
  for await (const { left: batch, from, to, right: dense } of align(left, right)) {
    counters.rowsJoined += to - from;
    for (let at = from; at < to; ) {
      const before = out.length;
      const next = kernel(batch, at, to, dense, out);
      assert(next > at || out.length > 0, 'join: the output has room for the rows of one input row');
      counters.rowsMatched += out.length - before;
      at = next;
      if (at < to) {
        yield out;
        out.length = 0;
      }
    }
  }
  if (out.length > 0) yield out;
}

/** The alignment that join is made of, for consumers that do something else with it. The object is reused. */
export async function* align(left: Cursor, right: DenseSide): AsyncGenerator<Aligned> {
  let major = -1;
  let cursor: AsyncIterator<DenseBatch> | null = null;
  let dense: DenseBatch = { major: 0, first: 0, length: 0, columns: [] };
  try {
    for await (const batch of left) {
      if (batch.major !== major) {
        await cursor?.return?.();
        major = batch.major;
        cursor = right({ from: major, to: major + 1 })[Symbol.asyncIterator]();
        dense = { major, first: 0, length: 0, columns: [] };
      }
      for (let from = 0; from < batch.length; ) {
        const minor = batch.minor[from];
        while (minor >= dense.first + dense.length) {
          const next = await cursor!.next();
          assert(!next.done, `join: the dense side has no row (${major}, ${minor})`);
          dense = next.value;
        }
        assert(minor >= dense.first, `join: the dense side has no row (${major}, ${minor})`);
        const to = rowsBelow(batch, from, dense.first + dense.length);
        yield { left: batch, from, to, right: dense };
        from = to;
      }
    }
  } finally {
    await cursor?.return?.();
  }
}

/** The first row from `from` on whose minor is not below `bound`. */
function rowsBelow(batch: Batch, from: number, bound: number): number {
  const { minor } = batch;
  if (minor[batch.length - 1] < bound) return batch.length;
  return firstAtLeast(minor, bound, from, batch.length);
}
