/** Parquet by hyparquet-writer, which takes columns, and so writes several times as many rows a second as writers of records. */
import type { SchemaElement } from 'hyparquet';
import { ByteWriter, type ColumnSource, ParquetWriter } from 'hyparquet-writer';
import { StorageError } from '../../operators/core/errors.js';
import { type ColumnBatch, NO_PLIES } from '../../pipeline/export/columns.js';
import type { Wdl } from '../../pipeline/formats/value.js';
import type { SetColumn } from './format.js';
import { metadataValue } from './parquet-about.js';
import { ABOUT, type SetFormat } from './set-file.js';

const TEXT: Omit<SchemaElement, 'name'> = { type: 'BYTE_ARRAY', converted_type: 'UTF8' };
const TYPES: Readonly<Record<SetColumn, Omit<SchemaElement, 'name'>>> = {
  slice: TEXT,
  side: TEXT,
  index: { type: 'INT64' },
  fen: TEXT,
  wdl: TEXT,
  plies: { type: 'INT32', converted_type: 'INT_16', repetition_type: 'OPTIONAL' },
};

/** Positions ascend, and are dense: their differences are small. */
const ENCODINGS: Readonly<Record<SetColumn, NonNullable<ColumnSource['encoding']>>> = {
  slice: 'RLE_DICTIONARY',
  side: 'RLE_DICTIONARY',
  index: 'DELTA_BINARY_PACKED',
  fen: 'PLAIN',
  wdl: 'RLE_DICTIONARY',
  plies: 'RLE_DICTIONARY',
};

/** The length of the footer, and the magic behind it. */
const TAIL_BYTES = 8;
const MAGIC = 'PAR1';

export const parquetSet: SetFormat = {
  suffix: 'parquet',
  async write({ words, batches }, about, sink) {
    const writer = new ByteWriter();
    const fields = about.columns.map((name) => ({
      name,
      repetition_type: 'REQUIRED' as const,
      ...TYPES[name],
    }));
    const file = new ParquetWriter({
      writer,
      schema: [{ name: 'root', num_children: fields.length }, ...fields],
      kvMetadata: [{ key: ABOUT, value: JSON.stringify(about) }],
      createdBy: 'mergemate',
    });
    const flush = async (): Promise<void> => {
      await sink.write([writer.getBytes()]);
      writer.index = 0;
    };
    for await (const batch of batches) {
      const columnData = about.columns.map((name) => ({
        name,
        data: valuesOf(name, batch, about.slice, words),
        encoding: ENCODINGS[name],
        // The least and greatest FEN help nobody.
        statistics: name !== 'fen',
      }));
      await file.write({ columnData, rowGroupSize: batch.index.length });
      await flush();
    }
    await file.finish();
    await flush();
  },
  async readAbout(store, name, bytes) {
    try {
      if (bytes < TAIL_BYTES) return null;
      const tail = new Uint8Array(TAIL_BYTES);
      await store.read(name, bytes - TAIL_BYTES, tail);
      const length = new DataView(tail.buffer).getUint32(0, true);
      if (length > bytes - TAIL_BYTES || new TextDecoder().decode(tail.subarray(4)) !== MAGIC) return null;
      const footer = new Uint8Array(length);
      await store.read(name, bytes - TAIL_BYTES - length, footer);
      return metadataValue(footer, ABOUT);
    } catch (error) {
      if (error instanceof StorageError) throw error;
      return null;
    }
  },
};

function valuesOf(
  column: SetColumn,
  { side, index, fen, wdl, plies }: ColumnBatch,
  slice: string,
  words: readonly Wdl[],
): ColumnSource['data'] {
  if (column === 'slice') return Array<string>(index.length).fill(slice);
  if (column === 'side') return Array<string>(index.length).fill(side);
  if (column === 'index') return index;
  if (column === 'fen') return Array.from(wdl, (_, i) => fen!.bytes.subarray(fen!.ends[i], fen!.ends[i + 1]));
  if (column === 'wdl') return Array.from(wdl, (word) => words[word]);
  return Array.from(plies, (distance) => (distance === NO_PLIES ? null : distance));
}
