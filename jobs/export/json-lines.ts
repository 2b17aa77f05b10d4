/** Exports as JSON Lines: an object for each row. Such a file says nothing of itself, so sets have none. */
import { type ColumnBatch, NO_PLIES } from '../../pipeline/export/columns.js';
import type { Wdl } from '../../pipeline/formats/value.js';
import type { SetColumn } from './format.js';
import type { FileFormat } from './set-file.js';

/** Rows that are text at once: a string of all rows of a batch would be longer than need be. */
const ROWS = 1 << 13;

export const jsonLines: FileFormat = {
  async write({ words, batches }, { columns, slice }, sink) {
    for await (const batch of batches) {
      const fields = columns.map((name) => fieldOf(name, batch, slice, words));
      for (let from = 0; from < batch.index.length; from += ROWS) {
        const to = Math.min(from + ROWS, batch.index.length);
        let text = '';
        for (let i = from; i < to; i++) text += `{${fields.map((field) => field(i)).join(',')}}\n`;
        await sink.write([Buffer.from(text)]);
      }
    }
  },
};

/** Writes a column of row i, with its name. */
function fieldOf(
  column: SetColumn,
  { side, index, fen, wdl, plies }: ColumnBatch,
  slice: string,
  words: readonly Wdl[],
): (i: number) => string {
  const named = (value: (i: number) => unknown) => (i: number) => `"${column}":${value(i)}`;
  if (column === 'slice') return named(() => JSON.stringify(slice));
  if (column === 'side') return named(() => `"${side}"`);
  if (column === 'index') return named((i) => index[i]);
  if (column === 'wdl') return named((i) => `"${words[wdl[i]]}"`);
  if (column === 'plies') return named((i) => (plies[i] === NO_PLIES ? null : plies[i]));
  const texts = Buffer.from(fen!.bytes).toString('latin1');
  return named((i) => JSON.stringify(texts.slice(fen!.ends[i], fen!.ends[i + 1])));
}
