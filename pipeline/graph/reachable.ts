/** The graph of the positions that moves lead to from the roots of a keyed game, as a source: finder.ts finds them. */
import { assert } from '../../operators/core/errors.js';
import type { SortEnv } from '../../operators/sort/env.js';
import { memoryCarrier } from '../engine/phases/exchange.js';
import type { KeyedRules } from '../games/yours/keyed/keyed-rules.js';
import { Finder } from './finder.js';
import type { FoundGraph, GraphNode, Layer, PackedNodes, TakeNodes } from './source.js';
import { unpacked } from './unpacked.js';

/**
 * The source. Its nodes are those of the layers in order, in each by the keys as they are mixed: the same at any budget. All that is wrong
 * with the game is a UserError that names the position.
 * @param env for those who look for a position by its number; an import finds the positions by its partitions.
 */
export function reachableGraph<Position>(game: KeyedRules<Position>, env: SortEnv): FoundGraph {
  const rules = game as KeyedRules;

  async function findNode(number: number): Promise<GraphNode> {
    let first = 0;
    let node: GraphNode | null = null;
    const look = (nodes: PackedNodes): void => {
      if (number < first + nodes.length) {
        node = unpacked(nodes)[number - first];
        throw FOUND;
      }
      first += nodes.length;
    };
    await findPositions(rules, env, look).catch((error) => {
      if (error !== FOUND) throw error;
    });
    assert(node !== null, `the graph has a node ${number}`);
    return node;
  }

  return {
    name: game.name,
    head: { players: game.colours },
    game: rules,
    stuck: game.stuck,
    async whereNode(number) {
      const { id } = await findNode(number);
      return `position ${number} (${rules.format(rules.at(id as bigint))})`;
    },
    async nameAtNode(number, wrong) {
      const { id, edges } = await findNode(number);
      return [id, ...edges].find(wrong) ?? null;
    },
    whereEdge: noEdges,
    nameAtEdge: noEdges,
  };
}

const FOUND = new Error('found');

async function noEdges(): Promise<never> {
  throw new Error('assertion failed: all edges are listed with their nodes');
}

/**
 * Finds all positions of a game by one finder, in this thread. @param env `env.budget` as that of a partition of an import.
 * @param take gets them in order. @throws UserError as {@link reachableGraph}.
 */
export async function findPositions<Position>(
  game: KeyedRules<Position>,
  env: SortEnv,
  take: TakeNodes,
  found: (layer: Layer) => void = () => {},
): Promise<void> {
  const place = { seed: 0, self: 0, of: 1, carrier: memoryCarrier(false), kept: env.scratch };
  const finder = new Finder({ game: game as KeyedRules, ...place }, env);
  try {
    let sent = await finder.sendRoots(false);
    let total = 0;
    for (let moves = 0; ; moves++) {
      const positions = await finder.receive([sent]);
      if (positions === 0) return;
      total += positions;
      found({ moves, positions, total });
      sent = await finder.expand(moves + 1, take, false);
    }
  } finally {
    await finder.close();
  }
}
