/** Exports as an Arrow IPC file. */
import {
  type Data,
  Field,
  Int32,
  Int64,
  makeData,
  RecordBatch,
  RecordBatchFileWriter,
  Schema,
  Struct,
  Utf8,
} from 'apache-arrow';
import { Emitted } from '../../operators/runs/writer.js';
import type { Sink } from '../../operators/storage/store.js';
import type { ExportBatch } from '../../pipeline/export/rows.js';

const SCHEMA = new Schema([
  new Field('index', new Int64(), false),
  new Field('fen', new Utf8(), false),
  new Field('side', new Utf8(), false),
  new Field('wdl', new Utf8(), false),
  new Field('plies', new Int32(), true),
]);

export async function writeArrow(rows: AsyncIterable<ExportBatch>, sink: Sink): Promise<void> {
  const emitted = new Emitted();
  const writer = new RecordBatchFileWriter();
  writer.reset(emitted, SCHEMA);
  for await (const batch of rows) {
    writer.write(recordBatch(batch));
    await sink.write(emitted.take());
  }
  writer.close();
  await sink.write(emitted.take());
}

function recordBatch({ side, index, fen, wdl, plies }: ExportBatch): RecordBatch {
  const length = index.length;
  const numbers = new BigInt64Array(length);
  const distances = new Int32Array(length);
  const known = new Uint8Array(Math.ceil(length / 8));
  let unknown = 0;
  for (let i = 0; i < length; i++) {
    numbers[i] = BigInt(index[i]);
    const distance = plies[i];
    if (distance === null) unknown++;
    else {
      distances[i] = distance;
      known[i >> 3] |= 1 << (i & 7);
    }
  }
  const children: Data[] = [
    makeData({ type: new Int64(), length, nullCount: 0, data: numbers }),
    text(fen),
    text(index.map(() => side)),
    text(wdl),
    makeData({ type: new Int32(), length, nullCount: unknown, nullBitmap: known, data: distances }),
  ];
  return new RecordBatch(
    SCHEMA,
    makeData({ type: new Struct(SCHEMA.fields), length, nullCount: 0, children }),
  );
}

/** A column of ASCII texts. */
function text(values: readonly string[]): Data<Utf8> {
  const valueOffsets = new Int32Array(values.length + 1);
  for (let i = 0; i < values.length; i++) valueOffsets[i + 1] = valueOffsets[i] + values[i].length;
  const data = new TextEncoder().encode(values.join(''));
  return makeData({ type: new Utf8(), length: values.length, nullCount: 0, valueOffsets, data });
}
