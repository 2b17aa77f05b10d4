/** Solves slices again whose tables were damaged. */
import type { TableManifest } from '../pipeline/formats/manifest.js';
import type { SliceInStore } from '../pipeline/scrub/consequences.js';
import { Defaults } from './bounds.js';
import { claimed, undoneSlices } from './claimed.js';
import { coordinate } from './engines/coordinator.js';
import { sayWhenInterrupted } from './exit.js';
import { referenceOf } from './registry.js';
import { prepareRun } from './watched-run.js';

export interface RepairOptions {
  readonly uri: string;
  readonly memory: number;
  readonly workers: number;
  readonly scratch?: string;
}

/** Solves and verifies a slice whose objects were deleted; returns the digests of its table. */
export async function solveAgain(
  { uri, memory, workers, scratch }: RepairOptions,
  { game, metric, slice }: SliceInStore,
): Promise<TableManifest['digests']> {
  sayWhenInterrupted('damaged tables were deleted: solve their endings again');
  const claimedScratch = prepareRun(uri, scratch);
  try {
    const undone = undoneSlices(uri, game.name, metric, [slice], true);
    const summaries = await claimed(uri, { game: game.name, undone }, () =>
      coordinate(
        {
          ...{ kind: 'solve', game: referenceOf(game), store: uri, scratchFolder: claimedScratch.folder },
          ...{ slices: [slice], metric, strategy: 'count', verify: true, workers },
          budget: { memory, fanIn: Defaults.fanIn, batchRows: Defaults.batch },
        },
        () => {},
      ),
    );
    return summaries.at(-1)!.table.digests;
  } finally {
    claimedScratch.release();
  }
}
