/** Looks nodes of graphs up in published files (format.ts). */
import { newOnce } from '../../../../operators/core/once.js';
import type { Store } from '../../../../operators/storage/store.js';
import type { Metric } from '../../../game/value.js';
import type { Words } from '../../../games/yours/keyed/key-words.js';
import type { GraphProber, ProbedEdge, ProbedNode } from '../../../graph/graph-prober.js';
import { keyWordsOf } from '../../../graph/ids.js';
import { valueFor } from '../../../graph/keyed-value.js';
import type { NodeId } from '../../../graph/source.js';
import { type BlockFileKind, openBlockFile } from '../keyed/block-file.js';
import { bucketCount, bucketOf, lookUp } from '../keyed/format.js';
import { worth } from '../keyed/values.js';
import {
  blockCount,
  NAMES_MAGIC,
  type NamesHeader,
  NODES_MAGIC,
  type NodeBlock,
  type NodesHeader,
  namesFileName,
  nodesFileName,
  readOwner,
  unpackBlock,
} from './format.js';

/** Unpacked blocks that are kept. */
const MOST_KEPT = 64;

export interface PublishedGraph extends GraphProber {
  readonly header: NodesHeader;
}

type Kind<Header> = Omit<BlockFileKind<Header>, 'missing'>;

export const nodesKind: Kind<NodesHeader> = {
  magic: NODES_MAGIC,
  what: 'published file of the nodes of a graph',
  count: blockCount,
};

export const namesKind: Kind<NamesHeader> = {
  magic: NAMES_MAGIC,
  what: 'published file of the names of a graph',
  count: bucketCount,
};

/** @throws UserError if the graph is not published there for the metric; StorageError, DamageError. */
export async function openPublishedGraph(
  store: Store,
  name: string,
  metric: Metric,
): Promise<PublishedGraph> {
  const missing = `graph ${name} is not published for ${metric}`;
  const nodes = await openBlockFile(store, nodesFileName(name, metric), { ...nodesKind, missing });
  const names = await openBlockFile(store, namesFileName(name, metric), { ...namesKind, missing });
  const { header } = nodes;
  const { blockNodes, values, players } = header;
  const { bucketBits, bits, seed } = names.header;
  const once = newOnce<number, NodeBlock>({ most: MOST_KEPT });
  const blockAt = (number: number) => once(number, async () => unpackBlock(await nodes.block(number)));

  function nodeIn({ ids, owners, values: own }: NodeBlock, row: number, number: number): ProbedNode {
    const [winner, plies, score = null] = values[own[row]];
    return { number, id: ids[row], ...readOwner(owners[row], winner), winner, plies, score };
  }

  async function nodeAt(number: number): Promise<ProbedNode> {
    const block = await blockAt(Math.floor(number / blockNodes));
    return nodeIn(block, number % blockNodes, number);
  }

  async function targetsOf(number: number): Promise<number[]> {
    const block = await blockAt(Math.floor(number / blockNodes));
    let target = 0;
    return block.edges[number % blockNodes].map((more) => (target += more));
  }

  return {
    graph: { name, players: [...players] },
    metric,
    header,
    async node(id: NodeId) {
      const key: Words = { high: 0, low: 0 };
      keyWordsOf(id, seed, key);
      const number = lookUp(await names.block(bucketOf(key, bucketBits)), key, bits);
      // Names that no node has lead anywhere.
      if (number * blockNodes >= header.nodes) return null;
      const block = await blockAt(number);
      const row = block.ids.indexOf(typeof id === 'bigint' ? Number(id) : id);
      return row < 0 ? null : nodeIn(block, row, number * blockNodes + row);
    },
    degree: async (number) => (await targetsOf(number)).length,
    async edges(number) {
      const { owner, isOver } = await nodeAt(number);
      if (isOver) return [];
      const found: ProbedEdge[] = [];
      for (const target of await targetsOf(number))
        found.push({ ...(await nodeAt(target)), exchanged: false });
      const worthOf = (node: ProbedNode) => worth(valueFor(owner, node));
      return found.sort((a, b) => worthOf(b) - worthOf(a) || a.number - b.number);
    },
  };
}
