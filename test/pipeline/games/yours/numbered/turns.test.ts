/** Numbered games in which a side may move again, and in which the side to move may have won. */
import {
  type FreeNumberedGame,
  type KeyedGame,
  memoryStore,
  numberedGame,
  type Side,
  solveKeyed,
} from 'mergemate';
import { expect, test } from 'vitest';
import { naiveValues, solvedValues } from '../../../../support/naive-keyed.js';
import { byCount, type Heap } from './taking.js';

const SIZE = 40;

/** Who takes the last loses; who takes three moves again; six may be put back at 10, and nobody may go on at 13. */
const taking: FreeNumberedGame<Heap> = {
  ...byCount,
  turns: 'free',
  size: SIZE,
  *moves({ left, side }) {
    const other = (1 - side) as Side;
    for (const n of [1, 3, 4])
      if (n <= left) yield [String(n), { left: left - n, side: n === 3 ? side : other }];
    if (left === 10) yield ['back', { left: 16, side: other }];
  },
  ended: ({ left }) => (left === 0 ? 'won' : left === 13 ? 'drawn' : null),
};

/** The same game by keys, all of whose positions are roots. */
const { moves, mover, ended } = taking;
const keyed: KeyedGame<Heap, number> = {
  name: 'taking-by-keys',
  *roots() {
    for (let key = 0; key < 2 * SIZE; key++) yield { left: key >> 1, side: (key & 1) as Side };
  },
  key: ({ left, side }) => 2 * left + side,
  position: (key) => ({ left: key >> 1, side: (key & 1) as Side }),
  moves,
  mover,
  ended: ended!,
};

test('every position has the value of a naive solver', async () => {
  const { graph, values } = await solvedValues(numberedGame(taking));
  const naive = naiveValues(keyed);
  expect(graph.nodes).toBe(2 * SIZE);
  expect([...values].sort()).toEqual([...naive].sort());
  expect(new Set([...values.values()].map(Math.sign))).toEqual(new Set([1, -1, 0]));
});

test.each([
  [{ turns: 'any' }, `taking: turns is "any", not 'free'`],
  [
    { slices: [{ name: 'all', size: SIZE }] },
    "taking: it has both slices and turns: 'free': a game with turns: 'free' is solved as a whole",
  ],
  [{ unmoves: () => [] }, "it has both unmoves and turns: 'free'"],
  [{ stuck: 'won' }, `taking: stuck is "won", not 'lost' or 'drawn'`],
  [
    { ended: () => 'over' },
    `ended is "over", not 'won', 'lost', 'drawn' or null, nor { won: plies } or { lost: plies }`,
  ],
])('a definition with %o is refused', async (change, message) => {
  const solve = async () =>
    await solveKeyed({ game: numberedGame({ ...taking, ...change } as never), store: memoryStore() });
  await expect(solve).rejects.toThrow(message);
});
