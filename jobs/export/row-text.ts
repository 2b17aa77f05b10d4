/** Rows as lines of text, written some thousand at a time. */
import type { Sink } from '../../operators/storage/store.js';
import type { ColumnValues, RowBatch } from './rows.js';

/** Rows that are one text: a string of all rows of a batch would be longer than need be. */
const ROWS = 1 << 13;

/** @param lineOf returns, for the columns of a batch, a function that writes row i with its newline. */
export async function writeText(
  batches: AsyncIterable<RowBatch>,
  sink: Pick<Sink, 'write'>,
  lineOf: (values: readonly ColumnValues[]) => (i: number) => string,
): Promise<void> {
  for await (const { rows, values } of batches) {
    const line = lineOf(values);
    for (let from = 0; from < rows; from += ROWS) {
      const to = Math.min(from + ROWS, rows);
      let text = '';
      for (let i = from; i < to; i++) text += line(i);
      await sink.write([Buffer.from(text)]);
    }
  }
}
