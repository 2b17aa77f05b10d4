/** The check of keyed games: it finds planted faults, at the simplest position, and nothing else. */
import { describe, expect, test } from 'vitest';
import { checkKeyed, type KeyedRule } from '../../../pipeline/check/check-keyed.js';
import { keyedGame } from '../../../pipeline/games/yours/keyed/keyed-game.js';
import type { KeyedGame } from '../../../pipeline/games/yours/keyed/keyed-rules.js';
import dodgem from '../../../samples/dodgem/game.js';
import small from '../../../samples/dodgem/three.js';
import { randomFrom } from '../../support/graph-game.js';
import { ifShort, LONG } from '../../support/long.js';

const random = randomFrom(1);

/** A heap from which one, two or three are taken; who takes the last has won. */
interface Heap {
  readonly left: number;
  readonly side: 0 | 1;
}

const heap: KeyedGame<Heap> = {
  name: 'heap',
  roots: () => [{ left: 60, side: 0 }],
  key: ({ left, side }) => BigInt(left) * 2n + BigInt(side),
  position: (key) => ({ left: Number(key >> 1n), side: Number(key & 1n) as 0 | 1 }),
  mover: ({ side }) => side,
  *moves({ left, side }) {
    for (let n = 1; n <= Math.min(3, left); n++)
      yield [`take ${n}`, { left: left - n, side: (1 - side) as 0 | 1 }];
  },
  format: ({ left, side }) => `${left} ${'wb'[side]}`,
  parse: (text) => ({ left: Number.parseInt(text, 10), side: text.endsWith('w') ? 0 : 1 }),
};

const options = { positions: 1000, seed: 1 };
const check = (change: Partial<KeyedGame<Heap>>, more = {}) =>
  checkKeyed(keyedGame({ ...heap, ...change }) as never, { ...options, ...more });

test('right games have no violations', async () => {
  expect(await check({})).toEqual({
    positions: 120,
    closely: 120,
    all: true,
    whole: { positions: 20_000, moves: 200_000 },
    compared: 348,
    over: 2,
    moves: 348,
    games: { played: 0, ended: 0, longest: 10_000 },
    violations: [],
    seed: 1,
  });
  expect(await checkKeyed(small as never, { ...options, positions: 2000 })).toMatchObject({
    positions: 1963,
    all: true,
    moves: 5373,
    violations: [],
  });
  expect(await checkKeyed(dodgem as never, options)).toMatchObject({
    all: false,
    games: { played: 32, ended: 32 },
    violations: [],
  });
});

const wrong = (value: unknown) => value as never;
const few = (heap: Heap) => heap.left < 9;

describe('a fault is found at a simple position', () => {
  const cases: [string, Partial<KeyedGame<Heap>>, KeyedRule[], string][] = [
    [
      'no roots',
      { roots: () => [] },
      ['roots'],
      'heap: roots lists no position: give those in which games begin',
    ],
    [
      'a key without who is to move',
      { key: ({ left }) => BigInt(left) * 2n },
      ['same'],
      'heap: 0 b: its key is 0n, but position(0n) is 0 w: mover is 1 there and 0 here, so key leaves out who is to move, or position does not read it back',
    ],
    [
      'another position read back',
      { position: (key) => heap.position(few(heap.position(key)) ? key ^ 4n : key) },
      ['key'],
      'is position(',
    ],
    ['a third side', { mover: (p) => (few(p) ? wrong(3) : p.side) }, ['mover'], 'heap: 0 '],
    ['an end that is none', { ended: (p) => (few(p) ? wrong('over') : null) }, ['ended'], 'heap: '],
    [
      'text that is read otherwise',
      { parse: (text) => ({ left: Number.parseInt(text, 10) % 50, side: text.endsWith('w') ? 0 : 1 }) },
      ['text'],
      'but parse makes of its text ',
    ],
    [
      'a picture that is no text',
      { diagram: () => wrong(7) },
      ['diagram'],
      'heap: 0 w: diagram is 7, not text',
    ],
    [
      'moves that change the position they are asked about',
      {
        moves(p) {
          const after = [...heap.moves({ ...p })];
          (p as { left: number }).left = 0;
          return after;
        },
      },
      ['moves'],
      'moves changes the position that it is given',
    ],
    [
      'moves that differ when they are asked twice',
      { moves: (p) => [...heap.moves(p)].filter(() => random(2) === 0) },
      ['same'],
      ': moves differs when it is asked twice: ',
    ],
    [
      'an end that differs when it is asked twice',
      { ended: () => (random(10) < 3 ? 'drawn' : null) },
      ['same'],
      ' when ',
    ],
    [
      'moves without names',
      { moves: (p) => (p.left === 5 ? [wrong({ ...p, left: 4 })] : heap.moves(p)) },
      ['moves'],
      'heap: 5 b: a move is {"left":4,"side":1}, not [what it is called, the position after it]',
    ],
    [
      'moves that throw',
      {
        moves(p) {
          if (p.left === 5) throw new Error('five');
          return heap.moves(p);
        },
      },
      ['moves'],
      'heap: 5 ',
    ],
  ];
  test.each(cases)('%s', async (_, change, rules, message) => {
    const { violations } = await check(change);
    expect(violations.map(({ rule }) => rule)).toEqual(rules);
    expect(violations[0].message).toContain(message);
    for (const each of violations) expect(each.message).not.toContain('\n');
  });
});

