/** Looks nodes of a solved graph up by their names. */

import { newCounters } from '../../operators/core/counters.js';
import { StorageError } from '../../operators/core/errors.js';
import type { Store } from '../../operators/storage/store.js';
import type { Side } from '../game/game.js';
import { stipulations } from '../game/stipulation.js';
import { brokenCode, type Metric, preference } from '../game/value.js';
import { type BlockCache, newBlockCache } from '../tables/probe/block-cache.js';
import { type EdgeNames, edgeNamesOf } from './edge-names.js';
import {
  exchangedOfWord,
  isOpen,
  KEY_MASK,
  keepsSide,
  NODE_MASK,
  ownerOf,
  PART_SHIFT,
  SIDE_OF_NODE,
  sideOfWord,
  unitShift,
} from './graph-layout.js';
import { idOf } from './ids.js';
import { openNodeIndex } from './index-run.js';
import { openGraphRuns } from './joined-runs.js';
import type { GraphManifest } from './manifest.js';
import { openNames } from './node-names.js';
import { outcomesOf, type Winning, winningOf } from './outcomes.js';
import { partOrderOf } from './part-order.js';
import { needSolvedGraph } from './solved-graph.js';
import type { NodeId } from './source.js';
import { alongEdge } from './verify-graph.js';

/** A node, and who wins from there. */
export interface ProbedNode extends Winning {
  /** In the order of the source, from 0. */
  readonly number: number;
  readonly id: NodeId;
  /** The player who chooses there, or would if the play were not over: by the file of a graph, or by the rules of a keyed game. */
  readonly owner: Side;
  readonly isOver: boolean;
}

/** A node that an edge leads to. */
export interface ProbedEdge extends ProbedNode {
  /**
   * Of keyed games whose symmetries exchange colours: the edge leads to this node with its colours exchanged. `owner` and `winner` are those
   * of the node, so that each is the other one for the node that the edge comes from.
   */
  readonly exchanged: boolean;
}

/** Looks nodes of a solved graph up. */
export interface GraphProber {
  readonly graph: Pick<GraphManifest, 'name' | 'players' | 'roots'>;
  readonly metric: Metric;
  /** Null if there is no node of that name. Reads a few blocks. */
  node(id: NodeId): Promise<ProbedNode | null>;
  /** How many edges a node has. */
  degree(number: number): Promise<number>;
  /** The nodes that the edges of a node lead to, best first for the player who chooses there. */
  edges(number: number): Promise<ProbedEdge[]>;
  /** The names of the edges of a node. Left out where edges have none. */
  edgeNames?(number: number): Promise<EdgeNames>;
}

const CACHE_BYTES = 16 << 20;

/**
 * @param cache of blocks of tables, which other probers may use, too.
 * @throws UserError if there is no such graph, or it is not solved for the metric; StorageError, DamageError.
 */
export async function openGraphProber(
  store: Store,
  name: string,
  metric: Metric,
  cache: BlockCache = newBlockCache(CACHE_BYTES),
): Promise<GraphProber> {
  const counters = newCounters();
  const { graph, table } = await needSolvedGraph(store, name, metric, counters);
  const index = await openNodeIndex(store, graph.runs, graph.seed, counters);
  const names = await openNames(store, graph.runs.names, counters);
  const nodes = await openGraphRuns(store, graph, 'nodes', counters);
  const successors = await openGraphRuns(store, graph, 'successors', counters);
  const { moves } = graph.runs;
  const edgeNames = moves === undefined ? null : await openNames(store, moves, counters);
  const { slicePart } = partOrderOf(graph);
  const shift = unitShift(graph.nodes);
  const broken = brokenCode(table.manifest.valueType);
  const outcomes = outcomesOf(graph, table.manifest);

  /** The word of a node (graph-layout.ts). */
  async function nodeOf(number: number): Promise<number> {
    const row = number & KEY_MASK;
    const { first, columns } = await nodes.denseBlock(number >>> PART_SHIFT, row);
    return columns[0][row - first] | (columns[1][row - first] << 8);
  }

  async function codeOf(number: number, side: Side): Promise<number> {
    const code = await cache.code(table, side, slicePart[number >>> PART_SHIFT], number & KEY_MASK);
    if (code !== broken) return code;
    throw new StorageError(store.uri, `the table of graph ${name} has no value for node ${number}`);
  }

  async function probe(number: number): Promise<ProbedNode> {
    const word = await nodeOf(number);
    const side = (word & SIDE_OF_NODE) as Side;
    const value = winningOf(side, outcomes.of(await codeOf(number, side)));
    const id = idOf(await names.of(number));
    return { number, id, owner: ownerOf(word), isOver: !isOpen(word), ...value };
  }

  async function wordsOf(number: number): Promise<number[]> {
    const unit = number >>> shift;
    const words: number[] = [];
    for await (const { minor, length, payload } of successors.cursor({ from: unit, to: unit + 1 })) {
      if (minor[length - 1] < number) continue;
      if (minor[0] > number) break;
      for (let i = 0; i < length; i++) if (minor[i] === number) words.push(payload[0][i]);
    }
    return words;
  }

  return {
    graph,
    metric,
    async node(id) {
      const number = await index.node(id);
      return number === null ? null : probe(number);
    },
    ...(edgeNames !== null && {
      edgeNames: async (number: number) => edgeNamesOf(await edgeNames.of(number)),
    }),
    degree: async (number) => (await wordsOf(number)).length,
    async edges(number) {
      const owner = ((await nodeOf(number)) & SIDE_OF_NODE) as Side;
      const ranked: { node: number; exchanged: boolean; rank: number }[] = [];
      for (const word of await wordsOf(number)) {
        const node = word & NODE_MASK;
        const side = sideOfWord(word);
        const isSame = keepsSide(word, owner) === 1;
        const code = alongEdge(await codeOf(node, side), isSame, !stipulations[metric].plies);
        ranked.push({ node, exchanged: exchangedOfWord(word) === 1, rank: preference(code) });
      }
      ranked.sort((a, b) => b.rank - a.rank || a.node - b.node);
      const found: ProbedEdge[] = [];
      for (const { node, exchanged } of ranked) found.push({ ...(await probe(node)), exchanged });
      return found;
    },
  };
}
