/** `mergemate rank` of graphs and keyed games: one of several processes that solve a graph together. */
import { GRAPH, graphs } from '../../pipeline/graph/graph-game.js';
import type { JobFlags } from '../cli/job.js';
import { print, printJson } from '../cli/output.js';
import { budgetOf, DEFAULT_SETTINGS, settingsIn } from '../cli/settings.js';
import { beRank, used } from '../ranks/be-rank.js';
import { type RankCommandFlags, sayDone } from '../ranks/command.js';
import { rankIdentity } from '../ranks/identity.js';
import { awaitReports, clearJob, cpuOfRanks, solvedSlices, summariesOf } from '../ranks/report.js';
import { waitingOf } from '../ranks/waiting.js';
import { openRecorder } from '../recorder/recorder.js';
import { giveRulesRoom, keepHeapSmaller } from '../run/heap.js';
import { prepareRun } from '../run/watched-run.js';
import { type AskedGraph, graphMetric, refuse } from '../solved/asked-graph.js';
import { openStore } from '../stores.js';
import { solvedGraphJson, solvedGraphText } from '../ui/graph-text.js';
import { needKeyedGame } from '../user-game.js';
import { graphNameOf } from './graph-options.js';

type Flags = JobFlags & RankCommandFlags;

/** With those options that mean something to graphs. */
export async function rankOfGraph(asked: AskedGraph, flags: Flags): Promise<void> {
  const { path } = asked;
  const { metric: named, memory = DEFAULT_SETTINGS.memory, verify: _, ...others } = settingsIn(flags);
  refuse(asked, [], others);
  if ((await needKeyedGame(path)) === null) keepHeapSmaller();
  else giveRulesRoom();
  const self = rankIdentity(flags, process.env);
  const { store: uri, verify, log, driven = false } = flags;
  const metric = graphMetric(asked, named);
  const budget = budgetOf(memory);
  const name = await graphNameOf(path, flags);
  const store = openStore(uri);
  const solved = { game: { name: GRAPH }, slices: [name], metric, verify, store };
  const before = driven ? new Set<string>() : await solvedSlices(solved);
  const scratch = prepareRun(uri, flags.scratch);
  const recorder = openRecorder(uri, {
    kind: 'task',
    engine: 'task',
    memory: budget.memory,
    workers: 1,
    verify,
    solves: true,
    game: { name: GRAPH },
    metric,
    endings: [graphs.ending(name)],
  });
  const part = { self, partitions: self.ranks, wholeBelow: 0, keepRuns: false };
  try {
    await beRank(
      {
        kind: 'graph rank',
        path,
        name,
        store: uri,
        scratchFolder: scratch.folder,
        ...part,
        metric,
        verify,
        budget,
      },
      { recorder, log },
    );
    if (driven) return;
    if (self.rank > 0) return await sayDone(self, flags);
    const reports = await awaitReports(store, self, waitingOf({ self, store: uri }).pause);
    const [summary] = await summariesOf({ ...solved, before }, reports);
    await clearJob(store, self.job);
    const { needGraph } = await import('../../pipeline/graph/manifest.js');
    const graph = { graph: await needGraph(store, name), summary };
    const { wallMs } = used();
    if (flags.json) await printJson(solvedGraphJson(graph, wallMs, cpuOfRanks(reports, self.ranks)));
    else await print(solvedGraphText(graph, wallMs));
  } finally {
    scratch.release();
  }
}
