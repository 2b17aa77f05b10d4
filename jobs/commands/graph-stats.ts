import type { NodeId } from '../../pipeline/graph/source.js';
import type { MetricOptions } from '../options.js';
import { breathe, print, printJson } from '../output.js';
import { storeToRead } from '../stores.js';
import { graphStatsJson, graphStatsText } from '../ui/graph-stats-text.js';
import { type AskedGraph, refuse, solvedGraph } from './asked-graph.js';
import type { GraphFlags } from './graph-options.js';

/** `mergemate stats` of a keyed game or graph. */
export async function statsOfGraph(
  asked: AskedGraph,
  names: readonly string[],
  { pieces, ...flags }: MetricOptions & { readonly pieces?: number },
): Promise<void> {
  refuse(asked, names, { pieces });
  const { graph, metric } = await solvedGraph(asked, flags);
  await printStats(graph, { ...flags, metric });
}

async function printStats({ name, game }: AskedGraph, { store, metric, json }: GraphFlags): Promise<void> {
  const { graphStats } = await import('../../pipeline/graph/graph-stats.js');
  const stats = await graphStats(storeToRead(store), name, metric, breathe);
  const named = game === null ? undefined : (id: NodeId) => game.format(game.at(BigInt(id)));
  if (json) await printJson(graphStatsJson(stats, metric, named));
  else await print(graphStatsText(stats, metric, named));
}
