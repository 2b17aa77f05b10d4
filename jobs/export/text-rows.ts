/** Exports as lines of text: CSV (RFC 4180) under a line with the names of the columns, and JSON Lines with an object for each row. */

import { csvFormatValue } from 'd3-dsv';
import type { Sink } from '../../operators/storage/store.js';
import type { Metric } from '../../pipeline/game/value.js';
import { chessText, type ListedPosition } from '../positions/lines.js';
import type { ChessFormat } from '../positions/names.js';
import { csvLine } from '../ui/csv.js';
import {
  type ColumnValues,
  cellsOf,
  type RowBatch,
  type RowColumn,
  type RowFormat,
  recordsOf,
} from './rows.js';

export const csv: RowFormat = {
  suffix: 'csv',
  async write({ columns, batches }, sink) {
    await sink.write([Buffer.from(csvLine(columns.map(({ name }) => name)))]);
    await writeLines(batches, sink, (values) => {
      const cells = columns.map((column, i) => {
        const cell = cellsOf(column, values[i]);
        if (column.type === 'texts')
          return (row: number) => csvFormatValue((cell(row) as readonly string[]).join(' '));
        return column.type === 'text' || column.type === 'word'
          ? (row: number) => csvFormatValue((cell(row) ?? '') as string)
          : (row: number) => String(cell(row) ?? '');
      });
      return (row) => `${cells.map((cell) => cell(row)).join(',')}\n`;
    });
  },
};

export const jsonLines: RowFormat = {
  suffix: 'jsonl',
  write: ({ columns, batches }, sink) =>
    writeLines(batches, sink, (values) => {
      const fields = columns.map((column, i) => fieldOf(column, values[i]));
      return (row) => `{${fields.map((field) => field(row)).join(',')}}\n`;
    }),
};

/** Writes a column of row i, with its name. */
function fieldOf(column: RowColumn, values: ColumnValues): (i: number) => string {
  const name = JSON.stringify(column.name);
  if (column.type === 'word') {
    const words = [...column.words, null].map((word) => `${name}:${JSON.stringify(word)}`);
    const places = values as Int8Array;
    return (i) => words[places[i] < 0 ? words.length - 1 : places[i]];
  }
  const cell = cellsOf(column, values);
  return column.type === 'text' || column.type === 'texts'
    ? (i) => `${name}:${JSON.stringify(cell(i))}`
    : (i) => `${name}:${cell(i)}`;
}

/** Positions for chess programs, from rows with the columns of `chessColumns`. @param assumedBy what the values of an ending take for granted. */
export function chessLines(
  format: ChessFormat,
  metric: Metric,
  assumedBy: (ending: string) => string | undefined,
): RowFormat {
  return {
    suffix: format,
    async write({ columns, batches }, sink) {
      const endings = new Map<string, { place: number; readonly assumes: string | undefined }>();
      for await (const batch of batches) {
        let text = '';
        for (const record of recordsOf(columns, batch)) {
          const row = record as unknown as Omit<ListedPosition, 'place'>;
          let known = endings.get(row.ending);
          if (known === undefined)
            endings.set(row.ending, (known = { place: 0, assumes: assumedBy(row.ending) }));
          known.place++;
          text += chessText(format, { ...row, ...known }, metric);
          if (text.length < CHARACTERS) continue;
          await sink.write([Buffer.from(text)]);
          text = '';
        }
        await sink.write([Buffer.from(text)]);
      }
    },
  };
}

/** Characters that are written in one go. */
const CHARACTERS = 1 << 18;

/** Rows that are one text: a string of all rows of a batch would be longer than need be. */
const ROWS = 1 << 13;

/** @param lineOf returns, for the columns of a batch, a function that writes row i with its newline. */
async function writeLines(
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
