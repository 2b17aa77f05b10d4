/** The rows of a table in a file: the one way to write them, whether the file is alone or of a set. */
import { assert } from '../../operators/core/errors.js';
import { orAbort } from '../../operators/core/or-abort.js';
import type { Sink } from '../../operators/storage/store.js';
import type { Game } from '../../pipeline/contract/game.js';
import { exportColumns } from '../../pipeline/export/columns.js';
import type { Metric } from '../../pipeline/formats/value.js';
import type { ProgressListener } from '../../pipeline/solve/progress.js';
import type { Table } from '../../pipeline/table/table.js';
import type { SetColumn } from './format.js';
import { type About, type FileFormat, GROUP_ROWS } from './set-file.js';

export interface RowsOptions {
  readonly game: Game;
  readonly metric: Metric;
  readonly table: Table;
  /** Side 0 of the slice has the colour of side 1. */
  readonly flipped: boolean;
  readonly about: About;
  readonly format: FileFormat;
  readonly sink: Sink;
  readonly progress: ProgressListener;
  /** Called between batches, to let others have their turn. */
  readonly breathe: () => Promise<void>;
}

/** @param shown the slice in the colours of the boards. */
export function aboutOf(
  { game, metric, columns }: { game: Game; metric: Metric; columns: readonly SetColumn[] },
  shown: string,
  { manifest }: Table,
): About {
  return {
    game: game.name,
    metric,
    slice: shown,
    columns: [...columns],
    digests: manifest.digests,
    rows: manifest.positions[0] + manifest.positions[1],
  };
}

/** Writes a file and closes its sink; gives the sink up if that fails. */
export async function writeFile(options: RowsOptions): Promise<void> {
  await orAbort(options.sink, async () => {
    await writeRows(options);
    await options.sink.close();
  });
}

async function writeRows(options: RowsOptions): Promise<void> {
  const { game, metric, table, flipped, about, format, sink, progress, breathe } = options;
  const { slice } = about;
  progress({ type: 'phase', slice, phase: 'export', total: about.rows });
  const fen = about.columns.includes('fen');
  const { words, batches } = exportColumns({ game, table, metric, flipped, fen, rows: GROUP_ROWS });
  let rows = 0;
  async function* counted() {
    for await (const batch of batches) {
      yield batch;
      rows += batch.index.length;
      progress({ type: 'work', slice, done: batch.index.length });
      await breathe();
    }
  }
  await format.write({ words, batches: counted() }, about, sink);
  assert(rows === about.rows, `${slice} has ${about.rows} rows, ${rows} were written`);
}
