/**
 * These: how buffers are divided among those who share a budget.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { split } from '../../../operators/core/budget.js';

const budget = { memory: 1000, fanIn: 16, batchRows: 64 };

test('each buffer gets its share of the memory and the whole of the other limits', () => {
  const { pool, order } = split(budget, { pool: 0.25, order: 0.7 });
  expect(pool).toEqual({ ...budget, memory: 250 });
  expect(order).toEqual({ ...budget, memory: 700 });
});

test('shares of more than the whole are refused', () => {
  const weights = fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(weights, fc.integer({ min: 1, max: 2 ** 40 }), (given, memory) => {
      const sum = given.reduce((a, b) => a + b);
      const fractions = Object.fromEntries(given.map((weight, i) => [`buffer${i}`, weight / sum]));
      const parts = Object.values(split({ ...budget, memory }, fractions));
      expect(parts.length).toBe(given.length);
      expect(parts.reduce((total, part) => total + part.memory, 0)).toBeLessThanOrEqual(memory);
    }),
    { seed: 43, numRuns: 200 },
  );
});

test('ten tenths are accepted despite rounding, and a hundredth more is refused', () => {
  const tenths = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`buffer${i}`, 0.1]));
  expect(Object.keys(split(budget, tenths)).length).toBe(10);
  expect(() => split(budget, { ...tenths, more: 0.01 })).toThrow(/shares of at most 1.*"more":0\.01/);
});
