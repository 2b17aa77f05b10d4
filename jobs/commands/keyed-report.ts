/** `mergemate report` of keyed games, and of graphs. */
import { basename, resolve } from 'node:path';
import type { KeyedProber } from '../../pipeline/graph/keyed-prober.js';
import type { NodeId } from '../../pipeline/graph/source.js';
import { writeNodeId } from '../graph/node-id.js';
import type { MetricOptions } from '../options.js';
import { breathe, print, printJson } from '../output.js';
import { writeReport } from '../report/folder.js';
import { gatherKeyed, type KeyedGameReport, type ReportSource } from '../report/keyed-gather.js';
import { keyedPage, keyedPliesCsv, keyedPointsCsv, keyedResultsCsv } from '../report/keyed-page.js';
import { storeToRead } from '../stores.js';
import { type AskedGraph, graphMetric, requireNoneOfGraph } from './asked-graph.js';
import { type AskedKeyed, requireNone, solvedMetric } from './asked-keyed.js';

interface ReportFlags extends MetricOptions {
  readonly pieces?: number;
  readonly out: string;
  readonly force?: boolean;
}

export async function reportKeyed(
  asked: AskedKeyed,
  names: readonly string[],
  { pieces, out, force, ...flags }: ReportFlags,
): Promise<void> {
  requireNone(asked, names, { pieces });
  const { game, path } = asked;
  const metric = await solvedMetric(asked, flags);
  const { openKeyedProber } = await import('../../pipeline/graph/keyed-prober.js');
  const prober = await openKeyedProber(game, storeToRead(flags.store), metric);
  const at = (node: NodeId) => game.at(BigInt(node));
  await writeAll({ game, prober, starts: game.starts(), at }, path, { ...flags, out, force });
}

/** A graph says of no node that games begin there. */
export async function reportGraph(
  asked: AskedGraph,
  names: readonly string[],
  { pieces, out, force, ...flags }: ReportFlags,
): Promise<void> {
  requireNoneOfGraph(asked, names, { pieces });
  const { openGraphProber } = await import('../../pipeline/graph/graph-prober.js');
  const { nodeProber } = await import('../../pipeline/graph/node-prober.js');
  const metric = graphMetric(asked, flags.metric);
  const nodes = await openGraphProber(storeToRead(flags.store), asked.name, metric);
  const format = (id: unknown) => writeNodeId(id as NodeId);
  const game = { name: asked.name, colours: nodes.graph.players, format, diagram: format };
  const prober = nodeProber(nodes) as KeyedProber<unknown>;
  await writeAll({ game, prober, starts: [], at: (node) => node }, asked.path, { ...flags, out, force });
}

async function writeAll(
  source: ReportSource,
  path: string,
  { out, force, ...flags }: Omit<ReportFlags, 'force'> & { readonly force: boolean | undefined },
): Promise<void> {
  const { game, prober } = source;
  const { metric } = prober;
  // Readers of the page have no use for folders of this machine.
  const command = `mergemate report ${basename(path)} --metric ${metric} --out ${basename(resolve(out))}`;
  const texts: Record<string, (report: KeyedGameReport) => string> = {
    'index.html': (report) => keyedPage(report, command),
    'results.csv': keyedResultsCsv,
    ...(metric !== 'wdl' && { 'plies.csv': keyedPliesCsv }),
    ...(metric === 'score' && { 'points.csv': keyedPointsCsv }),
  };
  const gather = () => gatherKeyed(source, storeToRead(flags.store), breathe);
  const paths = await writeReport(out, force === true, texts, gather);
  if (flags.json) await printJson({ game: game.name, metric, files: paths });
  else await print(`${paths.join('\n')}\n`);
}
