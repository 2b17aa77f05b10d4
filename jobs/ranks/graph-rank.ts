/**
 * Solving a graph as one of several ranks. Rank 0 reads a graph in a file; the positions of a keyed game are found by all ranks together.
 * The rest of the import is done in pieces by all, if it is large. Then all solve.
 */

import type { Budget } from '../../operators/core/budget.js';
import { share } from '../../operators/core/budget.js';
import { newCounters } from '../../operators/core/counters.js';
import { contested } from '../../pipeline/engine/crew.js';
import type { ProgressListener, SliceSummary } from '../../pipeline/game/progress.js';
import type { KeyedRules } from '../../pipeline/games/keyed/keyed-rules.js';
import { samplerOfKeyed } from '../../pipeline/games/sample-rules.js';
import { doDealtPieces, rankImportCrew } from '../../pipeline/graph/deals.js';
import { type FindingRank, findAsRank, rankReaders } from '../../pipeline/graph/find-as-rank.js';
import { solvableGraph } from '../../pipeline/graph/graph-phases.js';
import { type ImportOptions, importGraph } from '../../pipeline/graph/import.js';
import type { ImportRank } from '../../pipeline/graph/import-rank.js';
import { type GraphManifest, readGraphManifest } from '../../pipeline/graph/manifest.js';
import { reachableGraph } from '../../pipeline/graph/reachable.js';
import { COMMIT_ROWS } from '../../pipeline/graph/read-graph.js';
import { budgetToReach } from '../../pipeline/graph/solve-keyed.js';
import { newAttempt } from '../engines/attempt.js';
import type { GraphRankTask } from '../engines/protocol.js';
import { scratchIn } from '../engines/scratch-store.js';
import { keyedFingerprint } from '../game-module/same-rules.js';
import { digestOf } from '../graph/digest.js';
import { openSource } from '../graph/open-source.js';
import { openStore } from '../stores.js';
import { needKeyedGame } from '../user-game.js';
import { awaitObject, newProcessRecord, runRank } from './run-rank.js';
import { waitingOf } from './waiting.js';

/** Each makes an object of what it sends to all others, so there are not too many. Ranks behind these wait. */
const MOST_IMPORTERS = 64;
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
    name,
    budget,
    store: openStore(store),
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
  const report = (what: string) => progress({ type: 'trouble', slice: task.name, what });
  const rank = await importRank(task, game, means);
  const { fingerprint } = rank;
  const together = rank.of > 1 ? { crew: () => rankImportCrew(rank, means), shared: false } : {};
  if (game === null) {
    const { source, origin } = await openSource(task.path);
    return contested(() => importGraph({ source, fingerprint, origin, ...means, ...together }), report);
  }
  const env = envOf(means, FINDING);
  const source = reachableGraph(game, env, ({ moves, positions }) =>
    progress({ type: 'phase', slice: task.name, phase: `layer ${moves}`, total: positions }),
  );
  const readers = rank.of > 1 ? { readers: rankReaders(findingRank(rank, means)) } : {};
  const rules = () => samplerOfKeyed(game).full();
  return contested(
    () => importGraph({ source, fingerprint, rules, ...means, ...together, ...readers }),
    report,
  );
}

/** The graph that rank 0 imports, with the help of others. */
async function importedByFirst(
  task: GraphRankTask,
  game: KeyedRules | null,
  progress: ProgressListener,
): Promise<GraphManifest> {
  const means = meansOf(task, progress);
  if (task.self.rank < MOST_IMPORTERS) {
    const rank = await importRank(task, game, means);
    if (game === null) await doDealtPieces(rank, means);
    else {
      const source = reachableGraph(game, envOf(means, FINDING));
      const env = { ...means, counters: newCounters(), commitRows: COMMIT_ROWS };
      await findAsRank(source, findingRank(rank, means), env);
    }
  }
  return awaitObject(task, `the import of ${task.name}`, (store) => readGraphManifest(store, task.name));
}

async function importRank(
  task: GraphRankTask,
  game: KeyedRules | null,
  { store, name }: Means,
): Promise<ImportRank> {
  const { path } = task;
  const { rank, ranks } = task.self;
  const fingerprint =
    game === null ? await digestOf(path) : await keyedFingerprint({ game, path }, store, name);
  return {
    store,
    name,
    fingerprint,
    self: rank,
    of: Math.min(ranks, MOST_IMPORTERS),
    attempt: newAttempt(),
    waiting: waitingOf(task),
  };
}

function findingRank(rank: ImportRank, means: Means): FindingRank {
  return {
    ...rank,
    takeProcessRecord: newProcessRecord(rank.self),
    exchange: envOf(means, EXCHANGING),
  };
}

function envOf({ budget, scratch }: Means, part: number) {
  const given: Budget = share(budgetToReach(budget), part);
  return { budget: given, scratch, counters: newCounters() };
}
