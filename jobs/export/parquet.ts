/** Exports as Parquet. */
import parquet from 'parquetjs-lite';
import type { Sink } from '../../operators/storage/store.js';
import type { ExportBatch } from '../../pipeline/export/rows.js';

/** Rows that are held in memory, and that readers get at once. */
const GROUP_ROWS = 1 << 15;

export async function writeParquet(rows: AsyncIterable<ExportBatch>, sink: Sink): Promise<void> {
  const schema = new parquet.ParquetSchema({
    index: { type: 'INT64' },
    fen: { type: 'UTF8' },
    side: { type: 'UTF8' },
    wdl: { type: 'UTF8' },
    plies: { type: 'INT32', optional: true },
  });
  const target: parquet.ParquetTarget = {
    write: (bytes, done) => void sink.write([bytes]).then(() => done(), done),
    end: (done) => done(),
  };
  const writer = await parquet.ParquetWriter.openStream(schema, target, { rowGroupSize: GROUP_ROWS });
  for await (const { side, index, fen, wdl, plies } of rows) {
    for (let i = 0; i < index.length; i++) {
      const row = { index: index[i], fen: fen[i], side, wdl: wdl[i] };
      await writer.appendRow(plies[i] === null ? row : { ...row, plies: plies[i] });
    }
  }
  await writer.close();
}
