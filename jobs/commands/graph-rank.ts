/** `mergemate rank` of graphs and keyed games: one of several processes that solve a graph together. */
import { GRAPH, graphs } from '../../pipeline/graph/graph-game.js';
import { needGraph } from '../../pipeline/graph/manifest.js';
import { type JobFlags, memoryOf } from '../asked/job.js';
import { breathe, print, printJson } from '../cli/output.js';
import { settingsIn } from '../cli/settings.js';
import { type RankCommandFlags, solveAsRank } from '../engines/rank-command.js';
import { rankIdentity } from '../engines/rank-identity.js';
import { graphRankTask } from '../engines/tasks.js';
import { giveRulesRoom, keepHeapSmaller } from '../runtime/heap.js';
import { type AskedGraph, graphMetric, refuse } from '../solved/asked-graph.js';
import { openStore } from '../stores.js';
import { solvedGraphJson, solvedGraphText } from '../ui/graph-text.js';

/** With those options that mean something to graphs. */
export async function rankOfGraph(asked: AskedGraph, flags: JobFlags & RankCommandFlags): Promise<void> {
  const { path, game } = asked;
  const { metric: named, memory: given, verify: _, atMost, ...others } = settingsIn(flags);
  refuse(asked, [], game === null ? { ...others, atMost } : others);
  const memory = memoryOf({ memory: given }, { kind: 'rank' });
  if (game === null) keepHeapSmaller();
  else giveRulesRoom();
  const self = rankIdentity(flags, process.env);
  const { store: uri, verify } = flags;
  const metric = graphMetric(asked, named);
  const { name = asked.name } = flags;
  const store = openStore(uri);
  const common = { game: { name: GRAPH }, metric, verify };
  await solveAsRank(
    {
      solved: { ...common, slices: [name], store },
      recorded: { ...common, memory, workers: 1, endings: [graphs.ending(name)] },
      task: graphRankTask({ path, name, store: uri, metric, verify, memory, atMost }, self),
      async print([summary], { wallMs, cpuMs }) {
        const solved = { graph: await needGraph(store, name), summary };
        const { graphStats } = await import('../../pipeline/graph/graph-stats.js');
        const stats = await graphStats(store, name, metric, breathe);
        if (flags.json) await printJson(solvedGraphJson(solved, stats, wallMs, cpuMs));
        else await print(solvedGraphText(solved, stats, wallMs));
      },
    },
    flags,
  );
}
