/** Reachable sets against a naive search, at budgets at which everything spills. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../pipeline/game/sample.js';
import { keyedGame } from '../../../pipeline/games/yours/keyed/keyed-game.js';
import { findPositions, reachableGraph } from '../../../pipeline/graph/reachable.js';
import type { Layer } from '../../../pipeline/graph/source.js';
import { environment, leftovers } from '../../operators/model.js';
import { type DrawnGraph, drawGraph, graphGame, nodesOf, reachedNaively } from '../../support/keyed-graph.js';
import { keysOfOneHash, readBigKey as readKey } from '../../support/keyed-rows.js';

const ascending = (keys: readonly bigint[]) => [...keys].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));

/** Enumerates a graph and compares everything with the naive search. Returns the operators' counters. */
async function compare(graph: DrawnGraph, memory: number, fanIn: number, batchRows: number) {
  const env = environment(memory, fanIn, batchRows);
  const game = graphGame(graph);
  const layers: Layer[] = [];
  const nodes = await nodesOf(game, env, (layer) => layers.push(layer));
  const expected = reachedNaively(graph);
  expect(layers.map(({ positions }) => positions)).toEqual(expected.map((layer) => layer.length));
  expect(layers.map(({ moves }) => moves)).toEqual(expected.map((_, i) => i));
  let first = 0;
  for (const layer of expected) {
    const ids = nodes.slice(first, (first += layer.length)).map(({ id }) => id as bigint);
    expect(ascending(ids)).toEqual(ascending(layer));
  }
  expect(nodes.length).toBe(first);
  expect(layers.at(-1)!.total).toBe(first);
  const numbers = new Map(graph.keys.map((key, i) => [key, i]));
  for (const { id, owner, winner, edges } of nodes) {
    const i = numbers.get(id as bigint)!;
    const mover = i % 3 === 0 ? 1 : 0;
    const over = { 1: mover, 2: 1 - mover, 3: 'nobody' }[i % 40];
    if (over === undefined) expect(owner).toBe(mover);
    expect(winner).toBe(over ?? null);
    expect(edges).toEqual(over === undefined ? graph.moves[i].map((to) => graph.keys[to]) : []);
  }
  expect(await leftovers(env)).toEqual([]);
  return { nodes, counters: env.counters };
}

/** Keys whose spread forms have their first 44 bits in common, and so are tied when sorted. */
function tiedKeys(count: number): bigint[] {
  const payload = Uint32Array.from({ length: count }, (_, i) => i * 7);
  const minor = new Uint32Array(count).fill(0xfffffff0);
  return Array.from(payload, (_, at) => readKey({ major: 17, length: count, minor, payload: [payload] }, at));
}

const kinds: Record<string, (count: number, random: (n: number) => number) => bigint[]> = {
  anyhow: (count, random) => Array.from({ length: count }, () => randomKey(random)),
  'by the lowest bits': (count) => Array.from({ length: count }, (_, i) => 0xfedcba98_00000000n + BigInt(i)),
  'by the highest bits': (count) => Array.from({ length: count }, (_, i) => BigInt(i) << 52n),
  'from both ends': (count) =>
    Array.from({ length: count }, (_, i) => (i % 2 === 0 ? BigInt(i) : 2n ** 64n - BigInt(i))),
  tied: tiedKeys,
  'of 70 bits': (count, random) =>
    Array.from({ length: count }, () => randomKey(random) << BigInt(random(7))),
  'of 300 bits, which differ anywhere': (count, random) =>
    Array.from({ length: count }, (_, i) => BigInt(i + 1) << BigInt(random(28) * 10)),
  'of 160 bits and one hash': (count) => keysOfOneHash(count, 160),
};

function randomKey(random: (n: number) => number): bigint {
  return (BigInt(random(2 ** 32)) << 32n) | BigInt(random(2 ** 32));
}

describe.each(Object.entries(kinds))('keys %s', (_, keysOf) => {
  test('give the same set in the same order at any budget', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          count: fc.constantFrom(1, 2, 50, 700),
          most: fc.integer({ min: 0, max: 6 }),
          reach: fc.constantFrom(1, 3, 30, 1 << 20),
          seed: fc.nat(),
          memory: fc.constantFrom(3000, 10_000, 60_000),
          fanIn: fc.constantFrom(2, 3, 16),
          batchRows: fc.constantFrom(1, 50, 65_536),
        }),
        async ({ count, most, reach, seed, memory, fanIn, batchRows }) => {
          const random = seededRandom(seed);
          const graph = drawGraph(keysOf(count, random), most, reach, random);
          const scant = await compare(graph, memory, fanIn, batchRows);
          const ample = await compare(graph, 1 << 22, 16, 65_536);
          expect(ample.counters.bytesWritten).toBe(0);
          expect(scant.nodes).toEqual(ample.nodes);
        },
      ),
      { seed: 51, numRuns: 12 },
    );
  });
});

test('everything spills in a tiny budget, with the same result', async () => {
  const random = seededRandom(9);
  const graph = drawGraph(kinds.anyhow(6000, random), 5, 1 << 20, random);
  const { counters } = await compare(graph, 20_000, 3, 65_536);
  expect(counters.spills).toBeGreaterThan(20);
  // Keys, in sets that are merged, and successors: several times the keys.
  expect(counters.bytesWritten).toBeGreaterThan(3 * 8 * 6000);
});

test('many layers of one position are searched to the end', async () => {
  const count = 1000;
  const keys = Array.from({ length: count }, (_, i) => BigInt(i) * 0x1_0000_0001n);
  const ring = { keys, roots: [0], moves: keys.map((_, i) => [(i + 1) % count]) };
  const game = keyedGame<number>({
    name: 'ring',
    roots: () => [0],
    key: (i) => keys[i],
    mover: () => 0 as const,
    position: (key) => Number(key & 0xffffffffn),
    moves: (i) => ring.moves[i].map((to) => ['on', to] as const),
  });
  const env = environment(5 << 15, 4, 1000);
  const nodes = await nodesOf(game, env);
  expect(nodes.map(({ id }) => id)).toEqual(keys);
  // A layer reads only those visited positions that may be near its one key.
  expect(env.counters.bytesRead).toBeLessThan((8 * count * count) / 2);
});

test('a reader that stops early leaves nothing in scratch', async () => {
  const random = seededRandom(3);
  const graph = drawGraph(kinds.anyhow(2000, random), 4, 1 << 20, random);
  const env = environment(10_000, 3, 1000);
  let batches = 0;
  const stops = findPositions(graphGame(graph), env, (nodes) => {
    expect(nodes.length).toBeGreaterThan(0);
    if (++batches === 30) throw new Error('enough');
  });
  await expect(stops).rejects.toThrow('enough');
  expect(batches).toBe(30);
  expect(await leftovers(env)).toEqual([]);
});

test('positions are named by their numbers', async () => {
  const random = seededRandom(4);
  const graph = drawGraph(kinds.anyhow(400, random), 4, 1 << 20, random);
  const game = graphGame(graph);
  const source = reachableGraph(game, environment(10_000, 3, 1000));
  const nodes = await nodesOf(game, environment(10_000, 3, 1000));
  const number = 33;
  const { id, edges } = nodes[number];
  expect(await source.whereNode(number)).toBe(`position 33 (#${graph.keys.indexOf(id as bigint)})`);
  expect(await source.nameAtNode(number, () => true)).toBe(id);
  expect(await source.nameAtNode(number, (name) => name === edges[0])).toBe(edges[0] ?? null);
  expect(await source.nameAtNode(number, () => false)).toBe(null);
});
