/** The thread that leads a run: see lead.ts. With one worker it does the work itself, else it has a thread for each. */
import { parentPort, workerData } from 'node:worker_threads';
import { localStore } from '../../operators/storage/local.js';
import type { Scratch } from '../../operators/storage/scratch.js';
import { newScratch } from '../../operators/storage/scratch.js';
import type { Store } from '../../operators/storage/store.js';
import type { Game } from '../../pipeline/game.js';
import type { Verified } from '../../pipeline/phases/verify.js';
import type { Progress } from '../../pipeline/progress.js';
import { type SliceSummary, solve } from '../../pipeline/solve.js';
import { type Engine, inlineEngine } from '../../pipeline/solvers/external/engine.js';
import { noteAttempt } from '../../pipeline/steps/attempts.js';
import { runTask, type TaskOutcome } from '../../pipeline/steps/run-task.js';
import { verifySlices } from '../../pipeline/verify-slice.js';
import { freeUnused } from '../heap.js';
import { findGame, openStore } from '../registry.js';
import { newGathering } from './gathering.js';
import { runGraph } from './graph.js';
import { localEngine } from './local.js';
import { processMeter as meter } from './meter.js';
import { packError } from './packed-error.js';
import type { Task, TaskReply, TaskResults } from './protocol.js';
import { runPublication } from './publication.js';

const task = workerData as Task;
const port = parentPort!;

function send(reply: TaskReply): void {
  port.postMessage(reply);
}

const gathering = newGathering((progress) => send({ type: 'progress', progress }));

function listen(progress: Progress): void {
  freeUnused(progress.type === 'phase');
  gathering.listen(progress);
}

async function run(): Promise<TaskResults[keyof TaskResults]> {
  if (task.kind === 'graph' || task.kind === 'verify graph') return runGraph(task, listen);
  const game = await findGame(task.game);
  const store = openStore(task.store);
  if (task.kind === 'publish') return runPublication(task, game, store, listen);
  const scratch = newScratch(localStore(task.scratchFolder, { durable: false }), 'worker');
  return task.kind === 'step' ? runStep(task, game, store, scratch) : runCrew(task, game, store, scratch);
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
): Promise<SliceSummary[] | Verified> {
  const engine: Engine =
    task.workers > 1
      ? localEngine({ game: task.game, store: task.store, scratchFolder: task.scratchFolder }, task.workers)
      : inlineEngine(game, store, scratch);
  const options = { ...task, game, store, engine, meter, progress: listen };
  try {
    return task.kind === 'solve' ? await solve(options) : await verifySlices(options);
  } finally {
    await engine.close();
  }
}

run().then(
  (result) => {
    gathering.flush();
    send({ type: 'done', result });
  },
  (error) => send({ type: 'error', error: packError(error) }),
);
