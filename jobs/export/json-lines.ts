/** Exports as JSON Lines: an object for each row. */
import { TextKind, type Texts } from '../../pipeline/analysis/texts.js';
import type { RowFormat } from './row-file.js';
import { writeText } from './row-text.js';
import { type ColumnValues, cellsOf, type RowColumn } from './rows.js';

export const jsonLines: RowFormat = {
  suffix: 'jsonl',
  write: ({ columns, batches }, sink) =>
    writeText(batches, sink, (values) => {
      const fields = columns.map((column, i) => fieldOf(column, values[i]));
      return (row) => `{${fields.map((field) => field(row)).join(',')}}\n`;
    }),
};

/** Writes a column of row i, with its name. */
function fieldOf(column: RowColumn, values: ColumnValues): (i: number) => string {
  const name = JSON.stringify(column.name);
  const cell = cellsOf(column, values);
  if (column.type === 'word') {
    const words = [...column.words, null].map((word) => `${name}:${JSON.stringify(word)}`);
    const places = values as Int8Array;
    return (i) => words[places[i] < 0 ? words.length - 1 : places[i]];
  }
  if (column.type !== 'text') return (i) => `${name}:${cell(i)}`;
  const { kinds } = values as Texts;
  // Digits stay as they are: they may be those of an integer that no number of JavaScript holds.
  return (i) => `${name}:${kinds?.[i] === TextKind.integer ? cell(i) : JSON.stringify(cell(i))}`;
}
