/**
 * Turns each row of an ordered input into any number of unordered rows.
 *
 * Input: a cursor. Output: unordered rows, batches as full as the kernel makes them. Algorithm: one scan; the kernel
 * appends to the output until it might not have room for the rows of the next input row. Memory: the output batch.
 * I/O: reads the input once. Degenerate cases: no input, inputs without output (no batches).
 */
import type { Arrays } from './core/arrays.js';
import { assert } from './core/errors.js';
import { borrowRows } from './runs/rows.js';
import type { Batch, Cursor, RowSource, Rows } from './runs/types.js';

/**
 * Appends to `out` (from out.length on, which it moves) the rows of batch rows [from, batch.length); returns the first
 * row not done. It must do at least one row when `out` is empty.
 */
export type ExpandKernel = (batch: Batch, from: number, out: Rows) => number;

/** See the top of this file. `rows`: capacity of the output batches; `payload`: number of their u32 columns, which `arrays` lends. */
export async function* expand(
  source: Cursor,
  kernel: ExpandKernel,
  { rows, payload, arrays }: { rows: number; payload: number; arrays?: Arrays },
): RowSource {
  const { rows: out, giveBack } = borrowRows(rows, payload, arrays);
  try {
    for await (const batch of source) {
      for (let from = 0; from < batch.length; ) {
        const next = kernel(batch, from, out);
        assert(next > from || out.length > 0, 'expand: the output has room for the rows of one input row');
        from = next;
        if (from < batch.length) {
          yield out;
          out.length = 0;
        }
      }
    }
    if (out.length > 0) yield out;
  } finally {
    giveBack();
  }
}
