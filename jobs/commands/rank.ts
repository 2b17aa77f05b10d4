/** `mergemate rank`: one of several processes that solve together and share nothing but the store. */
import { existsSync } from 'node:fs';
import { planSlices } from '../../pipeline/game/plan.js';
import { type Job, type JobFlags, readJob } from '../cli/job.js';
import { type CommonOptions, slicesOf } from '../cli/options.js';
import { budgetOf } from '../cli/settings.js';
import type { RankTask } from '../engines/protocol.js';
import { recordRules } from '../game-module/same-rules.js';
import { beRank, used } from '../ranks/be-rank.js';
import { type RankCommandFlags, sayDone } from '../ranks/command.js';
import { type RankIdentity, rankIdentity } from '../ranks/identity.js';
import {
  awaitReports,
  clearJob,
  cpuOfRanks,
  type ReportedJob,
  solvedSlices,
  summariesOf,
} from '../ranks/report.js';
import { waitingOf } from '../ranks/waiting.js';
import { openRecorder } from '../recorder/recorder.js';
import { referenceOf } from '../registry.js';
import { collectLessOften } from '../run/heap.js';
import { prepareRun } from '../run/watched-run.js';
import { type AskedGraph, findGraph, findGraphToSolve, isGraphFile, refuse } from '../solved/asked-graph.js';
import { openStore } from '../stores.js';
import { printSolved } from '../ui/solved.js';
import { isGameModule } from '../user-game.js';

export async function runRankCommand(words: string[], flags: JobFlags & RankCommandFlags): Promise<void> {
  const graph = await graphOf(words);
  if (graph !== null) return (await import('./graph-rank.js')).rankOfGraph(graph, flags);
  collectLessOften();
  const self = rankIdentity(flags, process.env);
  const job = await readJob(words, flags);
  const slices = slicesOf(job.endings);
  const { game, metric, verify } = job;
  const plan = { game, metric, verify, slices: planSlices(game, slices).map(({ slice }) => slice) };
  const store = openStore(flags.store);
  const reference = referenceOf(game);
  if (isGameModule(reference)) await recordRules({ game, path: reference }, store);
  const before = flags.driven ? new Set<string>() : await solvedSlices({ ...plan, store });
  const scratch = prepareRun(flags.store, flags.scratch);
  const recorder = openRecorder(flags.store, {
    ...job,
    kind: 'task',
    engine: 'task',
    solves: true,
  });
  const task: RankTask = {
    kind: 'rank',
    self,
    game: referenceOf(game),
    store: flags.store,
    scratchFolder: scratch.folder,
    slices,
    metric,
    strategy: job.propagate,
    verify,
    budget: budgetOf(job.memory, job),
    partitions: job.partitions,
    wholeBelow: job.wholeBelow,
    keepRuns: job.keepRuns,
  };
  try {
    const { log, driven = false } = flags;
    await beRank(task, { recorder, log });
    if (driven) return;
    if (self.rank > 0) await sayDone(self, flags);
    else await reportAll(self, job, { ...plan, store, before }, flags);
  } finally {
    scratch.release();
  }
}

/** The graph or keyed game to solve; null for other games. A graph's file need not be where this rank runs, as a job file must. */
async function graphOf([asked, ...endings]: readonly string[]): Promise<AskedGraph | null> {
  const isAway = isGraphFile(asked) && !existsSync(asked);
  const graph = await (isAway ? findGraph(asked) : findGraphToSolve(asked));
  if (graph !== null) refuse(graph, endings, {});
  return graph;
}

/** Rank 0 prints the whole result, as "solve" does. */
async function reportAll(
  self: RankIdentity,
  { endings }: Job,
  solved: ReportedJob & Pick<Job, 'game'>,
  { store: uri, json }: CommonOptions,
): Promise<void> {
  const reports = await awaitReports(solved.store, self, waitingOf({ self, store: uri }).pause);
  const summaries = await summariesOf(solved, reports);
  await clearJob(solved.store, self.job);
  const run = { wallMs: used().wallMs, cpuMs: cpuOfRanks(reports, self.ranks) };
  await printSolved({ ...solved, endings, json: json === true }, summaries, run);
}
