/** Ranks that are lost at any operation on the store, and copies of ranks: the tables are those of one process. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { StorageError } from '../../../../operators/core/errors.js';
import { memoryStore } from '../../../../operators/storage/memory.js';
import type { Store } from '../../../../operators/storage/store.js';
import { RankCrew } from '../../../../pipeline/engine/crew/rank-crew.js';
import type { SliceSummary } from '../../../../pipeline/engine/crew/solve.js';
import type { Game } from '../../../../pipeline/game/game.js';
import { RoundsManifest } from '../../../../pipeline/game/manifest.js';
import { tableManifestName } from '../../../../pipeline/tables/table-names.js';
import { readVerified } from '../../../../pipeline/tables/verified.js';
import { withoutUnmoves } from '../../../support/forward-only.js';
import { graphGame, randomGraph, type SmallGraph } from '../../../support/graph-game.js';
import { ifShort, LONG, LONGEST } from '../../../support/long.js';
import { Death, mortal } from '../../../support/mortal.js';
import { BY_ALL, EAGER } from '../../../support/pace.js';
import { type RankSolving, runRank } from '../../../support/ranks.js';
import { digestsOf, solveGame } from '../../../support/solving.js';

/**
 * The store as a slow process has it: one operation in four takes up to `longest` milliseconds more. `open` holds the names of
 * objects that are being written.
 */
function slow(store: Store, dice: (below: number) => number, longest: number, open: Set<string>): Store {
  const late = async <T>(act: () => Promise<T>): Promise<T> => {
    if (dice(4) === 0) await pause(dice(longest + 1));
    return act();
  };
  return {
    ...store,
    read: (name, offset, into) => late(() => store.read(name, offset, into)),
    size: (name) => late(() => store.size(name)),
    list: (prefix) => late(() => store.list(prefix)),
    delete: (name) => late(() => store.delete(name)),
    putIfAbsent: (name, bytes) => late(() => store.putIfAbsent(name, bytes)),
    create: async (name) => {
      const sink = await late(() => store.create(name));
      open.add(name);
      const ending = (end: () => Promise<void>) => () => end().finally(() => open.delete(name));
      return { ...sink, close: ending(() => sink.close()), abort: ending(() => sink.abort()) };
    },
  };
}

/** Runs a rank, and again whenever it is lost; `lives` says after how many operations. Returns how often it was lost. */
async function runMortal(
  game: Game,
  slices: readonly string[],
  store: Store,
  solving: RankSolving,
  rank: number,
  lives: readonly number[],
): Promise<{ losses: number; summaries: SliceSummary[] }> {
  let losses = 0;
  for (const life of [...lives, Number.POSITIVE_INFINITY]) {
    try {
      const seen = mortal(store, life).store;
      const summaries = await runRank(game, slices, store, { ...solving, seenBy: () => seen }, rank);
      return { losses, summaries };
    } catch (error) {
      if (!(error instanceof Death)) throw error;
      losses++;
    }
  }
  throw new Error('the last life has no end');
}

const graph = (ladder: boolean) =>
  randomGraph(ladder ? 2 : 1, {
    name: 'above',
    size: ladder ? 60 : 300,
    width: 17,
    ladder,
    dependency: randomGraph(3, { name: 'below', size: 90, width: 40, ladder: false }),
  });
