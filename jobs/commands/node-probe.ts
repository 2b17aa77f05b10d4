/** Nodes of graphs in JSON, looked up for commands. */
import { existsSync } from 'node:fs';
import { UserError } from '../../operators/core/errors.js';
import type { Metric } from '../../pipeline/game/value.js';
import { graphLine } from '../../pipeline/graph/graph-line.js';
import type { GraphProber, ProbedNode } from '../../pipeline/graph/graph-prober.js';
import { digestOf } from '../graph/digest.js';
import { secondName } from '../graph/graph-of-file.js';
import { readNodeId } from '../graph/node-id.js';
import { print, printJson } from '../output.js';
import { storeToRead } from '../stores.js';
import { graphLineJson, graphLineText } from '../ui/graph-line-text.js';
import { nodeMovesJson, probedNodeJson, probedNodeText } from '../ui/graph-text.js';
import { type AskedGraph, graphMetric, type NodeFlags, solvedGraph } from './asked-graph.js';

/** The nodes of a solved graph, from the store or from published files. */
async function openNodes(asked: AskedGraph, flags: NodeFlags): Promise<GraphProber> {
  const { store, published } = flags;
  if (published !== undefined) return openPublished(asked, published, graphMetric(asked, flags.metric));
  const { graph, metric } = await solvedGraph(asked, flags);
  const { openGraphProber } = await import('../../pipeline/graph/graph-prober.js');
  return openGraphProber(storeToRead(store), graph.name, metric);
}

/**
 * The published nodes of a file: those of its own name or, where another file took that in the store, of its second. Without the
 * file, whatever is published by its name.
 */
async function openPublished({ path, name }: AskedGraph, uri: string, metric: Metric): Promise<GraphProber> {
  const { openPublishedGraph } = await import('../../pipeline/tables/publish/graph/published-graph.js');
  const { nodesFileName } = await import('../../pipeline/tables/publish/graph/format.js');
  const store = storeToRead(uri);
  if (!existsSync(path)) return openPublishedGraph(store, name, metric);
  const digest = await digestOf(path);
  const second = secondName(path, digest);
  const isSecond = (await store.size(nodesFileName(second, metric))) !== null;
  const prober = await openPublishedGraph(store, isSecond ? second : name, metric);
  const { fingerprint = digest } = prober.header;
  if (fingerprint === digest) return prober;
  throw new UserError(
    `graph ${name} in ${store.uri} was not published from ${path} as it is now: solve the file, and publish it again`,
  );
}

async function need(prober: GraphProber, name: string, node: string): Promise<ProbedNode> {
  const found = await prober.node(readNodeId(node));
  if (found === null) throw new UserError(`graph ${name} has no node ${node}`);
  return found;
}

function requireNode({ name }: AskedGraph, node: string | undefined): string {
  if (node !== undefined) return node;
  throw new UserError(`name a node of ${name}: a graph says of no node that games begin there`);
}

function nodeAnswer(prober: GraphProber, node: ProbedNode, after: readonly ProbedNode[]): object {
  const { players } = prober.graph;
  return {
    metric: prober.metric,
    ...probedNodeJson(node, after, players),
    ...nodeMovesJson(node, after, players),
  };
}

export async function probeOne(
  asked: AskedGraph,
  given: string | undefined,
  flags: NodeFlags,
): Promise<void> {
  const node = requireNode(asked, given);
  const prober = await openNodes(asked, flags);
  const found = await need(prober, asked.name, node);
  const after = await prober.edges(found.number);
  const { players } = prober.graph;
  if (flags.json) await printJson(nodeAnswer(prober, found, after));
  else await print(probedNodeText(found, after, players));
}

export async function answersOf(
  asked: AskedGraph,
  flags: NodeFlags,
): Promise<(node: string) => Promise<object>> {
  const prober = await openNodes(asked, flags);
  return async (node) => {
    const found = await need(prober, asked.name, node);
    return { fen: node, ...nodeAnswer(prober, found, await prober.edges(found.number)) };
  };
}

export async function printLine(
  asked: AskedGraph,
  given: string | undefined,
  flags: NodeFlags,
): Promise<void> {
  const node = requireNode(asked, given);
  const prober = await openNodes(asked, flags);
  const line = await graphLine(prober, readNodeId(node));
  const { players } = prober.graph;
  if (flags.json) await printJson(graphLineJson(line, prober.metric, players));
  else await print(graphLineText(line, players));
}
