/**
 * Coordinates a solve or a verification: see coordinator.ts. With one worker the thread does the work itself, else it has
 * a thread for each of the others. It loads what its task needs: a graph needs no games.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { Progress } from '../../pipeline/game/progress.js';
import { freeUnused } from '../heap.js';
import { settleRuntime } from '../runtime.js';
import { newGathering } from './gathering.js';
import { packError } from './packed-error.js';
import type { CoordinatorPlace, Task, TaskReply, TaskResults } from './protocol.js';

const { game, path, workers = 1 } = workerData as CoordinatorPlace;
const port = parentPort!;

function send(reply: TaskReply): void {
  port.postMessage(reply);
}

const gathering = newGathering((progress) => send({ type: 'progress', progress }));

function listen(progress: Progress): void {
  freeUnused(progress.type === 'phase');
  gathering.listen(progress);
}

async function run(task: Task): Promise<TaskResults[keyof TaskResults]> {
  if (task.kind === 'graph rank') return (await import('../ranks/graph-rank.js')).runGraphRank(task, listen);
  return task.kind === 'graph' || task.kind === 'verify graph'
    ? (await import('./graph.js')).runGraph(task, listen)
    : (await import('./game-task.js')).runGameTask(task, listen);
}

port.once('message', (task: Task) => {
  // Whoever started this thread ahead of its task has left it to this thread.
  if (game !== undefined) settleRuntime(workers);
  run(task).then(
    (result) => {
      gathering.flush();
      send({ type: 'done', result });
    },
    (error) => send({ type: 'error', error: packError(error) }),
  );
});
if (game !== undefined) {
  await import('./game-task.js');
  await (await import('../registry.js')).findGame(game);
}
if (path !== undefined) {
  await import('./graph.js');
  await (await import('../user-game.js')).findKeyedGame(path);
}
