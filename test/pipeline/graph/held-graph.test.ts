/** A graph that is found and solved in memory is the graph that sorting finds and rounds solve. */
import { createHash } from 'node:crypto';
import { keyedGame, type NamedMove, type Side } from 'mergemate';
import { expect, test } from 'vitest';
import { newCounters } from '../../../operators/core/counters.js';
import { openRun } from '../../../operators/runs/reader.js';
import { memoryStore } from '../../../operators/storage/memory.js';
import { newScratch } from '../../../operators/storage/scratch.js';
import type { Store } from '../../../operators/storage/store.js';
import { solveOne } from '../../../pipeline/engine/crew/do-slice.js';
import { inlineEngine } from '../../../pipeline/engine/crew/engine.js';
import type { Solvable } from '../../../pipeline/engine/crew/slice-phases.js';
import { seededRandom } from '../../../pipeline/game/sample.js';
import type { KeyedRules } from '../../../pipeline/games/yours/keyed/keyed-rules.js';
import { solvableGraph } from '../../../pipeline/graph/graph-phases.js';
import { importGraph } from '../../../pipeline/graph/import.js';
import type { ImportOptions } from '../../../pipeline/graph/import-options.js';
import type { GraphManifest } from '../../../pipeline/graph/manifest.js';
import { reachableGraph } from '../../../pipeline/graph/reachable.js';
import type { Layer } from '../../../pipeline/graph/source.js';
import { TooLarge } from '../../../pipeline/graph/too-large.js';
import { connectFour } from '../../../samples/connect-four/rules.js';
import { dotsAndBoxes } from '../../../samples/dots-and-boxes/game.js';
import { drawGraph, graphGame } from '../../support/keyed-graph.js';
import { keysOfOneHash } from '../../support/keyed-rows.js';
import { ifShort, LONG, sweep } from '../../support/long.js';
import { budgetOf, MiB } from '../../support/solving.js';
import { type GraphShape, memorySource, randomGraph } from './memory-graph.js';

interface Imported {
  readonly graph: GraphManifest;
  readonly store: Store;
  readonly layers: readonly Layer[];
}

/** `more.commitRows`: so few that the graph is not found in memory. */
async function imported(game: KeyedRules, more: Partial<ImportOptions> = {}): Promise<Imported> {
  const store = memoryStore();
  const scratch = newScratch(memoryStore(), 'scratch');
  const budget = budgetOf(32 * MiB);
  const layers: Layer[] = [];
  const source = reachableGraph(game, { budget, scratch, counters: newCounters() });
  const graph = await importGraph({
    name: 'held',
    fingerprint: '1',
    source,
    store,
    scratch,
    budget,
    report: () => {},
    phase: () => {},
    found: (layer) => layers.push(layer),
    ...more,
  });
  return { graph, store, layers };
}

/** How many numbers the runs of the graph hold, and their digests. */
async function rowsOf({ graph, store }: Imported): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const { names, index, nodes, successors, hubs } = graph.runs;
  for (const [what, [ref]] of Object.entries({ index, nodes, successors, hubs, names: [names] })) {
    const run = await openRun(store, ref, { counters: newCounters() });
    const rows: number[] = [];
    const take = (length: number, columns: readonly ArrayLike<number>[]) => {
      for (let i = 0; i < length; i++) for (const column of columns) rows.push(column[i]);
    };
    if (run.spec.dense)
      for await (const { major, length, columns } of run.denseCursor()) {
        take(1, [[major]]);
        take(length, columns);
      }
    else
      for await (const { major, length, minor, payload } of run.cursor())
        take(length, [new Array(length).fill(major), minor, ...payload]);
    found[what] = `${rows.length} ${createHash('sha256').update(Float64Array.from(rows)).digest('hex')}`;
  }
  return found;
}

function drawn(keys: readonly bigint[]): KeyedRules<number> {
  return graphGame(drawGraph(keys, 5, 1 << 20, seededRandom(3)));
}

test.each(
  sweep<[string, unknown, number]>(
    [
      ['Connect Four 4x3', keyedGame(connectFour(4, 3)), 3],
      [
        'keys of 100 bits',
        drawn(Array.from({ length: 900 }, (_, i) => (BigInt(i) << 90n) + BigInt(i % 7))),
        3,
      ],
      ['keys of 160 bits and one hash', drawn(keysOfOneHash(300, 160)), 3],
    ],
    [['dots and boxes, with scores', keyedGame(dotsAndBoxes(2)), 500]],
  ),
)('%s: found in memory as by sorting', async (_, game, commitRows) => {
  const held = await imported(game as KeyedRules);
  const sorted = await imported(game as KeyedRules, { commitRows: commitRows as number });
  expect(held.graph.counters.rowsSorted).toBe(0);
  expect(sorted.graph.counters.rowsSorted).toBeGreaterThan(held.graph.nodes);
  // How many moves are compared beyond the first depends on the order in which positions are found.
  const { runs, counters, movesCompared, ...facts } = held.graph;
  expect(sorted.graph).toMatchObject(facts);
  expect(held.layers).toEqual(sorted.layers);
  expect(await rowsOf(held)).toEqual(await rowsOf(sorted));
});

