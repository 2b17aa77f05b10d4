/** Solving with a recorder, in this process, and the monitor's view of it. */

import { type Progress, RunSnapshot, SliceDetail } from '../../jobs/progress/model.js';
import { newRecorder, type Recorder } from '../../jobs/progress/recorder.js';
import { placelessLook, snapshotOf } from '../../jobs/server/monitor/routes.js';
import type { Store } from '../../operators/storage/store.js';
import type { Game } from '../../pipeline/game/game.js';
import type { Metric } from '../../pipeline/game/value.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import { MiB, type Solving, solveChess } from './solving.js';

export const GAMES: ReadonlyMap<string, Game> = new Map([[chess.name, chess as Game]]);

export function recorderOf(
  store: Store,
  wanted: readonly string[],
  { metric = 'dtm', intervalMs = 1000, solves = true, kind = 'solve' as 'solve' | 'task' } = {},
): Recorder {
  return newRecorder({
    store,
    game: chess as Game,
    metric: metric as Metric,
    intervalMs,
    solves,
    kind,
    engine: solves ? 'local' : 'processes',
    memory: 64 * MiB,
    workers: 1,
    verify: true,
    endings: wanted.map((ending) => chess.ending(ending)),
  });
}

/** Solves and records as `mergemate solve` does. */
export async function solveRecorded(
  store: Store,
  wanted: readonly string[],
  solving: Solving = {},
): Promise<void> {
  const recorder = recorderOf(store, wanted);
  await solveChess(wanted, { verify: true, ...solving, store, progress: recorder.listen });
  await recorder.close('done');
}

export interface SeenStatus {
  readonly snapshot: RunSnapshot;
  /** Tables of chess under `dtm`. */
  slice(name: string): SliceDetail;
}

/** One look at a store, checked against the shapes. */
export async function look(store: Store, now = Date.now()): Promise<SeenStatus> {
  return seen(await placelessLook({ store, games: GAMES })(now));
}

export function seen(progress: Progress): SeenStatus {
  return {
    snapshot: RunSnapshot.parse(snapshotOf(progress)),
    slice: (name) => SliceDetail.strict().parse(progress.slices.find(({ slice }) => slice === name)),
  };
}
