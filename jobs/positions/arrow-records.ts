/** Found positions as an Arrow file, some thousand records at a time; lists of moves are lists. */
import { type DataType, Field, Int32, List, Schema, Utf8, vectorFromArray } from 'apache-arrow';
import type { Sink } from '../../operators/storage/store.js';
import { ArrowFile } from '../export/arrow.js';
import type { PositionRecord, RecordField } from './records.js';

/** Records of a batch. */
const BATCH_ROWS = 1 << 13;

export async function writeArrowRecords(
  fields: readonly RecordField[],
  records: AsyncIterable<PositionRecord>,
  sink: Pick<Sink, 'write'>,
): Promise<void> {
  const types = fields.map(({ type }): DataType => {
    if (type === 'texts') return new List(new Field('item', new Utf8(), false));
    return type === 'integer' ? new Int32() : new Utf8();
  });
  const schema = new Schema(fields.map(({ name, type }, i) => new Field(name, types[i], type !== 'texts')));
  const file = new ArrowFile(schema, sink);
  let batch: PositionRecord[] = [];
  const flush = async () => {
    const columns = fields.map(({ name, type }, i) => {
      const cells = batch.map((record) => {
        const cell = record[name];
        return type === 'text' && cell !== null ? String(cell) : cell;
      });
      return vectorFromArray(cells, types[i]).data[0];
    });
    await file.add(batch.length, columns);
    batch = [];
  };
  for await (const record of records) {
    if (batch.push(record) === BATCH_ROWS) await flush();
  }
  if (batch.length > 0) await flush();
  await file.end();
}
