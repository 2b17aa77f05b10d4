/** Solving and verifying a graph, in the coordinating thread. */

import type { Engine } from '../../pipeline/engine/crew/engine.js';
import type { Solvable } from '../../pipeline/engine/crew/slice-phases.js';
import type { ProgressListener } from '../../pipeline/game/progress.js';
import type { DerivedPart } from '../../pipeline/game/step-manifests.js';
import { threadCrews } from '../../pipeline/graph/import.js';
import { type SolvedGraph, solveGraph } from '../../pipeline/graph/solve-graph.js';
import { type SolvedKeyed, type SolveKeyedOptions, solveKeyed } from '../../pipeline/graph/solve-keyed.js';
import { verifySolved } from '../../pipeline/graph/verify-solved.js';
import { keyedFingerprint } from '../game-module/same-rules.js';
import { openStore } from '../stores.js';
import { findKeyedGame } from '../user-game.js';
import { newAttempt } from './attempt.js';
import { type LocalEngine, localEngine, type OwnWorld } from './local.js';
import { processMeter as meter } from './meter.js';
import type { GraphTask, GraphVerifyTask } from './protocol.js';
import { scratchIn } from './scratch-store.js';

/** `listeners`: see ImportOptions. */
export async function runGraph(
  task: GraphTask | GraphVerifyTask,
  progress: ProgressListener,
  listeners: Pick<SolveKeyedOptions<unknown>, 'turn' | 'large'> = {},
): Promise<SolvedGraph | SolvedKeyed | DerivedPart> {
  const { name, scratchFolder, workers = 1 } = task;
  if (workers === 1) return run(task, progress, { ...openMeans(task), ...listeners });
  const means = openMeans(task);
  const place = { game: name, isGraph: true, store: task.store, scratchFolder };
  let game: Solvable | undefined;
  const own: OwnWorld = {
    ...means,
    get game() {
      return game;
    },
  };
  let opened: LocalEngine | undefined;
  const opening = (): LocalEngine => {
    opened ??= localEngine(place, { workers, attempt: newAttempt(), own });
    return opened;
  };
  const engine = (imported: Solvable): Engine => {
    game = imported;
    return opening();
  };
  try {
    return await run(task, progress, {
      ...means,
      engine,
      ...(task.kind === 'graph' && { crews: crewsOf(task, workers, opening) }),
    });
  } finally {
    await opened?.close();
  }
}

/** Each partition keeps buffers for what it sends, so there are not too many. */
const MOST_IMPORTERS = 64;

function crewsOf({ path }: GraphTask, workers: number, opened: () => LocalEngine) {
  return threadCrews(Math.min(workers, MOST_IMPORTERS), (setups, options) => {
    const { name, stuck, game } = options.source;
    return opened().openImport(setups, options, { name, stuck, game: game === undefined ? null : path });
  });
}

function openMeans({ store, scratchFolder }: GraphTask | GraphVerifyTask) {
  return {
    store: openStore(store),
    scratch: scratchIn(scratchFolder, 'graph'),
  };
}

/** Where the work is done, and threads that help, of several workers. */
type Means = ReturnType<typeof openMeans> &
  Pick<SolveKeyedOptions<unknown>, 'crews' | 'engine' | 'turn' | 'large'>;

async function run(
  task: GraphTask | GraphVerifyTask,
  progress: ProgressListener,
  place: Means,
): Promise<SolvedGraph | SolvedKeyed | DerivedPart> {
  const means = { ...place, progress };
  if (task.kind === 'verify graph') return verifySolved({ ...task, ...means });
  const game = await findKeyedGame(task.path);
  if (game !== null) {
    const fingerprint = await keyedFingerprint({ game, path: task.path }, means.store, task.name);
    return solveKeyed({ ...task, ...means, game, fingerprint, meter });
  }
  const { openSource } = await import('../graph/open-source.js');
  const opened = await openSource(task.path, task.stream);
  return solveGraph({ ...task, ...means, ...opened, meter });
}