const gameOf = (of: SmallGraph) => graphGame(of.dependency!, of) as Game;
const random = gameOf(graph(false));
const ladder = gameOf(graph(true));
const pace = BY_ALL;
/** Commits, one partition for all and giving back follow each other fast. */
const restless = {
  commitRequests: 150,
  commitRequestsPerPosition: 0,
  commitRounds: 5,
  fewRequests: 60,
  requestMs: 0,
  positionMs: 0,
  manyRequests: 61,
};
const cases = [
  { what: 'counting', game: random, solving: { ranks: 2, partitions: 3, pace } },
  { what: 'many rounds', game: ladder, solving: { ranks: 2, partitions: 2, pace } },
  { what: 'commits', game: ladder, solving: { ranks: 3, partitions: 8, pace: restless } },
  { what: 'few requests', game: ladder, solving: { ranks: 2, partitions: 4, pace: EAGER } },
  { what: 'lookups', game: random, solving: { ranks: 3, partitions: 3, pace: restless, strategy: 'lookup' } },
  { what: 'edges', game: withoutUnmoves(random), solving: { ranks: 2, partitions: 2, pace: restless } },
  { what: 'runs kept', game: random, solving: { ranks: 2, partitions: 2, keepRuns: true } },
  { what: 'small slices dealt', game: random, solving: { ranks: 2, wholeBelow: 2 ** 30 } },
] as const;
const SLOWEST_MS = LONG ? 12 : 6;
const LOSSES = LONGEST ? 64 : LONG ? 6 : 2;
let all = 0;
afterAll(() => {
  process.stdout.write(`ranks were lost ${all} times\n`);
  expect(all).toBeGreaterThanOrEqual(LOSSES * cases.length);
});

/** Numbers that look random, the same in every run. */
function newDice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const slices = ['above'];

describe.each(cases)('$what', ({ what, game, solving }) => {
  test(`ranks that are lost ${LOSSES} times at any operation make the same tables`, {
    timeout: 600_000,
  }, async () => {
    const expected = digestsOf((await solveGame(game, slices, { verify: true })).summaries);
    const dice = newDice(what.length);
    let losses = 0;
    while (losses < LOSSES) {
      const store = memoryStore();
      const ranks = Array.from({ length: solving.ranks }, (_, rank) => rank);
      const results = await Promise.all(
        ranks.map((rank) => {
          const lives = Array.from({ length: 3 }, () => 1 + dice(dice(2) === 0 ? 60 : 600));
          return runMortal(game, slices, store, solving, rank, lives);
        }),
      );
      for (const result of results) {
        expect(digestsOf(result.summaries)).toEqual(expected);
        losses += result.losses;
      }
    }
    all += losses;
  });

  test.skipIf(!LONG)(`two copies of every rank make the same tables${ifShort}`, async () => {
    const expected = digestsOf((await solveGame(game, slices, {})).summaries);
    const store = memoryStore();
    const copies = Array.from({ length: 2 * solving.ranks }, (_, i) =>
      runRank(game, slices, store, solving, i % solving.ranks),
    );
    for (const summaries of await Promise.all(copies)) expect(digestsOf(summaries)).toEqual(expected);
  });

  // One case in the short tests, which has commits and rounds of one for all.
  test.skipIf(!LONG && what !== 'commits')(
    `two copies of every rank, each delayed at other operations, make the same tables${ifShort}`,
    { timeout: 600_000 },
    async () => {
      const expected = digestsOf((await solveGame(game, slices, {})).summaries);
      for (let seed = 1; seed <= (LONGEST ? 3 : 1); seed++) {
        const store = memoryStore();
        const open = new Set<string>();
        const copies = Array.from({ length: 2 * solving.ranks }, (_, i) => {
          // Whichever copy is faster here is the slower one there.
          const seen = slow(store, newDice(100 * seed + i), i % 3 === 0 ? 2 : SLOWEST_MS, open);
          return runRank(game, slices, store, { ...solving, seenBy: () => seen }, i % solving.ranks);
        });
        const ended = await Promise.all(copies);
        for (const summaries of ended) expect(digestsOf(summaries)).toEqual(expected);
        expect([...open]).toEqual([]);
        if (!('keepRuns' in solving)) {
          const values = new Set(
            ended[0].flatMap(({ table }) => table.values.flat().map(({ name }) => name)),
          );
          const left = (await store.list('graph/dtm/above/')).filter((name) => !values.has(name));
          expect(left.filter((name) => /\/steps\/|\.arrow$/.test(name))).toEqual([]);
        }
      }
    },
  );
});

