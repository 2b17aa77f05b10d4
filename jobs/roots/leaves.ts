/** Makes the tables of a root's positions that are looked up in Syzygy files, before those that convert to them are solved. */
import { UserError } from '../../operators/core/errors.js';
import type { Store } from '../../operators/storage/store.js';
import type { Game } from '../../pipeline/game/game.js';
import { lookedUpBehind, planSlices } from '../../pipeline/game/plan.js';
import type { ProgressListener } from '../../pipeline/game/progress.js';
import type { Metric } from '../../pipeline/game/value.js';
import { makeLeaves, missingLeaves } from '../../pipeline/share/publish/leaves.js';
import { newAttempt } from '../engines/attempt.js';
import { leafFiles } from './asked-root.js';

interface LookedUp {
  readonly game: Game;
  readonly slices: readonly string[];
  readonly metric: Metric;
  readonly store: Store;
  readonly memory: number;
  readonly batch: number;
  /** The places of the files. */
  readonly syzygy: string | readonly string[] | undefined;
  /** Ranks begin with slices of their own. */
  readonly self?: { readonly rank: number; readonly ranks: number };
}

/**
 * Makes those that are missing.
 * @throws UserError if some are and no files are given, or if tables that are there were made of other files.
 */
export async function lookUpLeaves(asked: LookedUp, progress: ProgressListener): Promise<void> {
  const { game, slices, metric, store, memory, batch: batchRows, syzygy, self } = asked;
  const leaves = lookedUpBehind(game, planSlices(game, slices));
  if (leaves.length === 0) return;
  const files = syzygy === undefined ? null : leafFiles(syzygy, metric);
  const missing = await missingLeaves({ metric, store, files }, leaves, (slice, file) => {
    throw new UserError(
      `${slice} was looked up in another ${file} than that of --syzygy: solve with the former files, or run "solve" with --again to begin again`,
    );
  });
  if (missing.length === 0) return;
  if (files === null)
    throw new UserError(
      `${missing[0]}: these positions are looked up in Syzygy files, which --syzygy must name`,
    );
  const first = self === undefined ? 0 : Math.floor((missing.length * self.rank) / self.ranks);
  const inOrder = [...missing.slice(first), ...missing.slice(0, first)];
  await makeLeaves({ metric, store, files, memory, batchRows, attempt: newAttempt(), progress }, inOrder);
}
