/**
 * Found positions as Parquet, by parquetjs-lite: it takes a record at a time and lists as they are, which suits positions that a
 * scan finds here and there. Exports of all rows go by columns (jobs/export/parquet.ts), which is many times as fast.
 */
import parquet, { type ParquetField } from 'parquetjs-lite';
import type { Sink } from '../../operators/storage/store.js';
import { ABOUT, type RowColumn } from '../export/rows.js';
import type { PositionRecord, RecordColumn } from './records.js';

/** Rows that the writer keeps until they are a group of the file. */
const GROUP_ROWS = 1 << 12;

/** The same types as in exports of all rows. */
const TYPES: Readonly<Record<RowColumn['type'], ParquetField['type']>> = {
  word: 'UTF8',
  text: 'UTF8',
  int16: 'INT_16',
  int32: 'INT32',
  int64: 'INT64',
};

/** @param about what the metadata of the file say. */
export async function writeParquetRecords(
  columns: readonly RecordColumn[],
  records: AsyncIterable<PositionRecord>,
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
    { rowGroupSize: GROUP_ROWS },
  );
  writer.setMetadata(ABOUT, about);
  for await (const record of records) {
    const row: Record<string, unknown> = {};
    for (const { name } of columns) {
      const cell = record[name];
      if (cell !== null) row[name] = cell;
    }
    await writer.appendRow(row);
  }
  await writer.close();
}

function fieldOf(column: RecordColumn): ParquetField {
  const compression = 'SNAPPY';
  if (column.type === 'texts') return { type: 'UTF8', repeated: true, compression };
  return { type: TYPES[column.type], optional: column.isOptional, compression };
}
