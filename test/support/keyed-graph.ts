/** Random graphs as keyed games, and the positions that a naive search reaches in them. */

import type { SortEnv } from '../../operators/sort/env.js';
import { type Random, seededRandom } from '../../pipeline/game/sample.js';
import { bitsOf } from '../../pipeline/games/yours/keyed/key-words.js';
import { keyedGame } from '../../pipeline/games/yours/keyed/keyed-game.js';
import type { KeyedRules } from '../../pipeline/games/yours/keyed/keyed-rules.js';
import { findPositions } from '../../pipeline/graph/reachable.js';
import type { GraphNode, Layer } from '../../pipeline/graph/source.js';
import { unpacked } from '../../pipeline/graph/unpacked.js';

export interface DrawnGraph {
  readonly keys: readonly bigint[];
  /** Of the keys, if it is more than 64. */
  readonly keyBits?: number;
  readonly roots: readonly number[];
  /** Numbers of nodes; many lead nowhere. */
  readonly moves: readonly (readonly number[])[];
}

/** Every node has up to `most` moves, to nodes up to `reach` away (as on a ring), or anywhere. */
export function drawGraph(keys: readonly bigint[], most: number, reach: number, random: Random): DrawnGraph {
  const n = keys.length;
  const moves = keys.map((_, i) =>
    Array.from({ length: random(most + 1) }, () => (reach >= n ? random(n) : (i + random(reach + 1)) % n)),
  );
  const keyBits = Math.max(64, ...keys.map(bitsOf));
  return { keys, keyBits, roots: Array.from({ length: 1 + random(3) }, () => random(n)), moves };
}

export function graphGame({ keys, keyBits = 64, roots, moves }: DrawnGraph): KeyedRules<number> {
  const numbers = new Map(keys.map((key, i) => [key, i]));
  return keyedGame<number>({
    name: 'drawn',
    keyBits,
    roots: () => roots,
    key: (i) => keys[i],
    position: (key) => numbers.get(key)!,
    mover: (i) => (i % 3 === 0 ? 1 : 0),
    moves: (i) => moves[i].map((to) => [`to ${to}`, to] as const),
    ended: (i) => ([null, 'won', 'lost', 'drawn'] as const)[i % 40] ?? null,
    format: (i) => `#${i}`,
  });
}

/** A drawn graph of so many keys, with up to six moves a node, as a game. @param keys spread over 64 bits, unless others are given. */
export function drawnGame(
  count: number,
  reach: number,
  seed: number,
  keys: readonly bigint[] = Array.from(
    { length: count },
    (_, i) => (BigInt(i) * 0x9e37_79b9_7f4a_7c15n) % 2n ** 64n,
  ),
): KeyedRules {
  return graphGame(drawGraph(keys, 6, reach, seededRandom(seed))) as KeyedRules;
}

/** Keys by layer, found with a set. */
export function reachedNaively({ keys, roots, moves }: DrawnGraph): bigint[][] {
  const seen = new Set<number>(roots);
  const layers: number[][] = [];
  for (let layer = [...seen]; layer.length > 0; ) {
    layers.push(layer);
    const next: number[] = [];
    for (const i of layer) {
      if ([1, 2, 3].includes(i % 40)) continue;
      for (const to of moves[i]) {
        if (seen.has(to)) continue;
        seen.add(to);
        next.push(to);
      }
    }
    layer = next;
  }
  return layers.map((layer) => layer.map((i) => keys[i]));
}

export async function nodesOf<Position>(
  game: KeyedRules<Position>,
  env: SortEnv,
  found?: (layer: Layer) => void,
): Promise<GraphNode[]> {
  const nodes: GraphNode[] = [];
  await findPositions(game, env, (packed) => void nodes.push(...unpacked(packed)), found);
  return nodes;
}
