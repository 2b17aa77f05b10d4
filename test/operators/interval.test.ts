/** How numbers are cut into intervals. */
import { expect, test } from 'vitest';
import { cutEvenly } from '../../operators/core/interval.js';

test('numbers are cut evenly, and no interval is empty', () => {
  expect(cutEvenly(7, 3)).toEqual([
    { from: 0, to: 2 },
    { from: 2, to: 4 },
    { from: 4, to: 7 },
  ]);
  expect(cutEvenly(2, 4)).toEqual([
    { from: 0, to: 1 },
    { from: 1, to: 2 },
  ]);
  expect(cutEvenly(0, 4)).toEqual([]);
});

test('intervals follow each other over all numbers, and their lengths differ by at most one', () => {
  for (const [count, pieces] of [
    [1, 1],
    [2 ** 16, 3],
    [1001, 7],
    [2 ** 32, 5],
  ]) {
    const cut = cutEvenly(count, pieces);
    expect(cut.map(({ from }) => from)).toEqual([0, ...cut.slice(0, -1).map(({ to }) => to)]);
    expect(cut.at(-1)!.to).toBe(count);
    const lengths = cut.map(({ from, to }) => to - from);
    expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThanOrEqual(1);
  }
});
