/** Solving a graph as one of several ranks: rank 0 imports it, the others wait for that; then all solve. */

import { newCounters } from '../../operators/core/counters.js';
import { localStore } from '../../operators/storage/local.js';
import { newScratch, type Scratch } from '../../operators/storage/scratch.js';
import { solvableGraph } from '../../pipeline/graph/graph-phases.js';
import { importGraph } from '../../pipeline/graph/import.js';
import { type GraphManifest, readGraphManifest } from '../../pipeline/graph/manifest.js';
import { reachableGraph } from '../../pipeline/graph/reachable/reachable.js';
import { budgetToReach } from '../../pipeline/graph/solve-keyed.js';
import type { ProgressListener } from '../../pipeline/solve/progress.js';
import type { SliceSummary } from '../../pipeline/solve/slice-summary.js';
import type { GraphRankTask } from '../engines/protocol.js';
import { digestOf } from '../graph/digest.js';
import { type OpenedSource, openSource } from '../graph/open-source.js';
import { openStore } from '../stores.js';
import { needKeyedGame } from '../user-game.js';
import { awaitObject, runRank } from './run-rank.js';

export async function runGraphRank(task: GraphRankTask, progress: ProgressListener): Promise<SliceSummary[]> {
  const { name, self } = task;
  const graph =
    self.rank === 0
      ? await importFirst(task, progress)
      : await awaitObject(task, `the import of ${name}`, (store) => readGraphManifest(store, name));
  const game = solvableGraph(graph);
  return runRank(task, { game, slices: [name], strategy: 'count' }, progress);
}

/** Imports the graph, unless that was done before. */
async function importFirst(task: GraphRankTask, progress: ProgressListener): Promise<GraphManifest> {
  const { name, budget } = task;
  const store = openStore(task.store);
  const scratch = newScratch(localStore(task.scratchFolder, { durable: false }), 'graph');
  const begin = (phase: string, total: number | null) =>
    progress({ type: 'phase', slice: name, phase, total });
  const opened = await opensAs(task, scratch, begin);
  const report = (done: number) => progress({ type: 'work', slice: name, done });
  return importGraph({ ...opened, name, store, scratch, budget, report, phase: begin });
}

async function opensAs(
  { path, budget }: GraphRankTask,
  scratch: Scratch,
  begin: (phase: string, total: number | null) => void,
): Promise<OpenedSource> {
  const game = await needKeyedGame(path);
  if (game === null) return openSource(path);
  const env = { budget: budgetToReach(budget), scratch, counters: newCounters() };
  const source = reachableGraph(game, env, ({ moves, positions }) => begin(`layer ${moves}`, positions));
  return { source, fingerprint: await digestOf(path) };
}
