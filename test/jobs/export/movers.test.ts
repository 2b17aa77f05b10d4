/** Who is to move where the play is over is stored with a graph; graphs of earlier versions lack it. */
import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { graphRows } from '../../../jobs/export/graph-rows.js';
import { cellsOf } from '../../../jobs/export/rows.js';
import { newCounters } from '../../../operators/core/counters.js';
import { memoryStore } from '../../../operators/storage/memory.js';
import { newScratch } from '../../../operators/storage/scratch.js';
import type { Store } from '../../../operators/storage/store.js';
import type { Side } from '../../../pipeline/game/game.js';
import { keyedGame } from '../../../pipeline/games/keyed/keyed-game.js';
import type { KeyedGame, KeyedRules } from '../../../pipeline/games/keyed/keyed-rules.js';
import { commitGraph, graphManifestName, needGraph } from '../../../pipeline/graph/manifest.js';
import { scanNodes } from '../../../pipeline/graph/scan-nodes.js';
import { solveKeyed } from '../../../pipeline/graph/solve-keyed.js';
import { needSolvedGraph } from '../../../pipeline/graph/solved-graph.js';
import { verifyRules } from '../../../pipeline/graph/verify-rules.js';
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

async function solved(game: KeyedRules<number>, memory: number): Promise<Store> {
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
    await commitGraph(store, graph);
    expect(await moversOf(store, game, counting)).toEqual(expected);
    expect(asked).toBeGreaterThan(10);
  });
});

describe('verify --rules', () => {
  const again = (game: KeyedRules<number>, store: Store) =>
    verifyRules({
      game: game as KeyedRules,
      name: game.name,
      store,
      again: memoryStore(),
      scratch: newScratch(memoryStore(), 'scratch'),
      budget: budgetOf(MiB),
      progress: () => {},
    });

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
    await commitGraph(store, graph);
    expect((await again(keyedGame(ENDING), store)).difference).toBe(null);
  });
});
