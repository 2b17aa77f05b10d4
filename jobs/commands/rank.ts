/** `mergemate rank`: one of several processes that solve together and share nothing but the store. */
import { existsSync } from 'node:fs';
import { planSlices } from '../../pipeline/game/plan.js';
import { type JobFlags, readJob } from '../asked/job.js';
import { slicesOf } from '../cli/options.js';
import { type RankCommandFlags, solveAsRank } from '../engines/rank-command.js';
import { rankIdentity } from '../engines/rank-identity.js';
import { rankTask } from '../engines/tasks.js';
import { recordRules } from '../game-module/same-rules.js';
import { referenceOf } from '../registry.js';
import { isOfRoot } from '../roots/root-flags.js';
import { printSolved } from '../run/print-solved.js';
import { collectLessOften } from '../runtime/heap.js';
import { type AskedGraph, findGraph, findGraphToSolve, isGraphFile, refuse } from '../solved/asked-graph.js';
import { openStore } from '../stores.js';
import { isGameModule } from '../user-game.js';

interface RankJobFlags extends JobFlags, RankCommandFlags {
  readonly syzygy?: readonly string[];
}

export async function runRankCommand(words: string[], flags: RankJobFlags): Promise<void> {
  const graph = await graphOf(words);
  if (graph !== null) return (await import('./graph-rank.js')).rankOfGraph(graph, flags);
  collectLessOften();
  const self = rankIdentity(flags, process.env);
  const job = await readJob(words, flags, true);
  const { game, metric, verify, endings } = job;
  const slices = slicesOf(endings);
  const store = openStore(flags.store);
  const reference = referenceOf(game);
  if (isGameModule(reference)) await recordRules({ game, path: reference }, store);
  const plan = planSlices(game, slices).map(({ slice }) => slice);
  if (await isOfRoot(job)) {
    const { lookUpLeaves } = await import('../roots/leaves.js');
    await lookUpLeaves({ ...job, slices, store, syzygy: flags.syzygy, self }, () => {});
  }
  await solveAsRank(
    {
      solved: { game, metric, verify, store, slices: plan },
      recorded: job,
      task: rankTask({ ...job, slices, store: flags.store }, self),
      print: (summaries, run) => printSolved({ ...job, store, json: flags.json === true }, summaries, run),
    },
    flags,
  );
}

/** The graph or keyed game to solve; null for other games. A graph's file need not be where this rank runs, as a job file must. */
async function graphOf([asked, ...endings]: readonly string[]): Promise<AskedGraph | null> {
  const isAway = isGraphFile(asked) && !existsSync(asked);
  const graph = await (isAway ? findGraph(asked) : findGraphToSolve(asked));
  if (graph !== null) refuse(graph, endings, {});
  return graph;
}
