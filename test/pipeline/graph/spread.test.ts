import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newRows } from '../../../operators/runs/rows.js';
import { MAJORS } from '../../../pipeline/graph/spread.js';
import { readBigKey as readKey, writeBigKey as writeKey } from '../../support/keyed-rows.js';

const rows = newRows(1, 1);
const batch = () => ({ major: rows.major[0], length: 1, minor: rows.minor, payload: rows.payload });

test('every key is mapped back', () => {
  const edges = [0n, 1n, 2n ** 32n - 1n, 2n ** 32n, 2n ** 63n, 2n ** 64n - 1n];
  fc.assert(
    fc.property(fc.oneof(fc.constantFrom(...edges), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })), (key) => {
      writeKey(key, rows, 0);
      expect(rows.major[0]).toBeLessThan(MAJORS);
      expect(readKey(batch(), 0)).toBe(key);
    }),
    { seed: 41, numRuns: 3000 },
  );
});

test.each([
  ['the lowest bits', (i: number) => BigInt(i)],
  ['the highest bits', (i: number) => BigInt(i) << 48n],
  ['a bit in many', (i: number) => (BigInt(i) * 0x10001n) << 8n],
])('keys that differ in %s are spread evenly', (_, keyOf) => {
  const counts = new Array(MAJORS).fill(0);
  const minors = new Set<number>();
  const each = 64;
  for (let i = 0; i < each * MAJORS; i++) {
    if (keyOf(i) >= 2n ** 64n) break;
    writeKey(keyOf(i), rows, 0);
    counts[rows.major[0]]++;
    minors.add(rows.minor[0]);
  }
  const total = counts.reduce((sum, count) => sum + count);
  const mean = total / MAJORS;
  // Chi-squared over majors: its mean is MAJORS - 1, its standard deviation sqrt(2 (MAJORS - 1)).
  const chi = counts.reduce((sum, count) => sum + (count - mean) ** 2 / mean, 0);
  expect(Math.abs(chi - (MAJORS - 1))).toBeLessThan(6 * Math.sqrt(2 * (MAJORS - 1)));
  expect(minors.size).toBeGreaterThan(total * 0.9999);
});
