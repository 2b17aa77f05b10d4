/** Parquet by hyparquet-writer: it takes columns, and so writes several times as many rows a second as what takes records. */
import { parquetMetadataAsync, type SchemaElement } from 'hyparquet';
import { ByteWriter, type ColumnSource, ParquetWriter } from 'hyparquet-writer';
import { StorageError } from '../../operators/core/errors.js';
import type { Store } from '../../operators/storage/store.js';
import { type ColumnBatch, NO_PLIES } from '../../pipeline/export/columns.js';
import type { Wdl } from '../../pipeline/value.js';
import type { SetColumn } from './format.js';
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
      const { key_value_metadata: pairs } = await parquetMetadataAsync(bufferOf(store, name, bytes));
      return pairs?.find(({ key }) => key === ABOUT)?.value ?? null;
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

function bufferOf(store: Store, name: string, byteLength: number) {
  return {
    byteLength,
    async slice(from: number, to = byteLength): Promise<ArrayBuffer> {
      const bytes = new Uint8Array(to - from);
      await store.read(name, from, bytes);
      return bytes.buffer;
    },
  };
}