test('a copy of the leading rank that wakes up behind the others leaves their verification', async () => {
  const store = memoryStore();
  const solving = { ranks: 2, partitions: 2 };
  let wake = () => {};
  const awake = new Promise<void>((resolve) => (wake = resolve));
  const sleepy: Store = {
    ...store,
    read: async (name, offset, into) => {
      const length = await store.read(name, offset, into);
      if (name.endsWith('above/steps/count/convert.json')) await awake;
      return length;
    },
  };
  const copy = runRank(random, slices, store, { ...solving, seenBy: () => sleepy }, 0);
  const [summaries] = await Promise.all([0, 1].map((rank) => runRank(random, slices, store, solving, rank)));
  wake();
  expect(digestsOf(await copy)).toEqual(digestsOf(summaries));
  expect(await readVerified(store, summaries[0].table)).not.toBeNull();
});

test('ranks verify a table that was made anew, although a record says that the former one was verified', async () => {
  const store = memoryStore();
  const solving = { ranks: 2, partitions: 2 };
  const solveAll = () => Promise.all([0, 1].map((rank) => runRank(random, slices, store, solving, rank)));
  await solveAll();
  await store.delete(tableManifestName('graph', 'dtm', 'above'));
  const [again] = await solveAll();
  expect(again[0].verified).toBeGreaterThan(0);
  expect(await readVerified(store, again[0].table)).not.toBeNull();
});

test('a run that is gone for good is an error with its name, not an endless wait', async () => {
  const store = memoryStore();
  const seen: Store = {
    ...store,
    read: (name, offset, into) =>
      /mates/.test(name)
        ? Promise.reject(new StorageError(name, 'no such object'))
        : store.read(name, offset, into),
  };
  await expect(
    runRank(random, slices, store, { ranks: 1, partitions: 2, seenBy: () => seen }, 0),
  ).rejects.toThrow(/mates.*no such object/);
});

test('while the leading rank does the rounds of all, only its partition is shown as missing', async () => {
  let missing: readonly number[] = [];
  const waiting = {
    reportMissing: async (_step: string, _times: number, ask: () => Promise<readonly number[]>) => {
      missing = await ask();
    },
    pause: () => Promise.reject(new Death()),
  };
  const crew = new RankCrew({
    store: memoryStore(),
    work: 'work',
    table: 'table.json',
    game: 'graph',
    slice: 'above',
    partitions: [0, 1, 2].map((from) => ({ from, to: from + 1 })),
    members: new Map(),
    waiting,
    takeProcessRecord: () => ({ host: 'test', rank: 1, started: 0, wallMs: 0, cpuMs: 0, peakRss: 0 }),
  });
  await expect(crew.awaited('work/rounds-00006.json', RoundsManifest)).rejects.toThrow(Death);
  expect(missing).toEqual([0]);
});

test('a rank solves what a lost rank has claimed, and reports it; it waits as long as that rank may come back', async () => {
  const expected = digestsOf((await solveGame(random, slices)).summaries);
  const store = memoryStore();
  const solving: RankSolving = { ranks: 2, wholeBelow: 2 ** 30, verify: false };
  const dying = mortal(store, Number.POSITIVE_INFINITY);
  const claims: Store = {
    ...dying.store,
    async putIfAbsent(name, bytes) {
      const isFirst = await dying.store.putIfAbsent(name, bytes);
      if (name.includes('/claims/')) throw new Death();
      return isFirst;
    },
  };
  await expect(runRank(random, slices, store, { ...solving, seenBy: () => claims }, 0)).rejects.toThrow(
    Death,
  );
  const lost: [number, string][] = [];
  let waits = 0;
  const waiting = {
    pause: async () => {
      if (++waits > 1000) throw new Error('waits for ever');
    },
    reportMissing: async () => {},
    isLost: async () => waits > 100,
    reportLost: (rank: number, slice: string) => void lost.push([rank, slice]),
  };
  const summaries = await runRank(random, slices, store, { ...solving, waiting }, 1);
  expect(digestsOf(summaries)).toEqual(expected);
  expect(lost).toEqual([[0, summaries[0].slice]]);
  expect(waits).toBeGreaterThan(100);
  // A rank with the number of the lost one finds all done.
  expect(digestsOf(await runRank(random, slices, store, solving, 0))).toEqual(expected);
});
