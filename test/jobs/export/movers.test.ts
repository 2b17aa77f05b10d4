/** A graph stores who is to move where the play is over, and how many positions each node stands for; those of earlier versions lack both. */
import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { graphRows, nodeColumn } from '../../../jobs/export/graph-rows.js';
import { cellsOf } from '../../../jobs/export/rows.js';
import { newCounters } from '../../../operators/core/counters.js';
import { memoryStore } from '../../../operators/storage/memory.js';
import { newScratch } from '../../../operators/storage/scratch.js';
import type { Store } from '../../../operators/storage/store.js';
import type { Side } from '../../../pipeline/game/game.js';
import { putRecord } from '../../../pipeline/game/record.js';
import { keyedGame } from '../../../pipeline/games/yours/keyed/keyed-game.js';
import type { KeyedGame, KeyedRules } from '../../../pipeline/games/yours/keyed/keyed-rules.js';
import { importGraph } from '../../../pipeline/graph/import.js';
import { openJoined } from '../../../pipeline/graph/joined-runs.js';
import { graphManifestName, needGraph } from '../../../pipeline/graph/manifest.js';
import { openNames } from '../../../pipeline/graph/node-names.js';
import { reachableGraph } from '../../../pipeline/graph/reachable.js';
import { scanNodes } from '../../../pipeline/graph/scan-nodes.js';
import { solveKeyed } from '../../../pipeline/graph/solve-keyed.js';
import { needSolvedGraph } from '../../../pipeline/graph/solved-graph.js';
import { verifyRules } from '../../../pipeline/graph/verify-rules.js';
import { crewsHere } from '../../support/import-crews.js';
import { budgetOf, MiB } from '../../support/solving.js';

const ENDS = ['won', 'lost', 'drawn'] as const;
const mover = (n: number) => (n % 3 === 0 ? 1 : 0) as Side;
const ended = (n: number) => (n < 100 ? null : (ENDS[n % 5] ?? null));

/** Numbers that grow by one to four. From 100 on there are ends of every kind for either player; from 120 on nobody can move. */
const ENDING: KeyedGame<number, number> = {
  name: 'ending',
  roots: () => [0],
  key: (n) => n,
  position: (n) => n,
  mover,
  ended,
  moves: (n) => (n >= 120 ? [] : [1, 2, 3, 4].map((k) => [`add ${k}`, n + k] as const)),
};

/** The same with scores: the winner's are as many as the last digit. */
const SCORED: KeyedGame<number, number> = {
  ...ENDING,
  name: 'scored',
  ended: (n) => (ended(n) === null ? null : 'over'),
  score: (n) => (n % 7) - 3,
};

async function solved<Position>(game: KeyedRules<Position>, memory: number): Promise<Store> {
  const store = memoryStore();
  await solveKeyed({ game, store, budget: budgetOf(memory) });
  return store;
}

/** The mover of each position by its key, as nodes and as rows have it. */
async function moversOf(store: Store, game: KeyedRules<number>, rules: KeyedRules<number> | null) {
  const graph = await needGraph(store, game.name);
  const metric = game.score === null ? 'dtw' : 'score';
  const source = {
    store,
    name: game.name,
    metric,
    budget: budgetOf(MiB),
    scratchParent: tmpdir(),
    game: rules as KeyedRules | null,
  } as const;
  const rows = graphRows(source, ['position', 'mover'], graph, () => {});
  const found = new Map<string, string>();
  for await (const { rows: length, values } of rows.batches) {
    const [position, player] = rows.columns.map((column, i) => cellsOf(column, values[i]));
    for (let i = 0; i < length; i++) found.set(position(i) as string, player(i) as string);
  }
  return found;
}

describe.each([
  ['wins and draws', ENDING],
  ['scores', SCORED],
])('a game with %s', (_, definition) => {
  const game = keyedGame(definition);

  test.each([MiB, 64 << 10])('has the mover of every position, found in %i bytes', async (memory) => {
    const store = await solved(game, memory);
    expect((await needGraph(store, game.name)).movers).toBe(true);
    // With the rules, and by its name alone.
    for (const rules of [game as KeyedRules<number>, null]) {
      const movers = await moversOf(store, game, rules);
      expect(movers.size).toBeGreaterThan(100);
      for (const [position, player] of movers)
        expect([position, player]).toEqual([position, ['white', 'black'][mover(Number(position))]]);
    }
    let others = 0;
    const opened = await needSolvedGraph(store, game.name, game.score === null ? 'dtw' : 'score');
    for await (const nodes of scanNodes(store, opened, newCounters()))
      for (let i = 0; i < nodes.length; i++) others += Number(nodes.ownerOf(i) !== nodes.sideOf(i));
    expect(others).toBeGreaterThan(3);
  });

  test('asks no rules for movers, but where an earlier version has not stored them', async () => {
    const store = await solved(game, MiB);
    let asked = 0;
    const counting: KeyedRules<number> = {
      ...game,
      mover(n) {
        asked++;
        return game.mover(n);
      },
    };
    const expected = await moversOf(store, game, counting);
    expect(asked).toBe(0);
    const { movers: _, ...graph } = await needGraph(store, game.name);
    await store.delete(graphManifestName(game.name));
    await putRecord(store, graphManifestName(graph.name), graph);
    expect(await moversOf(store, game, counting)).toEqual(expected);
    expect(asked).toBeGreaterThan(10);
  });
});

