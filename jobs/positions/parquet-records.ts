/**
 * Found positions as Parquet, by parquetjs-lite: it takes a record at a time and lists as they are, which suits positions that a
 * scan finds here and there. Exports of all rows go by columns (jobs/export/parquet.ts), which is many times as fast.
 */
import parquet from 'parquetjs-lite';
import type { Sink } from '../../operators/storage/store.js';
import type { PositionRecord, RecordField } from './records.js';

/** Rows that the writer keeps until they are a group of the file. */
const GROUP_ROWS = 1 << 12;

export async function writeParquetRecords(
  fields: readonly RecordField[],
  records: AsyncIterable<PositionRecord>,
  sink: Pick<Sink, 'write'>,
): Promise<void> {
  const compression = 'SNAPPY';
  const schema = new parquet.ParquetSchema(
    Object.fromEntries(
      fields.map(({ name, type }) => [
        name,
        type === 'texts'
          ? { type: 'UTF8', repeated: true, compression }
          : { type: type === 'integer' ? 'INT32' : 'UTF8', optional: true, compression },
      ]),
    ),
  );
  const writer = await parquet.ParquetWriter.openStream(
    schema,
    {
      write: (bytes, done) => void sink.write([bytes]).then(() => done(), done),
      end: (done) => done(),
    },
    { rowGroupSize: GROUP_ROWS },
  );
  for await (const record of records) {
    const row: Record<string, unknown> = {};
    for (const { name, type } of fields) {
      const cell = record[name];
      if (cell !== null) row[name] = type === 'text' ? String(cell) : cell;
    }
    await writer.appendRow(row);
  }
  await writer.close();
}
