/** Solving and verifying a graph, in the thread that leads a run. */
import { localStore } from '../../operators/storage/local.js';
import { newScratch } from '../../operators/storage/scratch.js';
import { PART_NODES } from '../../pipeline/graph/layout.js';
import type { ImportCrew } from '../../pipeline/graph/pieces.js';
import { type SolvedGraph, solveGraph } from '../../pipeline/graph/solve-graph.js';
import { type SolvedKeyed, type SolveKeyedOptions, solveKeyed } from '../../pipeline/graph/solve-keyed.js';
import { verifySolved } from '../../pipeline/graph/verify-solved.js';
import type { Verified } from '../../pipeline/phases/verify.js';
import type { ProgressListener } from '../../pipeline/solve/progress.js';
import type { Engine } from '../../pipeline/solvers/external/engine.js';
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
  const { name, scratchFolder, workers = 1 } = task;
  if (workers === 1) return run(task, progress);
  const place = { game: name, isGraph: true, store: task.store, scratchFolder };
  let opened: (Engine & ImportCrew) | undefined;
  const engine = (): Engine & ImportCrew => {
    opened ??= localEngine(place, workers, newAttempt(), true);
    return opened;
  };
  let found = 0;
  /** Threads load the program while positions are still found: for a graph of several parts. */
  const listen: ProgressListener = (event) => {
    if (event.type === 'phase' && event.phase.startsWith('layer')) {
      found += event.total!;
      if (found > PART_NODES) engine();
    }
    progress(event);
  };
  const newExpander =
    task.kind === 'graph' ? (memory: number) => threadExpander(task.path, workers - 1, memory) : undefined;
  try {
    return await run(task, listen, { engine, crew: engine, ...(newExpander && { newExpander }) });
  } finally {
    await opened?.close();
  }
}

/** Threads that help, of several workers. */
type Helping = Pick<SolveKeyedOptions<unknown>, 'crew' | 'engine' | 'newExpander'>;

async function run(
  task: GraphTask | GraphVerifyTask,
  progress: ProgressListener,
  helping: Helping = {},
): Promise<SolvedGraph | SolvedKeyed | Verified> {
  const store = openStore(task.store);
  const scratch = newScratch(localStore(task.scratchFolder, { durable: false }), 'graph');
  const means = { ...helping, store, scratch, progress };
  if (task.kind === 'verify graph') return verifySolved({ ...task, ...means });
  const game = await needKeyedGame(task.path);
  if (game !== null) {
    // The digest leaves out files that the module imports: a user who changes the rules deletes what the old ones made.
    const fingerprint = await digestOf(task.path);
    return solveKeyed({ ...task, ...means, game, fingerprint, meter });
  }
  const { openSource } = await import('../graph/open-source.js');
  const opened = await openSource(task.path);
  return solveGraph({ ...task, ...means, ...opened, meter });
}
