/**
 * Solving a graph as one of several ranks. Rank 0 imports it. The positions of a keyed game are found by all ranks together; for a graph in a
 * file the others wait. Then all solve.
 */

import type { Budget } from '../../operators/core/budget.js';
import { share } from '../../operators/core/budget.js';
import { newCounters } from '../../operators/core/counters.js';
import type { KeyedRules } from '../../pipeline/games/keyed/keyed-rules.js';
import { type FindingRank, findAsRank, rankReaders } from '../../pipeline/graph/find-as-rank.js';
import { solvableGraph } from '../../pipeline/graph/graph-phases.js';
import { type ImportOptions, importGraph } from '../../pipeline/graph/import.js';
import { type GraphManifest, readGraphManifest } from '../../pipeline/graph/manifest.js';
import { reachableGraph } from '../../pipeline/graph/reachable/reachable.js';
import { COMMIT_ROWS } from '../../pipeline/graph/read-graph.js';
import { budgetToReach } from '../../pipeline/graph/solve-keyed.js';
import { contested } from '../../pipeline/partition/contested.js';
import type { ProgressListener } from '../../pipeline/solve/progress.js';
import type { SliceSummary } from '../../pipeline/solve/slice-summary.js';
import { newAttempt } from '../engines/attempt.js';
import type { GraphRankTask } from '../engines/protocol.js';
import { scratchIn } from '../engines/scratch-store.js';
import { digestOf } from '../graph/digest.js';
import { openSource } from '../graph/open-source.js';
import { openStore } from '../stores.js';
import { needKeyedGame } from '../user-game.js';
import { awaitObject, newProcessRecord, runRank } from './run-rank.js';
import { waitingOf } from './waiting.js';

/** Each makes an object of what it sends to all others, so there are not too many. Ranks behind these wait. */
const MOST_FINDERS = 64;
/** Shares of the memory for finding positions: of the positions, and of what is sent and received. */
const FINDING = 3 / 4;
const EXCHANGING = 1 / 4;

export async function runGraphRank(task: GraphRankTask, progress: ProgressListener): Promise<SliceSummary[]> {
  const { name, self } = task;
  const game = await needKeyedGame(task.path);
  const graph =
    self.rank === 0 ? await importFirst(task, game, progress) : await importedByFirst(task, game, progress);
  return runRank(task, { game: solvableGraph(graph), slices: [name], strategy: 'count' }, progress);
}

type Means = Pick<ImportOptions, 'name' | 'store' | 'scratch' | 'budget' | 'report' | 'phase'>;

function meansOf({ name, store, scratchFolder, budget }: GraphRankTask, progress: ProgressListener): Means {
  return {
    ...{ name, budget, store: openStore(store) },
    scratch: scratchIn(scratchFolder, 'graph'),
    report: (done) => progress({ type: 'work', slice: name, done }),
    phase: (phase, total) => progress({ type: 'phase', slice: name, phase, total }),
  };
}

/** Imports the graph, unless that was done before. */
async function importFirst(
  task: GraphRankTask,
  game: KeyedRules | null,
  progress: ProgressListener,
): Promise<GraphManifest> {
  const means = meansOf(task, progress);
  if (game === null) return importGraph({ ...(await openSource(task.path)), ...means });
  const env = envOf(means, FINDING);
  const source = reachableGraph(game, env, ({ moves, positions }) =>
    progress({ type: 'phase', slice: task.name, phase: `layer ${moves}`, total: positions }),
  );
  const rank = await findingRank(task, means);
  const { fingerprint } = rank;
  const readers = rank.of > 1 ? { readers: rankReaders(rank) } : {};
  const report = (what: string) => progress({ type: 'trouble', slice: task.name, what });
  return contested(() => importGraph({ source, fingerprint, ...means, ...readers }), report);
}

/** The graph that rank 0 has imported; positions are found together with it. */
async function importedByFirst(
  task: GraphRankTask,
  game: KeyedRules | null,
  progress: ProgressListener,
): Promise<GraphManifest> {
  const means = meansOf(task, progress);
  if (game !== null && task.self.rank < MOST_FINDERS) {
    const rank = await findingRank(task, means);
    const source = reachableGraph(game, envOf(means, FINDING));
    await findAsRank(source, rank, { ...means, counters: newCounters(), commitRows: COMMIT_ROWS });
  }
  return awaitObject(task, `the import of ${task.name}`, (store) => readGraphManifest(store, task.name));
}

async function findingRank(task: GraphRankTask, means: Means): Promise<FindingRank> {
  const { rank, ranks } = task.self;
  return {
    ...{ store: means.store, name: task.name, fingerprint: await digestOf(task.path) },
    ...{ self: rank, of: Math.min(ranks, MOST_FINDERS), attempt: newAttempt() },
    ...{ waiting: waitingOf(task), takeProcessRecord: newProcessRecord(rank) },
    exchange: envOf(means, EXCHANGING),
  };
}

function envOf({ budget, scratch }: Means, part: number) {
  const given: Budget = share(budgetToReach(budget), part);
  return { budget: given, scratch, counters: newCounters() };
}
