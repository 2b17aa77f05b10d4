/** Numbered games with scores that are broken: each message names position and cause. */
import {
  keyedGame,
  memoryStore,
  numberedGame,
  type ScoredNumberedGame,
  type Side,
  solveKeyed,
} from 'mergemate';
import { expect, test } from 'vitest';
import { byCount, type Heap } from './taking.js';

/** Who takes the last of ten wins by as many as were taken with it. */
const taking: ScoredNumberedGame<Heap> = {
  ...byCount,
  size: 10,
  moves: ({ left, side }) =>
    [1, 2].filter((n) => n <= left).map((n) => [String(n), { left: left - n, side: (1 - side) as Side }]),
  score: ({ side }) => (side === 0 ? -1 : 1),
};

const solveWith = (change: object) =>
  solveKeyed({ game: numberedGame<Heap>({ ...taking, ...change }), store: memoryStore() });

test('all numbers are solved, and the first position with a move is the example', async () => {
  const game = numberedGame(taking);
  const { graph } = await solveKeyed({ game, store: memoryStore() });
  expect(graph.nodes).toBe(20);
  expect([...game.starts()]).toEqual([{ left: 1, side: 0 }]);
  const [seven, twice] = [
    { left: 7, side: 0 as Side },
    { left: 7, side: 0 as Side },
  ];
  expect([...numberedGame({ ...taking, starts: () => [seven, twice] }).starts()]).toEqual([seven]);
  const keyed = keyedGame({
    name: 'k',
    roots: () => [1],
    key: Number,
    position: Number,
    mover: () => 0,
    moves: () => [],
  });
  expect([...keyed.starts()]).toEqual([1]);
});

test.each([
  [
    { slices: [{ name: 'all', size: 10 }] },
    'taking: it has both slices and score: a game with score is solved as a whole',
  ],
  [{ unmoves: () => [] }, 'taking: it has both unmoves and score'],
  [{ stuck: 'lost' }, 'taking: it has both stuck and score'],
  [{ size: 2.5 }, 'taking: size is 2.5, not a whole number from 1 to 2^52'],
  [{ position: () => null }, 'taking: position gives null for every number from 0 to 9'],
  [{ index: ({ left }: Heap) => left + 10 }, 'is 10, not a whole number from 0 to 9'],
  [{ index: () => 3 }, 'taking: 3 w: is position(0, 0), but its index is 3'],
  [{ score: () => 0.5 }, 'score is 0.5, not an integer from -125 to 125'],
  [{ ended: () => 'lost' }, 'ended is "lost", not \'over\' or null, as in all games with score'],
  [
    { position: (left: number, side: Side) => (left === 4 ? null : { left, side }) },
    /taking: [56] [wb]: the move [12] leads to 4 [wb], which is not a position/,
  ],
])('a definition with %o is refused with position and cause', async (change, message) => {
  await expect(async () => await solveWith(change)).rejects.toThrow(message);
});
