/**
 * Publishes a solved graph as two small files (format.ts). A scan reads its nodes, names, values and edges, which are all in the order of the
 * nodes. Another one reads the names, whose keys are put in order.
 *
 * Memory: a block of nodes with their edges, twice; `budget.memory` to order keys. I/O: two scans, 16 bytes a node spilled if keys do not fit.
 */
import { newCounters } from '../../../../operators/core/counters.js';
import { assert } from '../../../../operators/core/errors.js';
import { newRows } from '../../../../operators/runs/rows.js';
import type { Batch, Cursor, RowSource } from '../../../../operators/runs/types.js';
import type { Words } from '../../../games/yours/keyed/key-words.js';
import { NODE_MASK } from '../../../graph/graph-layout.js';
import { graphStats } from '../../../graph/graph-stats.js';
import { idOf, keyWordsOf } from '../../../graph/ids.js';
import { openGraphRuns } from '../../../graph/joined-runs.js';
import { openNames } from '../../../graph/node-names.js';
import { scanNodes } from '../../../graph/scan-nodes.js';
import { needSolvedGraph, type OpenedGraph } from '../../../graph/solved-graph.js';
import { putBlockFile } from '../keyed/block-file.js';
import { bucketShape, bucketsOf, MOST_NUMBERS, putKey } from '../keyed/buckets.js';
import type { PublishGraphOptions } from '../keyed/publish-options.js';
import { publishedValue, publishedValues } from '../keyed/values.js';
import {
  blockCount,
  NAMES_MAGIC,
  type NamesHeader,
  NODES_MAGIC,
  type NodeBlock,
  type NodesHeader,
  namesFileName,
  nodesFileName,
  ownerLetter,
  packBlock,
  unpackBlock,
} from './format.js';

export interface PublishedGraphFiles {
  readonly header: NodesHeader;
  /** The objects. */
  readonly names: readonly [string, string];
  readonly bytes: number;
  readonly verified: boolean;
}

/** Nodes of a block: a page reads some kilobytes for each. */
const BLOCK_NODES = 256;
const ROWS = 1 << 14;

/** @throws UserError if the graph is not solved for the metric; StorageError, DamageError. */
export async function publishGraph(options: PublishGraphOptions): Promise<PublishedGraphFiles> {
  const { store, name, metric, to, verify } = options;
  const opened = await needSolvedGraph(store, name, metric);
  const { graph } = opened;
  const { outcomes } = await graphStats(store, name, metric, async () => {});
  const values = publishedValues(outcomes);
  const names = await openNames(store, graph.runs.names, newCounters());
  let blockNodes = BLOCK_NODES;
  while (graph.nodes / blockNodes > MOST_NUMBERS) blockNodes *= 2;
  const { players, nodes, edges, seed, fingerprint } = graph;
  const header: NodesHeader = {
    graph: name,
    metric,
    players,
    nodes,
    edges,
    fingerprint,
    blockNodes,
    values,
    first: idOf(await names.of(0)),
  };
  const count = blockCount(header)!;
  const shape: NamesHeader = { graph: name, seed, ...bucketShape(nodes, count) };

  const objects = [nodesFileName(name, metric), namesFileName(name, metric)] as const;
  const nodeBlocks = blocksOf(options, opened, header);
  const buckets = bucketsOf(keysOfNames(names.all(), seed, blockNodes), shape, options);
  const nodesFile = { magic: NODES_MAGIC, header, count, blocks: nodeBlocks };
  const namesFile = { magic: NAMES_MAGIC, header: shape, count: 2 ** shape.bucketBits, blocks: buckets };
  const bytes =
    (await putBlockFile(to, objects[0], nodesFile, verify)) +
    (await putBlockFile(to, objects[1], namesFile, verify));
  return { header, names: objects, bytes, verified: verify };
}

/** (mixed key | its lower word, number of the block) of all names. */
async function* keysOfNames(names: AsyncIterable<string>, seed: number, blockNodes: number): RowSource {
  const rows = newRows(ROWS, 2);
  const key: Words = { high: 0, low: 0 };
  let node = 0;
  for await (const name of names) {
    keyWordsOf(idOf(name), seed, key);
    putKey(rows, key.high, key.low, Math.floor(node++ / blockNodes));
    if (rows.length < ROWS) continue;
    yield rows;
    rows.length = 0;
  }
  if (rows.length > 0) yield rows;
}

/** Blocks of nodes, each read back and compared. */
async function* blocksOf(
  { store }: PublishGraphOptions,
  opened: OpenedGraph,
  header: NodesHeader,
): AsyncGenerator<Uint8Array> {
  const counters = newCounters();
  const { runs } = opened.graph;
  const names = (await openNames(store, runs.names, counters)).all();
  const successors = await openGraphRuns(store, opened.graph, 'successors', counters);
  const edges = newEdgeReader(successors.cursor());
  const numbers = new Map(header.values.map((value, i) => [String(value), i]));
  const newBlock = () => ({ ids: [], owners: '', values: [], edges: [] }) as Writable<NodeBlock>;
  let block = newBlock();

  async function packed(): Promise<Uint8Array> {
    const bytes = await packBlock(block);
    assert(JSON.stringify(await unpackBlock(bytes)) === JSON.stringify(block), 'a block is read as written');
    block = newBlock();
    return bytes;
  }

  try {
    for await (const nodes of scanNodes(store, opened, counters)) {
      for (let i = 0; i < nodes.length; i++) {
        block.ids.push(idOf((await names.next()).value as string));
        const value = nodes.winningOf(i);
        const [owner, isOver] = [nodes.ownerOf(i), nodes.isOver(i)];
        block.owners += ownerLetter({ owner, isOver, winner: value.winner });
        block.values.push(numbers.get(String(publishedValue(value)))!);
        block.edges.push(await edges.of(nodes.first + i));
        if (block.ids.length === header.blockNodes) yield await packed();
      }
    }
    if (block.ids.length > 0) yield await packed();
  } finally {
    await names.return?.(undefined);
    await edges.close();
  }
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** The edges of nodes that ascend, as blocks have them. */
function newEdgeReader(cursor: Cursor) {
  const rows = cursor[Symbol.asyncIterator]();
  let batch: Batch | null = null;
  let at = 0;
  let isOver = false;
  return {
    async of(node: number): Promise<number[]> {
      const targets: number[] = [];
      while (!isOver) {
        if (batch === null || at === batch.length) {
          const next = await rows.next();
          isOver = next.done === true;
          batch = next.done === true ? null : next.value;
          at = 0;
          continue;
        }
        if (batch.minor[at] !== node) break;
        targets.push(batch.payload[0][at++] & NODE_MASK);
      }
      targets.sort((a, b) => a - b);
      return targets.map((target, i) => (i === 0 ? target : target - targets[i - 1]));
    },
    close: async () => void (await rows.return?.()),
  };
}
