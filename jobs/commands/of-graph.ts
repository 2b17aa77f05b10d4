/** The commands for games of all kinds, of graphs in JSON. */
import { UserError } from '../../operators/core/errors.js';
import { graphLine } from '../../pipeline/graph/graph-line.js';
import type { ProbedNode } from '../../pipeline/graph/graph-prober.js';
import { Defaults } from '../bounds.js';
import { readNodeId } from '../graph/node-id.js';
import type { MetricOptions, VerifyCommandOptions } from '../options.js';
import { print, printJson } from '../output.js';
import { parseMemory } from '../sizes.js';
import { graphLineJson, graphLineText } from '../ui/graph-line-text.js';
import { probedNodeJson } from '../ui/graph-text.js';
import { type AskedGraph, graphMetric, requireNoneOfGraph } from './asked-graph.js';
import type { ExportFlags } from './keyed.js';
import { type KeyedSolveFlags, solveAsGraph } from './solve-as-graph.js';

const usualMemory = () => parseMemory(Defaults.memory, 'default');

export async function solveGraphFile(
  asked: AskedGraph,
  names: readonly string[],
  flags: KeyedSolveFlags & { readonly [other: string]: unknown },
): Promise<void> {
  const metricOf = (metric: string | undefined) => graphMetric(asked, metric);
  await solveAsGraph(asked.path, flags, metricOf, (others) => requireNoneOfGraph(asked, names, others));
}

type LookupFlags = MetricOptions & { readonly published?: string; readonly syzygy?: string };

const needNode = ({ name }: AskedGraph) =>
  new UserError(`name a node of ${name}: a graph says of no node that games begin there`);

export async function probeGraph(
  asked: AskedGraph,
  node: string | undefined,
  { syzygy, ...flags }: LookupFlags,
): Promise<void> {
  requireNoneOfGraph(asked, [], { syzygy });
  if (node === undefined) throw needNode(asked);
  const { runProbe } = await import('./graph.js');
  await runProbe(asked.name, node, { ...flags, metric: graphMetric(asked, flags.metric) });
}

/** Answers lines with nodes. */
export async function graphAnswers(
  asked: AskedGraph,
  { syzygy, ...flags }: LookupFlags,
): Promise<(node: string) => Promise<object>> {
  requireNoneOfGraph(asked, [], { syzygy });
  const { openGraph } = await import('./graph.js');
  const prober = await openGraph(asked.name, graphMetric(asked, flags.metric), flags);
  return async (node) => {
    const found: ProbedNode | null = await prober.node(readNodeId(node));
    if (found === null) throw new UserError(`graph ${asked.name} has no node ${node}`);
    return { fen: node, ...probedNodeJson(found, await prober.edges(found.number), prober.graph.players) };
  };
}

export async function lineOfGraph(
  asked: AskedGraph,
  node: string | undefined,
  flags: LookupFlags,
): Promise<void> {
  if (node === undefined) throw needNode(asked);
  const { openGraph } = await import('./graph.js');
  const prober = await openGraph(asked.name, graphMetric(asked, flags.metric), flags);
  const line = await graphLine(prober, readNodeId(node));
  const { players } = prober.graph;
  if (flags.json) await printJson(graphLineJson(line, prober.metric, players));
  else await print(graphLineText(line, players));
}

export async function statsOfGraph(
  asked: AskedGraph,
  names: readonly string[],
  { pieces, ...flags }: MetricOptions & { readonly pieces?: number },
): Promise<void> {
  requireNoneOfGraph(asked, names, { pieces });
  const { runStats } = await import('./graph-stats.js');
  await runStats(asked.name, { ...flags, metric: graphMetric(asked, flags.metric) });
}

export async function verifyGraph(
  asked: AskedGraph,
  names: readonly string[],
  flags: VerifyCommandOptions,
): Promise<void> {
  const { pieces, published } = flags;
  requireNoneOfGraph(asked, names, { pieces, published });
  const { runVerify } = await import('./graph-verify.js');
  await runVerify(asked.name, { ...flags, metric: graphMetric(asked, flags.metric) });
}

export async function exportGraph(
  asked: AskedGraph,
  names: readonly string[],
  flags: ExportFlags,
): Promise<void> {
  const { pieces, columns } = flags;
  requireNoneOfGraph(asked, names, { pieces, columns });
  const { runExport } = await import('./graph.js');
  await runExport(asked.name, { ...flags, memory: usualMemory(), metric: graphMetric(asked, flags.metric) });
}
