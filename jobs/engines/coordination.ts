/**
 * Coordinates a solve or a verification: see coordinator.ts. With one worker the thread does the work itself, else it has
 * a thread for each of the others. It loads what its task needs: a graph needs no games.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { Progress } from '../../pipeline/game/progress.js';
import { freeUnused } from '../runtime/heap.js';
import { settleRuntime } from '../runtime/runtime.js';
import { newGathering } from './gathering.js';
import type { CoordinatorPlace, Task, TaskResults } from './protocol.js';
import { answerCalls, notify } from './remote.js';

const { game, path, workers = 1 } = workerData as CoordinatorPlace;
const port = parentPort!;

const gathering = newGathering((progress) => notify(port, progress));

function listen(progress: Progress): void {
  freeUnused(progress.type === 'phase');
  gathering.listen(progress);
}

async function run(task: Task): Promise<TaskResults[keyof TaskResults]> {
  if (task.kind === 'graph rank') return (await import('./graph-rank.js')).runGraphRank(task, listen);
  if (task.kind === 'verify rules') return (await import('./verify-rules.js')).runRules(task, listen);
  return task.kind === 'graph' || task.kind === 'verify graph'
    ? (await import('./graph.js')).runGraph(task, listen)
    : (await import('./game-task.js')).runGameTask(task, listen);
}

async function answer(task: Task): Promise<TaskResults[keyof TaskResults]> {
  // Whoever started this thread ahead of its task has left it to this thread.
  if (game !== undefined) settleRuntime(workers);
  const result = await run(task);
  gathering.flush();
  return result;
}

answerCalls(port, answer, { once: true });
if (game !== undefined) {
  await import('./game-task.js');
  await (await import('../registry.js')).findGame(game);
}
if (path !== undefined) {
  await import('./graph.js');
  await (await import('../user-game.js')).findKeyedGame(path);
}
