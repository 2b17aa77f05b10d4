/** Solving, verifying and publishing slices of games, and steps of batch engines, in the thread that leads a run. */
import { localStore } from '../../operators/storage/local.js';
import type { Scratch } from '../../operators/storage/scratch.js';
import { newScratch } from '../../operators/storage/scratch.js';
import type { Store } from '../../operators/storage/store.js';
import type { Game } from '../../pipeline/game.js';
import type { Verified } from '../../pipeline/phases/verify.js';
import type { ProgressListener } from '../../pipeline/progress.js';
import { type SliceSummary, solve } from '../../pipeline/solve.js';
import { type Engine, inlineEngine } from '../../pipeline/solvers/external/engine.js';
import { noteAttempt } from '../../pipeline/steps/attempts.js';
import { runTask, type TaskOutcome } from '../../pipeline/steps/run-task.js';
import { verifySlices } from '../../pipeline/verify-slice.js';
import { freeUnused } from '../heap.js';
import { findGame } from '../registry.js';
import { openStore } from '../stores.js';
import { newAttempt } from './attempt.js';
import { localEngine } from './local.js';
import { processMeter as meter } from './meter.js';
import type { GraphTask, GraphVerifyTask, Task, TaskResults } from './protocol.js';
import { runPublication } from './publication.js';

export async function runGameTask(
  task: Exclude<Task, GraphTask | GraphVerifyTask>,
  listen: ProgressListener,
): Promise<TaskResults[keyof TaskResults]> {
  const game = await findGame(task.game);
  const store = openStore(task.store);
  if (task.kind === 'publish') return runPublication(task, game, store, listen);
  const scratch = newScratch(localStore(task.scratchFolder, { durable: false }), 'worker');
  return task.kind === 'step'
    ? runStep(task, game, store, scratch)
    : runCrew(task, game, store, scratch, listen);
}

/** Runs a task, and leaves notes for those who watch. */
async function runStep(
  step: Extract<Task, { kind: 'step' }>,
  game: Game,
  store: Store,
  scratch: Scratch,
): Promise<TaskOutcome> {
  const { metric, phase, budget, attempt, host } = step;
  const started = Date.now();
  const wall = meter.wall();
  const cpu = meter.cpu();
  const work = { store, game, metric, slice: step.slices[0] };
  const own = { task: step.task, attempt, host };
  await noteAttempt(work, phase, { ...own, what: 'began', at: started, problem: null });
  try {
    return await runTask(work, phase, step.task, {
      scratch,
      budget,
      attempt,
      report: () => freeUnused(false),
      ran: () => ({
        host,
        started,
        wallMs: meter.wall() - wall,
        cpuMs: meter.cpu() - cpu,
        peakRss: meter.peakRss(),
      }),
    });
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    // It may be the store that fails.
    await noteAttempt(work, phase, { ...own, what: 'failed', at: Date.now(), problem }).catch(() => {});
    throw error;
  }
}

async function runCrew(
  task: Extract<Task, { kind: 'solve' | 'verify' }>,
  game: Game,
  store: Store,
  scratch: Scratch,
  listen: ProgressListener,
): Promise<SliceSummary[] | Verified> {
  const attempt = newAttempt();
  const place = { game: task.game, store: task.store, scratchFolder: task.scratchFolder };
  const engine: Engine =
    task.workers > 1
      ? localEngine(place, task.workers, attempt)
      : inlineEngine(game, store, scratch, { attempt });
  const options = { ...task, game, store, engine, meter, progress: listen };
  try {
    return task.kind === 'solve' ? await solve(options) : await verifySlices(options);
  } finally {
    await engine.close();
  }
}
