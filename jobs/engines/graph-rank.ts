/** Solving a graph as one of several ranks: all import it together, and then all solve it. */

import { newCounters } from '../../operators/core/counters.js';
import { contested } from '../../pipeline/engine/crew/crew.js';
import type { ProgressListener, SliceSummary } from '../../pipeline/game/progress.js';
import { samplerOf } from '../../pipeline/games/yours/examiner/sample-rules.js';
import { solvableGraph } from '../../pipeline/graph/graph-phases.js';
import { importGraph } from '../../pipeline/graph/import.js';
import { rankCrews } from '../../pipeline/graph/import-ranks.js';
import { type GraphManifest, readGraphManifest } from '../../pipeline/graph/manifest.js';
import { reachableGraph } from '../../pipeline/graph/reachable.js';
import { requireScores, warningOfPlies } from '../../pipeline/graph/solve-graph.js';
import type { Layer } from '../../pipeline/graph/source.js';
import { keyedFingerprint } from '../game-module/same-rules.js';
import { openSource } from '../graph/open-source.js';
import { openStore } from '../stores.js';
import { findKeyedGame } from '../user-game.js';
import { newAttempt } from './attempt.js';
import type { GraphRankTask } from './protocol.js';
import { waitingOf } from './rank-waiting.js';
import { awaitObject, newProcessRecord, runRank } from './run-rank.js';
import { scratchIn } from './scratch-store.js';

/** Each makes an object of what it sends to all others, so there are not too many. Ranks behind these wait. */
const MOST_IMPORTERS = 64;

export async function runGraphRank(task: GraphRankTask, progress: ProgressListener): Promise<SliceSummary[]> {
  const { name, self } = task;
  const graph =
    self.rank < MOST_IMPORTERS
      ? await imported(task, progress)
      : await awaitObject(task, `the import of ${name}`, (store) => readGraphManifest(store, name));
  return runRank(task, { game: solvableGraph(graph), slices: [name], strategy: 'count' }, progress);
}

/** Imports the graph, unless that was done before. The leading rank alone reports phases, layers and trouble. */
async function imported(task: GraphRankTask, progress: ProgressListener): Promise<GraphManifest> {
  const { name, path, budget, atMost } = task;
  const { rank, ranks } = task.self;
  const store = openStore(task.store);
  const scratch = scratchIn(task.scratchFolder, 'graph');
  const tell: ProgressListener = (event) => {
    if (rank === 0 || event.type === 'work') progress(event);
  };
  const crews = rankCrews({
    self: rank,
    of: Math.min(ranks, MOST_IMPORTERS),
    attempt: newAttempt(),
    waiting: waitingOf(task),
    takeProcessRecord: newProcessRecord(rank),
  });
  const game = await findKeyedGame(path);
  const opened =
    game === null
      ? await openSource(path)
      : {
          source: reachableGraph(game, { budget, scratch, counters: newCounters() }),
          fingerprint: await keyedFingerprint({ game, path }, store, name),
          rules: () => samplerOf(game).full(),
        };
  const options = {
    ...opened,
    name,
    store,
    scratch,
    budget,
    atMost,
    crews: ranks > 1 ? crews : undefined,
    report: (done: number) => tell({ type: 'work', slice: name, done }),
    phase: (phase: string, total: number | null) => tell({ type: 'phase', slice: name, phase, total }),
    found: (layer: Layer) => {
      tell({ type: 'phase', slice: name, phase: `layer ${layer.moves}`, total: layer.positions });
      const what = warningOfPlies(layer, task.metric);
      if (what !== null) tell({ type: 'trouble', slice: name, what });
    },
  };
  const graph = await contested(
    () => importGraph(options),
    (what) => tell({ type: 'trouble', slice: name, what }),
  );
  await requireScores(graph, task.metric, opened.source);
  return graph;
}
