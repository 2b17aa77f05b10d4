/** Solving, verifying and publishing slices of games, in the coordinating thread. */

import type { Scratch } from '../../operators/storage/scratch.js';
import type { Store } from '../../operators/storage/store.js';
import { type Engine, inlineEngine } from '../../pipeline/engine/crew/engine.js';
import { type SliceSummary, solve } from '../../pipeline/engine/crew/solve.js';
import { verifySlices } from '../../pipeline/engine/crew/verify-slice.js';
import type { Game } from '../../pipeline/game/game.js';
import type { ProgressListener } from '../../pipeline/game/progress.js';
import type { DerivedPart } from '../../pipeline/game/step-manifests.js';
import { unpack } from '../../pipeline/share/publish/unpack.js';
import { findGame } from '../registry.js';
import { openStore } from '../stores.js';
import { newAttempt } from './attempt.js';
import { localEngine } from './local.js';
import { processMeter as meter } from './meter.js';
import { planUnpacking } from './plan-unpacking.js';
import type { GraphRankTask, GraphTask, GraphVerifyTask, RulesTask, Task, TaskResults } from './protocol.js';
import { runPublication } from './publication.js';
import { runRank } from './run-rank.js';
import { scratchIn } from './scratch-store.js';

export async function runGameTask(
  task: Exclude<Task, GraphTask | GraphRankTask | GraphVerifyTask | RulesTask>,
  listen: ProgressListener,
): Promise<TaskResults[keyof TaskResults]> {
  const game = await findGame(task.game);
  const store = openStore(task.store);
  if (task.kind === 'publish') return runPublication(task, game, { store, to: openStore(task.to) }, listen);
  if (task.kind === 'rank') {
    const { slices, strategy } = task;
    return runRank(task, { game, slices, strategy }, listen);
  }
  const scratch = scratchIn(task.scratchFolder, 'worker');
  return runCrew(task, game, store, scratch, listen);
}

async function runCrew(
  task: Extract<Task, { kind: 'solve' | 'verify' }>,
  game: Game,
  store: Store,
  scratch: Scratch,
  listen: ProgressListener,
): Promise<SliceSummary[] | DerivedPart> {
  const attempt = newAttempt();
  const place = { game: task.game, store: task.store, scratchFolder: task.scratchFolder };
  const engine: Engine =
    task.workers > 1
      ? localEngine(place, { workers: task.workers, attempt, own: { game, store, scratch } })
      : inlineEngine(game, store, scratch, { attempt });
  const options = { ...task, game, store, engine, meter, progress: listen };
  try {
    if (task.kind === 'verify') return await verifySlices(options);
    if (task.fromPublished === undefined) return await solve(options);
    const { standing, published, publication } = await planUnpacking(game, task.slices, task.fromPublished);
    const { memory, batchRows } = task.budget;
    await unpack({ game, publication, store, memory, batchRows, attempt, progress: listen }, published);
    return await solve({ ...options, standing });
  } finally {
    await engine.close();
  }
}
