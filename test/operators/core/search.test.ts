/** Binary search in ascending whole numbers, against a plain one. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { firstAtLeast, lastAtMost } from '../../../operators/core/search.js';

const ascending = fc
  .array(fc.integer({ min: 0, max: 20 }), { maxLength: 12 })
  .map((numbers) => Uint32Array.from(numbers).sort());

test('finds the first number that is at least the bound', () => {
  fc.assert(
    fc.property(ascending, fc.nat(21), fc.nat(12), (numbers, bound, from) => {
      fc.pre(from <= numbers.length);
      const found = numbers.findIndex((number, i) => i >= from && number >= bound);
      expect(firstAtLeast(numbers, bound, from)).toBe(found < 0 ? numbers.length : found);
    }),
  );
});

test('finds the last number that is at most the limit', () => {
  fc.assert(
    fc.property(ascending, fc.nat(21), fc.nat(12), (numbers, limit, to) => {
      fc.pre(to <= numbers.length && to > 0);
      const found = numbers.slice(0, to).findLastIndex((number) => number <= limit);
      expect(lastAtMost(Float64Array.from(numbers), limit, to)).toBe(Math.max(0, found));
    }),
  );
});