test.skipIf(!LONG)(`a fault far from the roots is found, too${ifShort}`, async () => {
  const long = { roots: () => [{ left: 30_000, side: 0 as const }] };
  const broken = { ...long, mover: (p: Heap) => (p.left < 19_950 ? wrong(3) : p.side) };
  const { violations, positions, all } = await check(broken);
  expect(positions).toBeGreaterThan(20_000);
  expect(all).toBe(false);
  expect(violations.map(({ rule }) => rule)).toContain('mover');
});

test('games are played to their ends, however few positions are examined', async () => {
  const long = await check({ roots: () => [{ left: 12_000, side: 0 }] }, { positions: 100 });
  expect(long).toMatchObject({ all: false, whole: { positions: 2000, moves: 20_000 }, violations: [] });
  expect(long.games.ended).toBeGreaterThan(0);
  expect(long.over).toBeGreaterThan(0);
  const atTheEnd = {
    roots: () => [{ left: 12_000, side: 0 as const }],
    mover: (p: Heap) => (p.left === 0 ? wrong(3) : p.side),
  };
  const { violations } = await check(atTheEnd, { positions: 100 });
  expect(violations.map(({ rule }) => rule)).toEqual(['mover']);
  const endless = await check(
    { moves: ({ left, side }) => [1, 2].map((n) => [`add ${n}`, { left: left + n, side }] as const) },
    { positions: 100 },
  );
  expect(endless).toMatchObject({ over: 0, games: { ended: 0 } });
  expect(endless.games.played).toBeGreaterThan(0);
});

test('a list of moves without an end is gone through once to look, once to judge and once for a simpler case', async () => {
  let lists = 0;
  const { violations } = await check({
    roots: () => [{ left: 1, side: 0 }],
    *moves({ left, side }) {
      lists++;
      for (let n = 1; ; n++) yield [`add ${n}`, { left: left + n, side }];
    },
  });
  expect(violations.map(({ rule }) => rule)).toEqual(['moves']);
  expect(lists).toBe(3);
});

test('the work is linear in moves, and in the positions asked for', async () => {
  const MOVES = 80;
  let keys = 0;
  const wide = (symmetric: boolean) =>
    keyedGame<{ n: number; side: 0 | 1 }, number>({
      name: 'wide',
      roots: () => [{ n: 1200, side: 0 }],
      key({ n, side }) {
        keys++;
        return n * 2 + side;
      },
      position: (key) => ({ n: key >> 1, side: (key & 1) as 0 | 1 }),
      mover: ({ side }) => side,
      *moves({ n, side }) {
        for (let k = 1; k <= Math.min(n, MOVES); k++)
          yield [`t${k}`, { n: n - k, side: (1 - side) as 0 | 1 }];
      },
      ...(symmetric && { symmetries: (at) => [at, { ...at }, { ...at }] }),
    }) as never;
  for (const [symmetric, images] of [
    [false, 1],
    [true, 4],
  ] as const) {
    keys = 0;
    const all = await checkKeyed(wide(symmetric), options);
    expect(all).toMatchObject({ all: true, violations: [] });
    // All keys once, and as many beside as games without many moves need.
    expect(keys).toBeLessThan(images * (2 * all.moves + 400_000));
    const before = keys;
    keys = 0;
    const few = await checkKeyed(wide(symmetric), { positions: 20, seed: 1 });
    expect(few.all).toBe(false);
    expect(keys).toBeLessThan(before / 4);
  }
});

test('moves beyond what is played are compared by what the positions hold', async () => {
  const hidden = (from: number) => ({
    roots: () => [{ left: 9000, side: 0 as const }],
    position: (key: bigint) => ({ ...heap.position(key), ...(heap.position(key).left < from && { odd: 1 }) }),
  });
  const same = await check(hidden(0));
  expect(same).toMatchObject({ all: true, compared: same.moves, violations: [] });
  const other = await check(hidden(500));
  expect(other.all).toBe(true);
  expect(other.compared).toBeLessThan(other.moves);
});

test('a violation names the move that led there, unless the position is a root', async () => {
  const messageOf = async (change: Partial<KeyedGame<Heap>>) => (await check(change)).violations[0].message;
  expect(await messageOf({ mover: (p) => (p.left === 7 ? wrong(3) : p.side) })).toMatch(
    /^heap: 7 [wb]: mover is 3, not 0 or 1.*; the move "take [123]" of (8|9|10) [wb] leads there$/,
  );
  expect(await messageOf({ mover: (p) => (p.left === 60 ? wrong(3) : p.side) })).not.toContain('leads there');
  // It stands before the fault already.
  const key = (p: Heap) => (p.left === 7 ? -1n : heap.key(p));
  expect(await messageOf({ key })).toMatch(
    /^heap: (8|9|10) [wb]: after its move "take [123]": 7 [wb]: its key is -1n/,
  );
});

test('a picture may be a list of lines', async () => {
  expect((await check({ diagram: ({ left }) => ['o'.repeat(left), ''] })).violations).toEqual([]);
  const { violations } = await check({ diagram: () => ['o', wrong(1)] });
  expect(violations[0].message).toContain('diagram is ["o",1], not text, nor a list of lines');
});
