/**
 * Merges ordered cursors.
 *
 * Inputs: any number of cursors, each ascending by (major, minor), with the same payload columns, all u32.
 * Output: one cursor ascending by (major, minor); equal keys keep the order of the inputs; batches of at most
 * `batchRows` rows.
 *
 * Algorithm: every input has one batch in memory. The batches of the least major show a window each. Let `bound` be the
 * least last minor of the windows, `first` the first input that has it. Rows below the bound are complete, as are those at
 * the bound of inputs before `first`, and all of the window of `first`. Complete rows are put behind each other and
 * radix-sorted, in the cache. Each such step uses up at least one window. This replaces the comparison tree, which plays
 * log2 k unpredictable matches for each row. The cost of a row does not depend on the number of inputs. It is a third
 * of its cost in a loser tree of 8 (test/bench/loser-tree.ts). A major that only one input has is passed on as it is.
 *
 * Memory: the inputs' batches, twice the rows of a piece, at most 65,536 and at most those of the batches, and what radixSort
 * takes for them. I/O: reads each input once.
 * Degenerate cases: no inputs, empty inputs (no batches), one input (its own batches, cut to size).
 */

import type { Budget } from '../core/budget.js';
import { type Columns, newColumns } from '../core/columns.js';
import { assert } from '../core/errors.js';
import { firstAtLeast } from '../core/search.js';
import { newBatch, slice, views } from '../runs/rows.js';
import type { Batch, Column, Cursor } from '../runs/types.js';
import { radixSort } from './radix.js';

/** Rows that are sorted together, so that they are so in the cache. */
const PIECE_ROWS = 1 << 16;

/** One input: its current batch and how many rows of it are used up. */
interface Head {
  readonly batches: AsyncIterator<Batch>;
  batch: Batch | null;
  at: number;
}

/** See the top of this file. Ending the iteration early ends all inputs. */
export async function* merge(
  cursors: readonly Cursor[],
  { budget: { batchRows } }: { budget: Pick<Budget, 'batchRows'> },
): Cursor {
  const heads: Head[] = cursors.map((cursor) => ({
    batches: cursor[Symbol.asyncIterator](),
    batch: null,
    at: 0,
  }));
  try {
    await Promise.all(heads.map(advance));
    let live = heads.filter((head) => head.batch !== null);
    const sorter = newPieceSorter();
    while (live.length > 0) {
      const least = leastMajor(live);
      if (least.length === 1) {
        // No other input has this major (any more): the batch goes out as it is.
        const head = least[0];
        yield* cut(slice(head.batch!, head.at, head.batch!.length), batchRows);
        head.at = head.batch!.length;
      } else {
        yield* cut(sorter.take(least), batchRows);
      }
      let ended = false;
      for (const head of least) {
        if (head.at < head.batch!.length) continue;
        await advance(head);
        ended ||= head.batch === null;
      }
      if (ended) live = live.filter((head) => head.batch !== null);
    }
  } finally {
    await Promise.all(heads.map((head) => head.batches.return?.()));
  }
}

async function advance(head: Head): Promise<void> {
  const next = await head.batches.next();
  head.batch = next.done ? null : next.value;
  head.at = 0;
}

/** The heads that have the least major, in input order. */
function leastMajor(heads: Head[]): Head[] {
  let major = heads[0].batch!.major;
  for (const head of heads) major = Math.min(major, head.batch!.major);
  return heads.filter((head) => head.batch!.major === major);
}

function* cut(batch: Batch, rows: number): Generator<Batch> {
  if (batch.length <= rows) {
    yield batch;
    return;
  }
  for (let from = 0; from < batch.length; from += rows) {
    yield slice(batch, from, Math.min(batch.length, from + rows));
  }
}

/** Takes the rows that are complete from heads of one major, in order. Its buffers grow as needed. */
function newPieceSorter() {
  let capacity = 0;
  let rows: Columns = newColumns(0, 0);
  let spare: Columns = rows;
  const ends: number[] = [];

  function reserve(length: number, payload: number): void {
    if (length <= capacity) return;
    capacity = Math.max(length, 2 * capacity);
    rows = newColumns(capacity, payload);
    spare = newColumns(capacity, payload);
  }

  /** The batch is valid until the next call or the next batch of a head that took part alone. */
  function take(heads: readonly Head[]): Batch {
    // Windows of the batches that together are one piece.
    const most = Math.max(1, Math.floor(PIECE_ROWS / heads.length));
    let first = 0;
    let bound = Infinity;
    for (let h = 0; h < heads.length; h++) {
      const { batch, at } = heads[h];
      ends[h] = Math.min(batch!.length, at + most);
      const last = batch!.minor[ends[h] - 1];
      if (last < bound) {
        bound = last;
        first = h;
      }
    }
    let length = 0;
    let contributors = 0;
    for (let h = 0; h < heads.length; h++) {
      const { batch, at } = heads[h];
      if (h !== first) ends[h] = firstAtLeast(batch!.minor, h < first ? bound + 1 : bound, at, ends[h]);
      length += ends[h] - at;
      if (ends[h] > at) contributors++;
    }
    const { major, payload } = heads[0].batch!;
    if (contributors === 1) {
      const { batch, at } = heads[first];
      heads[first].at = ends[first];
      return slice(batch!, at, ends[first]);
    }
    reserve(length, payload.length);
    let to = 0;
    for (let h = 0; h < heads.length; h++) {
      const head = heads[h];
      assert(head.batch!.payload.every(isU32), 'merge: payload columns are u32');
      const end = ends[h];
      rows.minor.set(head.batch!.minor.subarray(head.at, end), to);
      for (let c = 0; c < payload.length; c++) {
        rows.payload[c].set(head.batch!.payload[c].subarray(head.at, end), to);
      }
      to += end - head.at;
      head.at = end;
    }
    const sorted = radixSort(rows, spare, 0, length);
    return newBatch(major, length, sorted.minor.subarray(0, length), views(sorted.payload, 0, length));
  }

  return { take };
}

function isU32(column: Column): boolean {
  return column instanceof Uint32Array;
}
