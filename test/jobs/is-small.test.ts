import { type KeyedGame, type KeyedRules, keyedGame } from 'mergemate';
import { expect, test } from 'vitest';
import { isSmall } from '../../jobs/is-small.js';

const downFrom = (most: number, change: Partial<KeyedGame<{ n: number }, number>> = {}): KeyedRules =>
  keyedGame<{ n: number }, number>({
    name: 'down',
    roots: () => [{ n: most }],
    key: ({ n }) => n,
    position: (n) => ({ n }),
    mover: ({ n }) => (n % 2) as 0 | 1,
    moves: ({ n }) => (n > 0 ? [['on', { n: n - 1 }]] : []),
    ...change,
  }) as KeyedRules;

test.each([
  ['few positions', downFrom(20), true],
  ['many positions', downFrom(100_000), false],
  ['a function fails', downFrom(10, { mover: () => 0, key: () => -1 }), false],
  [
    'moves change the position',
    downFrom(10, { moves: (p) => (p.n > 0 ? [['on', { n: --p.n }]] : []) }),
    false,
  ],
  ['moves differ when they are asked twice', downFrom(10, { moves: fewer() }), false],
])('%s', (_, game, small) => {
  expect(isSmall(game)).toBe(small);
});

function fewer(): KeyedGame<{ n: number }, number>['moves'] {
  let left = 5;
  return ({ n }) => (n > 0 && left-- > 0 ? [['on', { n: n - 1 }]] : []);
}
