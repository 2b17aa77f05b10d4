/** Exports as CSV (RFC 4180): a line with the names of the columns, then a line for each row. */
import { csvField } from '../report/csv.js';
import type { RowFormat } from './row-file.js';
import { writeText } from './row-text.js';
import { cellsOf } from './rows.js';

export const csv: RowFormat = {
  suffix: 'csv',
  async write({ columns, batches }, sink) {
    const head = columns.map(({ name }) => csvField(name)).join(',');
    await sink.write([Buffer.from(`${head}\n`)]);
    await writeText(batches, sink, (values) => {
      const cells = columns.map((column, i) => {
        const cell = cellsOf(column, values[i]);
        return column.type === 'text' || column.type === 'word'
          ? (row: number) => csvField(cell(row) as string | null)
          : (row: number) => String(cell(row) ?? '');
      });
      return (row) => `${cells.map((cell) => cell(row)).join(',')}\n`;
    });
  },
};
