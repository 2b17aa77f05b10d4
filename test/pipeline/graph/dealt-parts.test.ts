/** A graph of several parts, whose nodes are in layers: its values are those of a pass over the nodes, whoever solves it. */
import { beforeAll, describe, expect, test } from 'vitest';
import { newCounters } from '../../../operators/core/counters.js';
import { memoryStore } from '../../../operators/storage/memory.js';
import { newScratch } from '../../../operators/storage/scratch.js';
import { readAll, type Store } from '../../../operators/storage/store.js';
import { solveOne } from '../../../pipeline/engine/crew/do-slice.js';
import { inlineEngine } from '../../../pipeline/engine/crew/engine.js';
import type { Solvable } from '../../../pipeline/engine/crew/slice-phases.js';
import { FORMAT_VERSION } from '../../../pipeline/game/format-version.js';
import type { SliceSummary } from '../../../pipeline/game/progress.js';
import { putRecord } from '../../../pipeline/game/record.js';
import { keyedGame } from '../../../pipeline/games/yours/keyed/keyed-game.js';
import { DEALT_VERSION, IMPORT_VERSION, PART_NODES } from '../../../pipeline/graph/graph-layout.js';
import { solvableGraph } from '../../../pipeline/graph/graph-phases.js';
import { openGraphProber } from '../../../pipeline/graph/graph-prober.js';
import { openGraphRows } from '../../../pipeline/graph/graph-rows.js';
import { graphStats } from '../../../pipeline/graph/graph-stats.js';
import { importGraph } from '../../../pipeline/graph/import.js';
import { findImportGarbage, importsAmong } from '../../../pipeline/graph/imports.js';
import { type GraphManifest, graphManifestName, needGraph } from '../../../pipeline/graph/manifest.js';
import { scanNodes } from '../../../pipeline/graph/scan-nodes.js';
import { solveKeyed } from '../../../pipeline/graph/solve-keyed.js';
import { needSolvedGraph } from '../../../pipeline/graph/solved-graph.js';
import type { GraphNode } from '../../../pipeline/graph/source.js';
import { verifySolved } from '../../../pipeline/graph/verify-solved.js';
import { ifShort, LONG, LONGEST, sweep } from '../../support/long.js';
import { solveByRanks } from '../../support/ranks.js';
import { budgetOf, MiB } from '../../support/solving.js';
import { graphOf } from '../../support/wide-graph.js';

/** Five parts: with fewer, the order and its reverse are the same. The short tests have three. */
const NODES = (LONG ? 4 : 2) * PART_NODES + 3000;
/** The length of a layer: there are 21 of them. */
const LAYER = LONG ? 50_000 : 25_000;
const HUBS_EACH = 99_991;
const HUB_EDGES = 300;

function nodeAt(id: number): GraphNode {
  const lot = Math.imul(id, 2_654_435_761) >>> 0;
  const owner = ((lot >>> 7) & 1) as 0 | 1;
  if (id < LAYER) return { id, owner, winner: lot % 7 === 0 ? 'nobody' : owner, edges: [] };
  const before = Math.floor(id / LAYER) * LAYER - 1;
  const isHub = id % HUBS_EACH === 0;
  const edges = Array.from({ length: isHub ? HUB_EDGES : 1 + (lot % 3) }, (_, e) =>
    Math.max(0, before - ((lot + e * 7919) % LAYER)),
  );
  return { id, owner, winner: null, edges };
}

const source = graphOf('a graph in layers', NODES, nodeAt);

/** By nodes: how many edges the first player takes to win, plus 1, negative where the other wins; 0 where nobody does. */
const naive = new Int16Array(NODES);

/** All edges lead to nodes before. */
function solveInOrder(): void {
  for (let id = 0; id < NODES; id++) {
    const { owner, winner, edges } = nodeAt(id);
    const sign = owner === 0 ? 1 : -1;
    if (edges.length === 0) naive[id] = winner === 'nobody' ? 0 : sign;
    else {
      const after = (edges as number[]).map((to) => sign * naive[to]);
      const wins = after.filter((value) => value > 0);
      if (wins.length > 0) naive[id] = sign * (1 + Math.min(...wins));
      else if (after.every((value) => value < 0)) naive[id] = sign * (Math.min(...after) - 1);
    }
  }
}

