/** The naive solver of the benchmark, against one that goes over all positions again and again. */
import type { KeyedGame } from 'mergemate';
import { expect, test } from 'vitest';
import { connectFour } from '../../samples/connect-four/rules.js';
import { naiveValues } from '../support/naive-keyed.js';
import { solvedFirst } from './naive-keyed.js';

function compare(game: KeyedGame<number, number>): Set<number> {
  const nodes = solvedFirst(game);
  const values = naiveValues(game);
  expect(nodes.size).toBe(values.size);
  // Those of the other solver are n + 1 for won in n plies.
  for (const [key, { value, plies }] of nodes)
    expect([key, value * (plies + 1)]).toEqual([key, values.get(BigInt(key))]);
  return new Set([...nodes.values()].map(({ value }) => value));
}

test('Connect Four on 4 x 3 squares', () => {
  expect(compare(connectFour(4, 3)).size).toBe(3);
});

test('a game with circles, passes, ends won at once, and positions that nobody wins', () => {
  const size = 600;
  const found = compare({
    name: 'leaps',
    roots: () => [1, 2],
    key: (n) => n,
    position: (key) => key,
    mover: (n) => ((n >> 1) & 1) as 0 | 1,
    ended: (n) => (n % 17 === 0 ? 'won' : n % 19 === 0 ? 'lost' : n % 23 === 0 ? 'drawn' : null),
    moves: (n) =>
      n % 29 === 0
        ? []
        : [7 * n + 3, 11 * n + 5, n * n + 1].map((to, i): [string, number] => [String(i), to % size]),
  });
  expect(found).toEqual(new Set([-1, 0, 1]));
});
