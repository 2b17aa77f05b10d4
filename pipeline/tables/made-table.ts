/** Makes the table of a slice from values that are known by other means than solving: those of published files, or of Syzygy files. */
import { newCounters } from '../../operators/core/counters.js';
import type { Store } from '../../operators/storage/store.js';
import type { Game, Side, Slice } from '../game/game.js';
import { commitManifest, TableManifest } from '../game/manifest.js';
import type { ProgressListener } from '../game/progress.js';
import type { Metric } from '../game/value.js';
import { countCodes, countsOf, newTableCounts } from './counted.js';
import { manifestHead } from './manifest-head.js';
import { slicePrefix, tableManifestName } from './table-names.js';
import { digestOfParts, writeSides } from './writer.js';

export interface MadeTable {
  readonly game: Game;
  readonly slice: Slice;
  readonly metric: Metric;
  readonly store: Store;
  /** Ends the names of runs, as in SliceOptions. */
  readonly attempt: string;
  readonly batchRows: number;
  readonly progress: ProgressListener;
  /** Of the work, for people. */
  readonly phase: string;
  readonly source?: TableManifest['source'];
  /** Codes of a side in the order of the index, all positions of all parts; arrays are valid until the next are asked for. */
  readonly codes: (side: Side) => AsyncIterable<{
    readonly part: number;
    readonly key: number;
    readonly codes: Int8Array;
  }>;
}

/** Throws what `codes` throws, and StorageError. */
export async function makeTable(made: MadeTable): Promise<void> {
  const { game, slice, metric, store, attempt, batchRows, progress, phase, source } = made;
  const { name } = slice;
  progress({ type: 'phase', slice: name, phase, total: 2 * slice.size });
  const counts = [newTableCounts(), newTableCounts()] as const;
  const prefix = slicePrefix(game.name, metric, name);
  const env = { slice, metric, store, prefix, attempt, batchRows, counters: newCounters() };
  const { values, partDigests } = await writeSides(env, 'i8', async (writer, side) => {
    for await (const { part, key, codes } of made.codes(side)) {
      countCodes(counts[side], slice, part, key, codes);
      await writer.append(part, codes);
      progress({ type: 'work', slice: name, done: codes.length });
    }
  });
  await commitManifest(
    store,
    tableManifestName(game.name, metric, name),
    {
      ...manifestHead(game.name, slice, metric),
      valueType: 'i8',
      values,
      digests: partDigests.map(digestOfParts) as [string, string],
      ...countsOf(counts, metric),
      ...(source !== undefined && { source }),
      rounds: 0,
      requests: 0,
      counters: {},
    },
    TableManifest,
  );
}