const METER = { wall: () => 0, cpu: () => 0, peakRss: () => 0 };
const scratchHere = () => newScratch(memoryStore(), 'scratch');

async function copyOf(from: Store, below = ''): Promise<Store> {
  const store = memoryStore();
  for (const name of await from.list(below)) await store.putIfAbsent(name, (await readAll(from, name))!);
  return store;
}

/** The store with another manifest of the graph: as earlier versions wrote it. */
async function asBefore(from: Store): Promise<Store> {
  const store = await copyOf(from);
  const graph = await needGraph(store, 'layers');
  await store.delete(graphManifestName('layers'));
  await putRecord(store, graphManifestName('layers'), { ...graph, version: IMPORT_VERSION });
  return store;
}

/** Solves by so many workers, in rounds unless the graph is held. */
async function solved(
  store: Store,
  workers: number,
  memory: number,
  { isHeld = false } = {},
): Promise<SliceSummary> {
  const whole = solvableGraph(await needGraph(store, 'layers'));
  const phases = { ...whole.phases!, mode: () => ({ mode: 'streaming', why: 'tested' }) };
  const game = (isHeld ? whole : { ...whole, phases }) as Solvable;
  return solveOne({
    game,
    slice: 'layers',
    metric: 'dtw',
    strategy: 'count',
    store,
    verify: true,
    meter: METER,
    budget: budgetOf(memory),
    engine: { ...inlineEngine(game, store, scratchHere()), workers },
    progress: () => {},
  });
}

function factsOf({ table, verified }: SliceSummary) {
  const { digests, positions, wins, losses, longestWin, rounds, requests, numbering } = table;
  return { digests, positions, wins, losses, longestWin, rounds, requests, numbering, verified };
}

/** How many nodes have other values than by the pass over the nodes, of all nodes in order. */
async function wrongIn(store: Store): Promise<number> {
  let next = 0;
  let wrong = 0;
  for await (const nodes of scanNodes(store, await needSolvedGraph(store, 'layers', 'dtw'), newCounters())) {
    if (nodes.first !== next) wrong++;
    for (let i = 0; i < nodes.length; i++) {
      const { winner, plies } = nodes.winningOf(i);
      const value = winner === null ? 0 : winner === 0 ? plies! + 1 : -plies! - 1;
      if (value !== naive[next++]) wrong++;
    }
  }
  expect(next).toBe(NODES);
  return wrong;
}

async function expectProbes(store: Store): Promise<void> {
  const prober = await openGraphProber(store, 'layers', 'dtw');
  const wrong: number[] = [];
  for (let part = 0; part < 5; part++) {
    for (const key of [0, 1, 2999, PART_NODES / 2, PART_NODES - 1]) {
      const number = part * PART_NODES + key;
      if (number >= NODES) continue;
      const found = await prober.node(number);
      const value = naive[number];
      const isRight =
        found?.number === number &&
        found.winner === (value === 0 ? null : value > 0 ? 0 : 1) &&
        found.plies === (value === 0 ? null : Math.abs(value) - 1);
      const edges = (await prober.edges(number)).map(({ number }) => number).sort((a, b) => a - b);
      const expected = [...new Set(nodeAt(number).edges as number[])].sort((a, b) => a - b);
      if (!isRight || String(edges) !== String(expected)) wrong.push(number);
    }
  }
  expect(wrong).toEqual([]);
}

const imported = memoryStore();
let graph: GraphManifest;
let store: Store;
let expected: ReturnType<typeof factsOf>;

beforeAll(async () => {
  solveInOrder();
  graph = await importGraph({
    name: 'layers',
    fingerprint: '1',
    source,
    store: imported,
    scratch: scratchHere(),
    budget: budgetOf(64 * MiB),
    report: () => {},
    phase: () => {},
  });
  store = await copyOf(imported);
  expected = factsOf(await solved(store, 1, 64 * MiB, { isHeld: true }));
});

test('values in memory are those of a pass over the nodes', async () => {
  expect(graph).toMatchObject({ nodes: NODES, version: DEALT_VERSION, hubs: LONG ? 10 : 5 });
  expect(expected).toMatchObject({ verified: NODES, numbering: 'dealt parts' });
  expect(expected.rounds).toBeGreaterThan(20);
  expect(await wrongIn(store)).toBe(0);
  await expectProbes(store);
});

