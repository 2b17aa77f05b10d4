/**
 * Keeps the first row of every key.
 *
 * Input: a cursor ascending by (major, minor). Output: the same keys, strictly ascending, with the first row's payload;
 * a batch without repetitions is passed on as it is. Algorithm: one scan. Memory: one batch. I/O: reads the input once.
 * Degenerate cases: no rows; keys that repeat across batches.
 */
import type { Cursor } from './runs/types.js';
import { RowSelection } from './selection.js';

export async function* dedupe(input: Cursor): Cursor {
  const selection = new RowSelection();
  let major = -1;
  let last = -1;
  for await (const batch of input) {
    if (batch.major !== major) last = -1;
    const count = selectFirsts(batch.minor, batch.length, last, selection.rows(batch.length));
    major = batch.major;
    last = batch.minor[batch.length - 1];
    if (count > 0) yield selection.apply(batch, count);
  }
}

/** Numbers of the rows whose minor differs from the one before; `before` comes before the first. */
function selectFirsts(minor: Uint32Array, length: number, before: number, numbers: Uint32Array): number {
  let count = 0;
  if (minor[0] !== before) numbers[count++] = 0;
  for (let i = 1; i < length; i++) {
    numbers[count] = i;
    count += minor[i] !== minor[i - 1] ? 1 : 0;
  }
  return count;
}
