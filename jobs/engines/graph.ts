/** Solving and verifying a graph, in the thread that leads a run. */
import { localStore } from '../../operators/storage/local.js';
import { newScratch } from '../../operators/storage/scratch.js';
import { type SolvedGraph, solveGraph } from '../../pipeline/graph/solve-graph.js';
import { type SolvedKeyed, solveKeyed } from '../../pipeline/graph/solve-keyed.js';
import { verifySolved } from '../../pipeline/graph/verify-solved.js';
import type { Verified } from '../../pipeline/phases/verify.js';
import type { ProgressListener } from '../../pipeline/progress.js';
import { digestOf } from '../graph/digest.js';
import { openStore } from '../stores.js';
import { needKeyedGame } from '../user-game.js';
import { newAttempt } from './attempt.js';
import { threadExpander } from './expanders.js';
import { localEngine } from './local.js';
import { processMeter as meter } from './meter.js';
import type { GraphTask, GraphVerifyTask } from './protocol.js';

export async function runGraph(
  task: GraphTask | GraphVerifyTask,
  progress: ProgressListener,
): Promise<SolvedGraph | SolvedKeyed | Verified> {
  const store = openStore(task.store);
  const { name, scratchFolder, workers = 1 } = task;
  const place = { game: name, isGraph: true, store: task.store, scratchFolder };
  const engine = workers === 1 ? {} : { engine: () => localEngine(place, workers, newAttempt()) };
  const scratch = newScratch(localStore(task.scratchFolder, { durable: false }), 'graph');
  if (task.kind === 'verify graph') return verifySolved({ ...task, ...engine, store, scratch, progress });
  const game = await needKeyedGame(task.path);
  if (game !== null) {
    // The digest leaves out files that the module imports: a user who changes the rules deletes what the old ones made.
    const fingerprint = await digestOf(task.path);
    const newExpander = (memory: number) => threadExpander(task.path, workers - 1, memory);
    const expanding = workers === 1 ? {} : { newExpander };
    return solveKeyed({
      ...task,
      ...engine,
      ...expanding,
      game,
      fingerprint,
      store,
      scratch,
      progress,
      meter,
    });
  }
  const { openSource } = await import('../graph/open-source.js');
  const opened = await openSource(task.path);
  return solveGraph({ ...task, ...engine, ...opened, store, scratch, progress, meter });
}
