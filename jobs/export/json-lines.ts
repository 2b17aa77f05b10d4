/** Exports as JSON Lines: an object for each row. */
import type { Sink } from '../../operators/storage/store.js';
import type { ExportBatch } from '../../pipeline/export/rows.js';

export function jsonLines({ side, index, fen, wdl, plies }: ExportBatch): string {
  let text = '';
  for (let i = 0; i < index.length; i++) {
    text += `{"index":${index[i]},"fen":"${fen[i]}","side":"${side}","wdl":"${wdl[i]}","plies":${plies[i]}}\n`;
  }
  return text;
}

export async function writeJsonLines(rows: AsyncIterable<ExportBatch>, sink: Sink): Promise<void> {
  for await (const batch of rows) await sink.write([Buffer.from(jsonLines(batch))]);
}