describe('a game with symmetries', () => {
  type Heaps = readonly [first: number, second: number, colour: number];

  /** Two heaps, in either order; a move takes any number from one. Some call heaps of both colours alike; those of the first are played. */
  const heaps = (colours: 1 | 2) =>
    keyedGame<Heaps, number>({
      name: 'heaps',
      roots: () => [[20, 20, 0]],
      key: ([a, b, colour]) => (colour * 64 + a) * 64 + b,
      position: (key) => [(key >> 6) % 64, key % 64, key >> 12],
      mover: () => 0,
      symmetries: ([a, b, colour]) =>
        colours === 1
          ? [[b, a, colour]]
          : [
              [a, b, 0],
              [b, a, 0],
              [a, b, 1],
              [b, a, 1],
            ],
      *moves([a, b, colour]) {
        for (let left = 0; left < a; left++) yield [`first to ${left}`, [left, b, colour]];
        for (let left = 0; left < b; left++) yield [`second to ${left}`, [a, left, colour]];
      },
    });
  const game = heaps(1);
  const weightOf = (key: number) => (Math.floor(key / 64) === key % 64 ? 1 : 2);

  async function weightsOf(store: Store, rules: typeof game): Promise<[number, number][]> {
    const source = {
      store,
      name: game.name,
      metric: 'dtw',
      budget: budgetOf(MiB),
      scratchParent: tmpdir(),
      game: rules as KeyedRules,
    } as const;
    const { batches } = graphRows(source, ['weight', 'id'], await needGraph(store, game.name), () => {});
    const found: [number, number][] = [];
    for await (const { values } of batches) {
      const [weight, id] = COLUMNS.map((column, i) => cellsOf(column, values[i]));
      for (let i = 0; i < (values[0] as Int32Array).length; i++)
        found.push([Number(id(i)), weight(i) as number]);
    }
    return found;
  }
  const COLUMNS = (['weight', 'id'] as const).map((name) => nodeColumn(name, game as KeyedRules, ['a', 'b']));

  test('asks no rules for weights, but where an earlier version has not stored them', async () => {
    const store = await solved(game, MiB);
    let asked = 0;
    const counting: typeof game = {
      ...game,
      orbit(position, key) {
        asked++;
        return game.orbit(position, key);
      },
    };
    const weights = await weightsOf(store, counting);
    expect(weights).toHaveLength((21 * 22) / 2);
    for (const [key, weight] of weights) expect([key, weight]).toEqual([key, weightOf(key)]);
    expect(asked).toBe(0);
    const { weights: _, ...graph } = await needGraph(store, game.name);
    await store.delete(graphManifestName(game.name));
    await putRecord(store, graphManifestName(graph.name), graph);
    expect(await weightsOf(store, counting)).toEqual(weights);
    expect(asked).toBe(weights.length);
  });

  test('has them from several partitions and strides, too', async () => {
    const store = memoryStore();
    const graph = await importGraph({
      source: await reachableGraph(game, {
        scratch: newScratch(memoryStore(), 'names'),
        budget: budgetOf(MiB),
        counters: newCounters(),
      }),
      name: game.name,
      fingerprint: 'of heaps',
      store,
      scratch: newScratch(memoryStore(), 'scratch'),
      budget: budgetOf(MiB),
      report: () => {},
      phase: () => {},
      commitRows: 100,
      inMemory: 'never',
      crews: crewsHere(3),
    });
    expect(graph).toMatchObject({ nodes: 231, boards: 441, weights: true });
    const counters = newCounters();
    const names = (await openNames(store, graph.runs.names, counters)).all();
    for await (const { length, columns } of (
      await openJoined(store, graph.runs.nodes, { counters })
    ).denseCursor())
      for (let i = 0; i < length; i++)
        expect(columns[2][i]).toBe(weightOf(Number((await names.next()).value)));
  });

  test('is refused by `verify --rules` if it lists others than it did', async () => {
    const store = await solved(game, MiB);
    const { difference } = await again(game, store);
    expect(difference).toBe(null);
    expect((await again(heaps(2), store)).difference).toMatch(
      /^heaps: \d+: symmetries gives another number of positions than what is stored$/,
    );
  });
});

const again = <Position>(game: KeyedRules<Position>, store: Store) =>
  verifyRules({
    game: game as KeyedRules,
    name: game.name,
    store,
    again: memoryStore(),
    scratch: newScratch(memoryStore(), 'scratch'),
    budget: budgetOf(MiB),
    progress: () => {},
  });

describe('verify --rules', () => {
  /** Ends are of those who have lost: the same values, other movers. */
  const losers = keyedGame<number, number>({
    ...ENDING,
    mover: (n) => (ended(n) === 'won' ? ((1 - mover(n)) as Side) : mover(n)),
    ended: (n) => (ended(n) === 'won' ? 'lost' : ended(n)),
  });

  test('compares the movers of ends', async () => {
    const store = await solved(losers, MiB);
    expect((await again(losers, store)).difference).toBe(null);
    expect((await again(keyedGame(ENDING), store)).difference).toMatch(
      /^ending: 1[0-9]{2}: mover, ended or score gives something else than what is stored$/,
    );
  });

  test('leaves out those that an earlier version has not stored', async () => {
    const store = await solved(losers, MiB);
    const { movers: _, ...graph } = await needGraph(store, 'ending');
    await store.delete(graphManifestName('ending'));
    await putRecord(store, graphManifestName(graph.name), graph);
    expect((await again(keyedGame(ENDING), store)).difference).toBe(null);
  });
});