// Three workers have so little memory that verification looks values up by sorting.
test.each(
  LONG
    ? sweep(
        [[3, 4]],
        [],
        [
          [2, 8],
          [1, 8],
          [5, 16],
        ],
      )
    : [[2, 8]],
)('values by %i workers in %i MiB are those of a pass over the nodes', async (workers, memory) => {
  const rounds = await copyOf(imported);
  expect(factsOf(await solved(rounds, workers, memory * MiB))).toEqual(expected);
  expect(await wrongIn(rounds)).toBe(0);
});

test.skipIf(!LONG)(`values by ranks are those of a pass over the nodes${ifShort}`, async () => {
  const ways = [
    [3, 5],
    ...(LONGEST
      ? [
          [2, 3],
          [2, 2],
        ]
      : []),
  ];
  for (const [ranks, partitions] of ways) {
    const way = { ranks, partitions, memory: 8 * MiB };
    const { summaries } = await solveByRanks(solvableGraph(graph), ['layers'], way, await copyOf(imported));
    expect(factsOf(summaries[0])).toEqual(expected);
  }
});

test('every object of the manifest is in use', async () => {
  const [objects] = importsAmong(await imported.list(''));
  expect(objects).toMatchObject({ graph: 'layers', complete: true });
  expect(await findImportGarbage(imported, objects)).toEqual([]);
});

test('statistics have the first node of the source with the longest win', async () => {
  const { all, longest, byPlies } = await graphStats(store, 'layers', 'dtw', async () => {});
  const wins = [0, 0];
  let nobody = 0;
  const first: (readonly [plies: number, node: number])[][] = [[], []];
  for (const [id, value] of naive.entries()) {
    if (value === 0) nobody++;
    else wins[value > 0 ? 0 : 1]++;
    if (value === 0 || id < LAYER) continue;
    const { owner } = nodeAt(id);
    const winner = value > 0 ? 0 : 1;
    const plies = Math.abs(value) - 1;
    if (plies > (first[winner][owner]?.[0] ?? 0)) first[winner][owner] = [plies, id];
  }
  expect(all).toEqual({ won: wins, nobody });
  expect(longest.map((each) => each.map((found) => [found!.plies, found!.node]))).toEqual(first);
  expect(byPlies[0].get(0)).toBe(naive.subarray(0, LAYER).filter((value) => value > 0).length);
});

test('a solve that was begun in another order of the parts is not continued', async () => {
  const begun = await copyOf(imported);
  const none = [[], []];
  const [version, zero] = [FORMAT_VERSION, [0, 0]];
  await putRecord(begun, 'graph/dtw/layers/steps/count/enumerate.json', {
    version,
    game: 'graph',
    slice: 'layers',
    step: 'enumerate',
    labels: { counts: none, unwon: none },
    mates: [],
    converting: [],
    legal: zero,
    lost: zero,
    drawn: zero,
    counters: {},
  });
  await expect(solved(begun, 2, 8 * MiB)).rejects.toThrow('delete graph/dtw/layers/steps/count/');
});

test.skipIf(!LONG)(`rows come in the order of the source${ifShort}`, async () => {
  const where = { store, name: 'layers', metric: 'dtw', scratch: scratchHere() } as const;
  // So little that best edges are found by sorting.
  const { rows } = await openGraphRows({ ...where, budget: budgetOf(2 * MiB) });
  let next = 0;
  let wrong = 0;
  for await (const batch of rows) {
    for (const { id, winner, plies, move } of batch) {
      const value = naive[next];
      if (Number(id) !== next) wrong++;
      if (winner !== (value === 0 ? null : value > 0 ? 0 : 1)) wrong++;
      if (plies !== (value === 0 ? null : Math.abs(value) - 1)) wrong++;
      const { edges } = nodeAt(next++);
      if (edges.length === 0) wrong += move === null ? 0 : 1;
      else {
        const isEdge = edges.includes(Number(move));
        if (!isEdge || (value !== 0 && naive[Number(move)] !== value - Math.sign(value))) wrong++;
      }
    }
  }
  expect([next, wrong]).toEqual([NODES, 0]);
});

