/**
 * The published files of a graph, two block files (keyed/block-file.ts). A graph has no rules, so its nodes and edges are published,
 * too:
 *
 *   GRAPH.METRIC.nodes   {@link NodesHeader}; blocks: CRC-32, and a deflated {@link NodeBlock} as JSON
 *   GRAPH.METRIC.names   {@link NamesHeader}; buckets (keyed/format.ts): from the keys of names to the numbers of blocks
 *
 * A name is looked up by its key (graph/ids.ts), which leads to a block, and the block has the names of its nodes. So a name that no
 * node has is not found.
 */
import type { Side } from '../../../game/game.js';
import type { Metric } from '../../../game/value.js';
import type { ProbedNode } from '../../../graph/graph-prober.js';
import type { NodeId } from '../../../graph/source.js';
import type { BucketShape, PublishedValue } from '../keyed/format.js';

export const NODES_MAGIC = 'MMNODES1';
export const NAMES_MAGIC = 'MMNAMES1';
/** Bytes before what is deflated. */
export const BLOCK_HEAD = 4;

export interface NodesHeader {
  readonly graph: string;
  readonly metric: Metric;
  readonly players: readonly [string, string];
  readonly nodes: number;
  readonly edges: number;
  /** That of the graph's manifest: the digest of the file, say. Files of earlier releases have none. */
  readonly fingerprint?: string;
  /** How many nodes each block has, but the last. */
  readonly blockNodes: number;
  readonly values: readonly PublishedValue[];
  /** The first node of the source. */
  readonly first: NodeId;
}

export interface NamesHeader extends BucketShape {
  readonly graph: string;
  /** The seed of the keys of names. */
  readonly seed: number;
}

export interface NodeBlock {
  readonly ids: NodeId[];
  /** A character a node, {@link ownerLetter}. */
  readonly owners: string;
  /** Numbers of values. */
  readonly values: number[];
  /** Where the edges of each node lead: the first number, then by how much each is more than the one before. */
  readonly edges: number[][];
}

/** `-` where the play is over and its owner has lost, or is player 0 and nobody has; `+` for the other player. */
export function ownerLetter({ owner, isOver, winner }: OwnedNode): string {
  if (!isOver) return String(owner);
  return owner === endOwner(winner) ? '-' : '+';
}

export function readOwner(letter: string, winner: Side | null): Pick<OwnedNode, 'owner' | 'isOver'> {
  const isOver = letter === '-' || letter === '+';
  if (!isOver) return { owner: letter === '1' ? 1 : 0, isOver };
  const owner = endOwner(winner);
  return { owner: letter === '-' ? owner : ((1 - owner) as Side), isOver };
}

type OwnedNode = Pick<ProbedNode, 'owner' | 'isOver' | 'winner'>;

function endOwner(winner: Side | null): Side {
  return winner === 0 ? 1 : 0;
}

export function nodesFileName(graph: string, metric: Metric): string {
  return `${graph}.${metric}.nodes`;
}

export function namesFileName(graph: string, metric: Metric): string {
  return `${graph}.${metric}.names`;
}

/** How many blocks there are; null if that cannot be. */
export function blockCount({ nodes, blockNodes, values, players }: NodesHeader): number | null {
  const areCounts = [nodes, blockNodes].every((each) => Number.isSafeInteger(each) && each > 0);
  return areCounts && Array.isArray(values) && Array.isArray(players) ? Math.ceil(nodes / blockNodes) : null;
}

/** A block as bytes, with room for its CRC-32. */
export async function packBlock(block: NodeBlock): Promise<Uint8Array> {
  const text = new TextEncoder().encode(JSON.stringify(block));
  const packed = await through(text, new CompressionStream('deflate-raw'));
  const bytes = new Uint8Array(BLOCK_HEAD + packed.length);
  bytes.set(packed, BLOCK_HEAD);
  return bytes;
}

export async function unpackBlock(bytes: Uint8Array): Promise<NodeBlock> {
  const text = await through(bytes.slice(BLOCK_HEAD), new DecompressionStream('deflate-raw'));
  return JSON.parse(new TextDecoder().decode(text)) as NodeBlock;
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array> {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}