test.each<[string, unknown, number, number]>([
  ['Connect Four 4x4', keyedGame(connectFour(4, 4)), 150_000, 32 * MiB],
  ['keys of 100 bits', drawn(Array.from({ length: 900 }, (_, i) => BigInt(i) << 90n)), 1500, 32 * MiB],
  ['little memory', keyedGame(connectFour(4, 4)), 1 << 20, 4 * MiB],
])(
  '%s: what does not fit the memory is found by sorting from there on',
  async (_, game, commitRows, memory) => {
    const budget = budgetOf(memory);
    let isFinding = true;
    let expanded = 0;
    const going = await imported(game as KeyedRules, {
      budget,
      commitRows,
      phase: (name) => (isFinding = name === 'import'),
      report: (done) => {
        if (isFinding) expanded += done;
      },
    });
    const sorted = await imported(game as KeyedRules, { budget, commitRows, inMemory: 'never' });
    const { runs, counters, movesCompared, ...facts } = going.graph;
    expect(counters.rowsSorted).toBeGreaterThan(0);
    expect(sorted.graph).toMatchObject(facts);
    // Who goes on compares all moves at first, again.
    expect(movesCompared).toBeGreaterThanOrEqual(sorted.graph.movesCompared!);
    expect(going.layers).toEqual(sorted.layers);
    expect(await rowsOf(going)).toEqual(await rowsOf(sorted));
    // No layer is expanded twice but the one for which there was no room.
    const largest = Math.max(...going.layers.map(({ positions }) => positions));
    expect(expanded).toBeLessThanOrEqual(facts.nodes + largest);
    expect(expanded).toBeGreaterThanOrEqual(facts.nodes);
  },
);

test.skipIf(!LONG)(`growing layers are abandoned before they fill the memory${ifShort}`, async () => {
  const levels = 19;
  const tree = keyedGame({
    name: 'tree',
    roots: () => [1],
    mover: (node: number) => (Math.floor(Math.log2(node)) & 1) as Side,
    *moves(node: number): Generator<NamedMove<number>> {
      if (node < 2 ** levels) for (const next of [2 * node, 2 * node + 1]) yield [`${next}`, next];
    },
    key: (node: number) => node,
    position: (key: number) => key,
  });
  let expanded = 0;
  const calls: number[] = [];
  let isTaken = false;
  const large = (): boolean => {
    calls.push(expanded);
    return isTaken;
  };
  const find = (commitRows: number) =>
    imported(tree as KeyedRules, {
      inMemory: 'only',
      budget: budgetOf(512 * MiB),
      commitRows,
      large,
      report: (done) => {
        expanded += done;
      },
    });
  // The end of the tree comes at once, and nothing says so before.
  const all = 2 ** (levels + 1) - 1;
  expect((await find(7 * all)).graph.nodes).toBe(all);
  expanded = 0;
  calls.length = 0;
  await expect(find(2 * all)).rejects.toThrow(TooLarge);
  expect(expanded).toBeLessThan(all / 3);
  // Who goes on knows it long before.
  expect(calls[0]).toBeLessThan(expanded / 8);
  expanded = 0;
  isTaken = true;
  await expect(find(2 * all)).rejects.toThrow(TooLarge);
  expect(expanded).toBeLessThan(all / 6);
});

/** The table of a graph, solved in memory or by rounds. */
async function solved(
  { graph, store }: Pick<Imported, 'graph' | 'store'>,
  metric: 'dtw' | 'wdl' | 'score',
  isHeld: boolean,
) {
  const whole = solvableGraph(graph);
  const phases = { ...whole.phases!, mode: () => ({ mode: 'streaming', why: 'tested' }) };
  const game = (isHeld ? whole : { ...whole, phases }) as Solvable;
  const scratch = newScratch(memoryStore(), 'scratch');
  const names: string[] = [];
  const { table, verified } = await solveOne({
    game,
    slice: graph.name,
    metric,
    strategy: 'count',
    store,
    budget: budgetOf(16 * MiB),
    verify: true,
    engine: inlineEngine(game, store, scratch),
    progress: (event) => event.type === 'phase' && names.push(event.phase),
    meter: { wall: () => 0, cpu: () => 0, peakRss: () => 0 },
  });
  expect(names.includes('resident')).toBe(isHeld);
  expect(names.includes('rounds')).toBe(!isHeld);
  expect(verified).toBe(graph.nodes);
  const { values, counters, ...facts } = table;
  return facts;
}

/** Solves a graph both ways, in stores of their own. */
async function expectSame(
  made: () => Promise<Pick<Imported, 'graph' | 'store'>>,
  metric: 'dtw' | 'wdl' | 'score',
) {
  const held = await solved(await made(), metric, true);
  expect(held).toEqual(await solved(await made(), metric, false));
  expect(held.losses[0] + held.losses[1]).toBeGreaterThan(0);
}

const shapes: readonly GraphShape[] = [
  { nodes: 900, edges: 2700, seed: 3, reach: 4 },
  { nodes: 700, edges: 1500, seed: 4 },
  { nodes: 1500, edges: 3000, seed: 8, reach: 40, hub: 700 },
];

test.each(shapes)('a graph is solved in memory as by rounds: %j', async (shape) => {
  const source = memorySource(randomGraph(shape));
  const made = async () => {
    const store = memoryStore();
    const scratch = newScratch(memoryStore(), 'scratch');
    const graph = await importGraph({
      name: 'held',
      fingerprint: '1',
      source,
      store,
      scratch,
      budget: budgetOf(4 * MiB),
      report: () => {},
      phase: () => {},
    });
    return { graph, store };
  };
  for (const metric of ['dtw', 'wdl'] as const) await expectSame(made, metric);
});

test.skipIf(!LONG)(`scores are found in memory as by rounds${ifShort}`, async () => {
  await expectSame(() => imported(keyedGame(dotsAndBoxes(2)) as KeyedRules), 'score');
});
