/** `mergemate stats --html` of keyed games, and of graphs. */
import { basename, resolve } from 'node:path';
import type { Metric } from '../../pipeline/game/value.js';
import type { KeyedProber } from '../../pipeline/graph/keyed-prober.js';
import type { NodeId } from '../../pipeline/graph/source.js';
import { writeNodeId } from '../graph/node-id.js';
import type { MetricOptions } from '../options.js';
import { breathe, print, printJson } from '../output.js';
import { writeReport } from '../report/folder.js';
import { gatherKeyed, type KeyedGameReport, type ReportSource } from '../report/keyed-gather.js';
import { keyedPage, keyedPliesCsv, keyedPointsCsv, keyedResultsCsv } from '../report/keyed-page.js';
import { storeToRead } from '../stores.js';
import { type AskedGraph, refuse, solvedGraph } from './asked-graph.js';

interface ReportFlags extends MetricOptions {
  readonly pieces?: number;
  readonly html: string;
  readonly force?: boolean;
}

export async function reportGraph(
  asked: AskedGraph,
  names: readonly string[],
  { pieces, html, force, ...flags }: ReportFlags,
): Promise<void> {
  refuse(asked, names, { pieces });
  const { graph, metric } = await solvedGraph(asked, flags);
  const store = storeToRead(flags.store);
  const source = await sourceOf(graph, store, metric);
  // Readers of the page have no use for folders of this machine.
  const command = `mergemate stats ${basename(asked.path)} --metric ${metric} --html ${basename(resolve(html))}`;
  const texts: Record<string, (report: KeyedGameReport) => string> = {
    'index.html': (report) => keyedPage(report, command),
    'results.csv': keyedResultsCsv,
    ...(metric !== 'wdl' && { 'plies.csv': keyedPliesCsv }),
    ...(metric === 'score' && { 'points.csv': keyedPointsCsv }),
  };
  const paths = await writeReport(html, force === true, texts, () => gatherKeyed(source, store, breathe));
  if (flags.json) await printJson({ game: graph.name, metric, files: paths });
  else await print(`${paths.join('\n')}\n`);
}

async function sourceOf(
  { name, game }: AskedGraph,
  store: ReturnType<typeof storeToRead>,
  metric: Metric,
): Promise<ReportSource> {
  if (game !== null) {
    const { openKeyedProber } = await import('../../pipeline/graph/keyed-prober.js');
    const prober = await openKeyedProber(game, store, metric);
    return { game, prober, starts: game.starts(), at: (node) => game.at(BigInt(node)) };
  }
  const { openGraphProber } = await import('../../pipeline/graph/graph-prober.js');
  const { nodeProber } = await import('../../pipeline/graph/node-prober.js');
  const nodes = await openGraphProber(store, name, metric);
  const format = (id: unknown) => writeNodeId(id as NodeId);
  const prober = nodeProber(nodes) as KeyedProber<unknown>;
  // A graph says of no node that games begin there.
  return {
    game: { name, colours: nodes.graph.players, format, diagram: format },
    prober,
    starts: [],
    at: (node) => node,
  };
}
