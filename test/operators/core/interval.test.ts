/** How numbers are cut into intervals. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutByWeight, cutEvenly } from '../../../operators/core/interval.js';

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

test('two pieces meet where the weights are halved', () => {
  expect(cutByWeight([1, 1, 1, 1, 8], 2)).toEqual([
    { from: 0, to: 4 },
    { from: 4, to: 5 },
  ]);
  expect(cutByWeight([6, 3, 2, 1], 2)).toEqual([
    { from: 0, to: 1 },
    { from: 1, to: 4 },
  ]);
  expect(cutByWeight([], 3)).toEqual([]);
});

test('for any weights, intervals cover all numbers and none is empty', () => {
  const weighed = fc.array(fc.nat(1000), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(weighed, fc.integer({ min: 1, max: 12 }), (weights, pieces) => {
      const cut = cutByWeight(weights, pieces);
      expect(cut).toHaveLength(Math.min(weights.length, pieces));
      expect(cut.map(({ from }) => from)).toEqual([0, ...cut.slice(0, -1).map(({ to }) => to)]);
      expect(cut.at(-1)!.to).toBe(weights.length);
      expect(cut.every(({ from, to }) => from < to)).toBe(true);
    }),
  );
});

test('no interval weighs more than its share and the heaviest number', () => {
  const weighed = fc.array(fc.nat(1000), { minLength: 12, maxLength: 40 });
  fc.assert(
    fc.property(weighed, fc.integer({ min: 1, max: 4 }), (weights, pieces) => {
      const sum = (from: number, to: number) => weights.slice(from, to).reduce((all, each) => all + each, 0);
      const share = sum(0, weights.length) / pieces;
      for (const { from, to } of cutByWeight(weights, pieces))
        if (to - from > 1) expect(sum(from, to)).toBeLessThanOrEqual(share + Math.max(...weights));
    }),
  );
});
