import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newColumns } from '../../../operators/core/columns.js';
import { radixSort } from '../../../operators/sort/radix.js';
import { sweep } from '../../support/long.js';
import { randomU32 } from '../model.js';

/** Sorts `minors` amid guard rows with row numbers as payload; returns the sorted rows. */
function check(minors: ArrayLike<number>, payload: number): void {
  const n = minors.length;
  const guard = 5;
  const rows = newColumns(n + 2 * guard, payload);
  const spare = newColumns(n + 2 * guard, payload);
  for (const columns of [rows, spare]) {
    for (const column of [columns.minor, ...columns.payload]) column.fill(77);
  }
  for (let i = 0; i < n; i++) {
    rows.minor[guard + i] = minors[i];
    for (let c = 0; c < payload; c++) rows.payload[c][guard + i] = (c + 1) * i;
  }
  const result = radixSort(rows, spare, guard, guard + n);
  expect(result === rows || result === spare).toBe(true);
  for (const columns of [rows, spare]) {
    for (const column of [columns.minor, ...columns.payload]) {
      for (let g = 0; g < guard; g++) {
        expect(column[g]).toBe(77);
        expect(column[guard + n + g]).toBe(77);
      }
    }
  }
  const expected = Uint32Array.from(minors).sort();
  expect(Buffer.compare(bytes(result.minor.subarray(guard, guard + n)), bytes(expected))).toBe(0);
  if (payload === 0) return;
  let faults = 0;
  for (let i = guard; i < guard + n; i++) {
    const from = result.payload[0][i];
    if (minors[from] !== result.minor[i]) faults++;
    if (payload > 1 && result.payload[1][i] !== (2 * from) >>> 0) faults++;
    if (i > guard && result.minor[i] === result.minor[i - 1] && result.payload[0][i - 1] >= from) faults++;
  }
  expect(faults).toBe(0);
}

function bytes(words: Uint32Array): Uint8Array {
  return new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
}

describe('radix sort', () => {
  test.each([0, 1, 2])('sorts small arrays of any range, %i payload columns', (payload) => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(fc.integer({ min: 0, max: 0xffffffff }), { maxLength: 300 }),
          fc.array(fc.integer({ min: 0x7ffffff0, max: 0x80000010 }), { maxLength: 300 }),
          fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 120 }),
        ),
        (minors) => check(minors, payload),
      ),
      { seed: 11, numRuns: 150 },
    );
  });

  /** Below and above the most rows that WebAssembly takes, for any number of payload columns. */
  const sizes = [41, 2000, 40_000, 70_000, 100_000, 600_000];
  const ranges = [2, 2 ** 11, 2 ** 11 + 1, 2 ** 16, 2 ** 18, 2 ** 22, 2 ** 32];
  test.each([0, 1, 2])(
    'sorts at the sizes and ranges where the algorithm changes, %i payload columns',
    (payload) => {
      const random = randomU32(5 + payload);
      for (const n of sizes) {
        for (const range of n < 600_000 ? ranges : sweep([2, 2 ** 32], ranges.slice(1, -1))) {
          const least = Math.floor((random() / 2 ** 32) * (2 ** 32 - range));
          const minors = Uint32Array.from(
            { length: n },
            () => least + Math.floor((random() / 2 ** 32) * range),
          );
          check(minors, payload);
        }
      }
    },
  );

  test.each([0, 1])(
    'sorts skewed, ascending, descending and constant arrays, %i payload columns',
    (payload) => {
      const random = randomU32(9);
      const n = 500_000;
      check(
        Uint32Array.from({ length: n }, (_, i) => (i % 1000 === 0 ? random() : random() % 70_000)),
        payload,
      );
      check(
        Uint32Array.from({ length: n }, (_, i) => i),
        payload,
      );
      check(
        Uint32Array.from({ length: n }, (_, i) => 4_000_000_000 - i),
        payload,
      );
      check(new Uint32Array(n).fill(0xffffffff), payload);
    },
  );

  test('counting sort writes runs of equal minors up to the end of the rows', () => {
    const minors = new Uint32Array(5000);
    for (let i = 0; i < 4000; i++) minors[i] = (i * 7919) % 4096;
    minors.fill(4095, 4000);
    minors.fill(0, 4900);
    check(minors, 0);
  });
});