describe('a graph whose parts are in the order of its nodes, as earlier versions left them', () => {
  test.skipIf(!LONG)(`is solved, verified and probed as by the earlier version${ifShort}`, async () => {
    const before = await asBefore(imported);
    const summary = factsOf(await solved(before, LONG ? 2 : 1, (LONG ? 8 : 64) * MiB, { isHeld: !LONG }));
    const { digests, numbering, ...same } = expected;
    expect(summary).toEqual({ ...same, numbering: undefined, digests: summary.digests });
    expect(summary.digests).not.toEqual(digests);
    expect(await wrongIn(before)).toBe(0);
    await expectProbes(before);
    const table = await needSolvedGraph(before, 'layers', 'dtw');
    const wrong: number[] = [];
    for await (const { major, first, columns } of table.table.values(0, 0, 5)) {
      const node = major * PART_NODES + first;
      // Ends are positions of who has lost.
      const isOwn = node >= LAYER && nodeAt(node).owner === 0;
      if (isOwn && Math.sign(Number(columns[0][0])) !== Math.sign(naive[node])) wrong.push(node);
    }
    expect(wrong).toEqual([]);
    if (!LONG) return;
    const asked = { name: 'layers', metric: 'dtw', store: before, scratch: scratchHere() } as const;
    const verified = await verifySolved({ ...asked, budget: budgetOf(64 * MiB), progress: () => {} });
    expect(verified).toMatchObject({ positions: NODES, wrong: 0 });
  });

  test('refuses a table whose parts are dealt', async () => {
    const mixed = await asBefore(store);
    await expect(openGraphProber(mixed, 'layers', 'dtw')).rejects.toThrow('another index of layers');
  });

  test('of an unknown version is refused', async () => {
    const later = await copyOf(imported, graphManifestName('layers'));
    await later.delete(graphManifestName('layers'));
    await putRecord(later, graphManifestName('layers'), { ...graph, version: 99 });
    await expect(needGraph(later, 'layers')).rejects.toThrow(
      'written in format 99, this program reads format 3, 4, 5, 6 and 7',
    );
  });
});

/** Nodes of the graph with scores: two full parts and some of a third; in the longest tests as many as the other graph has. */
const POSITIONS = LONGEST ? NODES : 2 * PART_NODES + 3000;

/** From a position one may go to two or three others with larger numbers. */
const tree = {
  name: 'tree',
  roots: () => [0],
  key: (i: number) => i,
  position: (key: number) => key,
  mover: (i: number) => (i % 3 === 0 ? 1 : 0) as 0 | 1,
  moves: (i: number) =>
    [2 * i + 1, 2 * i + 2, 2 * i + 9].filter((to) => to < POSITIONS).map((to) => [`to ${to}`, to] as const),
  score: (i: number) => ((i * 31) % 7) - 3,
  format: (i: number) => `#${i}`,
};

test.skipIf(!LONG)(`a keyed game with scores, in memory and by workers${ifShort}`, async () => {
  const scores = new Int8Array(POSITIONS);
  for (let i = POSITIONS - 1; i >= 0; i--) {
    const after = tree.moves(i).map(([, to]) => scores[to]);
    if (after.length === 0) scores[i] = tree.score(i);
    else scores[i] = tree.mover(i) === 0 ? Math.max(...after) : Math.min(...after);
  }
  const game = keyedGame(tree as never) as never;
  const digests: unknown[] = [];
  for (const [workers, memory] of [
    [1, 512],
    [3, 8],
  ]) {
    const here = memoryStore();
    const budget = budgetOf(memory * MiB);
    const engine = (solvable: Solvable) => ({ ...inlineEngine(solvable, here, scratchHere()), workers });
    const { summary, graph } = await solveKeyed({
      game,
      store: here,
      budget,
      scratch: scratchHere(),
      engine,
    });
    expect(graph).toMatchObject({ nodes: POSITIONS, version: DEALT_VERSION });
    expect(summary.verified).toBe(POSITIONS);
    digests.push(summary.table.digests);
    // The other table has the same digests.
    if (workers > 1) continue;
    const { rows } = await openGraphRows({
      store: here,
      name: 'tree',
      metric: 'score',
      scratch: scratchHere(),
      budget,
    });
    let wrong = 0;
    for await (const batch of rows)
      for (const { id, winner, score } of batch)
        if ((winner === 1 ? -score! : score!) !== scores[Number(id)]) wrong++;
    expect(wrong).toBe(0);
  }
  expect(digests[1]).toEqual(digests[0]);
});
