/** Few rows as Parquet, by parquetjs-lite, which takes one at a time, and lists as they are. */
import parquet, { type ParquetField } from 'parquetjs-lite';
import type { Sink } from '../../operators/storage/store.js';
import { ABOUT, type Cell, type RowBatch, type RowColumn, recordsOf } from './rows.js';

const TYPES: Readonly<Record<Exclude<RowColumn['type'], 'texts'>, NonNullable<ParquetField['type']>>> = {
  word: 'UTF8',
  text: 'UTF8',
  int16: 'INT_16',
  int32: 'INT32',
  int64: 'INT64',
};

/** @param about what the metadata of the file say. @param batch all rows; null: there are none. */
export async function writeFewRows(
  columns: readonly RowColumn[],
  batch: RowBatch | null,
  about: string,
  sink: Pick<Sink, 'write'>,
): Promise<void> {
  const schema = new parquet.ParquetSchema(
    Object.fromEntries(columns.map((column) => [column.name, fieldOf(column)])),
  );
  const writer = await parquet.ParquetWriter.openStream(
    schema,
    {
      write: (bytes, done) => void sink.write([bytes]).then(() => done(), done),
      end: (done) => done(),
    },
    { rowGroupSize: batch?.rows ?? 1 },
  );
  writer.setMetadata(ABOUT, about);
  for (const record of batch === null ? [] : recordsOf(columns, batch)) {
    const row = Object.entries(record).filter(([, cell]) => cell !== null);
    await writer.appendRow(Object.fromEntries(row.map(([name, cell]) => [name, asValue(cell)])));
  }
  await writer.close();
}

function fieldOf(column: RowColumn): ParquetField {
  const compression = 'SNAPPY';
  if (column.type !== 'texts') return { type: TYPES[column.type], optional: column.isOptional, compression };
  return {
    type: 'LIST',
    fields: { list: { repeated: true, fields: { element: { type: 'UTF8', compression } } } },
  };
}

function asValue(cell: Cell): unknown {
  return cell !== null && typeof cell === 'object' ? { list: cell.map((element) => ({ element })) } : cell;
}
