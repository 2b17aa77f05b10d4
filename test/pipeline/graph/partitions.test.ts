/** Graphs that are cut into partitions: ranks solve and verify them as one process does. */

import { beforeAll, describe, expect, test } from 'vitest';
import { memoryStore } from '../../../operators/storage/memory.js';
import { newScratch } from '../../../operators/storage/scratch.js';
import { readAll, type Store } from '../../../operators/storage/store.js';
import { keyedGame } from '../../../pipeline/games/yours/keyed/keyed-game.js';
import { PART_NODES } from '../../../pipeline/graph/graph-layout.js';
import { solvableGraph } from '../../../pipeline/graph/graph-phases.js';
import { type GraphManifest, readGraphManifest } from '../../../pipeline/graph/manifest.js';
import { type SolvedGraph, solveGraph } from '../../../pipeline/graph/solve-graph.js';
import { solveKeyed } from '../../../pipeline/graph/solve-keyed.js';
import type { GraphNode, GraphSource } from '../../../pipeline/graph/source.js';
import { randomFrom } from '../../support/graph-game.js';
import { ifShort, LONG, LONGEST } from '../../support/long.js';
import { solveByRanks } from '../../support/ranks.js';
import { budgetOf, MiB } from '../../support/solving.js';
import { solving } from './memory-graph.js';

/** Three parts. */
const NODES = 2 * PART_NODES + 5000;
/** Number of nodes per hub. */
const HUBS_EACH = 9973;
const HUB_EDGES = 600;
const CHAIN = LONGEST ? 300 : 80;

/** The edges of hubs lead to nodes where the other player has won or wins; of every third hub one edge leads elsewhere. */
function hubAt(id: number): GraphNode {
  const owner = (id & 1) as 0 | 1;
  const edges = Array.from({ length: HUB_EDGES }, (_, e) => {
    const near = (id + e * 1013) % (NODES - 40);
    return near - (near % 20) + (e % 3 === 0 ? 4 : 2) - owner;
  });
  if (id % 3 === 0) edges[77] = id - (id % 20) + 7;
  return { id, owner, winner: null, edges };
}

function nodeAt(id: number, random: (below: number) => number): GraphNode {
  // A chain along which player 1 wins, and a hub that is lost with its last node: rounds are committed before that.
  if (id < CHAIN)
    return { id, owner: (id & 1) as 0 | 1, winner: id === 0 ? 1 : null, edges: id === 0 ? [] : [id - 1] };
  if (id === NODES - 1)
    return { id, owner: 0, winner: null, edges: Array.from({ length: CHAIN }, (_, to) => to) };
  if (id % HUBS_EACH === 17) return hubAt(id);
  const kind = id % 20;
  if (kind === 1 || kind === 2) return { id, owner: 0, winner: (kind - 1) as 0 | 1, edges: [] };
  // Their owners win in one.
  if (kind === 3 || kind === 4) return { id, owner: (kind - 3) as 0 | 1, winner: null, edges: [id - 2] };
  const edges = Array.from({ length: 1 + random(3) }, () =>
    random(8) > 0 ? Math.max(0, id - 1 - random(60)) : random(NODES),
  );
  return { id, owner: random(2) as 0 | 1, winner: kind === 5 ? 'nobody' : null, edges };
}

function largeSource(): GraphSource {
  return {
    name: 'a large graph',
    head: { players: ['zero', 'one'] },
    stuck: 'lost',
    async *read() {
      const random = randomFrom(11);
      for (let from = 0; from < NODES; from += 4096) {
        const length = Math.min(4096, NODES - from);
        yield { nodes: Array.from({ length }, (_, i) => nodeAt(from + i, random)), edges: [] };
      }
    },
    whereNode: async (number) => `node ${number}`,
    whereEdge: async (number) => `edge ${number}`,
    nameAtNode: async () => null,
    nameAtEdge: async () => null,
  };
}

/** From a position one may go to two others, or back to where there was a choice before. */
const tree = keyedGame<number>({
  name: 'tree',
  roots: () => [0],
  key: (i) => BigInt(i),
  position: (key) => Number(key),
  mover: (i) => (i % 3 === 0 ? 1 : 0),
  moves: (i) =>
    [2 * i + 1, 2 * i + 2, (i * 7) % (i + 3)].filter((to) => to < NODES).map((to) => [`to ${to}`, to]),
  ended: (i) => (i < NODES / 2 ? null : i % 7 < 2 ? 'won' : i % 7 < 6 ? 'lost' : 'drawn'),
  format: (i) => `#${i}`,
});

/** The imported graph, in a store of its own. */
async function importedInto(from: Store): Promise<Store> {
  const store = memoryStore();
  for (const name of await from.list('graph/import/')) {
    await store.putIfAbsent(name, (await readAll(from, name))!);
  }
  return store;
}

/** All that must not depend on who solves. */
function summaryOf({ table, verified }: SolvedGraph['summary']) {
  const { digests, positions, wins, losses, longestWin, rounds, requests } = table;
  return { digests, positions, wins, losses, longestWin, rounds, requests, verified };
}

const crews = [
  [2, 3],
  ...(LONGEST
    ? [
        [1, 2],
        [2, 2],
        [3, 3],
      ]
    : []),
];

describe.skipIf(!LONG).each(['a random graph with hubs', 'a keyed game'])(`%s${ifShort}`, (kind) => {
  const store = memoryStore();
  let graph: GraphManifest;
  let expected: ReturnType<typeof summaryOf>;

  beforeAll(async () => {
    const budget = budgetOf(32 * MiB);
    const scratch = newScratch(memoryStore(), 'scratch');
    const solved =
      kind === 'a keyed game'
        ? await solveKeyed({ game: tree, name: 'test', store, budget, scratch })
        : await solveGraph(
            solving({ nodes: [], edges: [], stuck: 'lost' }, { source: largeSource(), store, budget }),
          );
    graph = (await readGraphManifest(store, 'test'))!;
    expected = summaryOf(solved.summary);
  }, 240_000);

  test('has several parts, wins and losses', () => {
    expect(graph.nodes).toBe(NODES);
    expect(expected.verified).toBe(NODES);
    expect(Math.min(...expected.wins, ...expected.losses)).toBeGreaterThan(1000);
    if (kind === 'a keyed game') return;
    expect(graph.hubs).toBeGreaterThan(40);
    expect(expected.rounds).toBeGreaterThan(CHAIN);
  });

  test.each(crews)('%i ranks, %i partitions', async (ranks, partitions) => {
    const { summaries } = await solveByRanks(
      solvableGraph(graph),
      ['test'],
      { ranks, partitions, memory: 8 * MiB },
      await importedInto(store),
    );
    expect(summaryOf(summaries[0])).toEqual(expected);
  });
});
