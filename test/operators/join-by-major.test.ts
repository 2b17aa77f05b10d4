import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newCounters } from '../../operators/core/counters.js';
import { createPool } from '../../operators/distribute/pool.js';
import { joinByMajor } from '../../operators/join-by-major.js';
import { byKey, type Row, randomRows, source } from './model.js';

const setting = fc.record({
  n: fc.integer({ min: 0, max: 1500 }),
  majors: fc.integer({ min: 1, max: 40 }),
  minors: fc.constantFrom(1, 5, 100, 1000),
  batchRows: fc.integer({ min: 1, max: 700 }),
  poolBytes: fc.constantFrom(8 * 64, 8 * 200, 8 * 60_000),
  seed: fc.integer({ min: 1, max: 1 << 30 }),
});

test('each row is joined with its partner; majors are loaded in ascending order, once for each full pool', async () => {
  await fc.assert(
    fc.asyncProperty(setting, async (s) => {
      const rows = randomRows(s.n, s.majors, s.minors, 1, s.seed);
      const valueAt = (major: number, minor: number) => (major * 31 + minor * 7) % 251;
      const loads: number[] = [];
      const met: Row[] = [];
      const counters = newCounters();
      await joinByMajor(
        source(rows, 1, s.batchRows),
        async (major) => {
          loads.push(major);
          return Uint16Array.from({ length: s.minors }, (_, minor) => valueAt(major, minor));
        },
        (major, minor, payload, found) => {
          expect(payload.length).toBe(minor.length);
          expect(major).toBe(loads.at(-1));
          minor.forEach((key, i) => {
            met.push([major, key, payload[i], found[key]]);
          });
        },
        { majors: s.majors, pool: createPool(s.poolBytes, { shared: false }), counters },
      );
      const order = (a: Row, b: Row) => byKey(a, b) || a[2] - b[2];
      const wanted = rows.map((row) => [...row, valueAt(row[0], row[1])]);
      expect(met.sort(order)).toEqual(wanted.sort(order));
      expect(counters).toEqual({ ...newCounters(), rowsJoined: s.n });
      if (s.poolBytes > 8 * 4096)
        expect(loads).toEqual([...new Set(rows.map((row) => row[0]))].sort((a, b) => a - b));
    }),
    { numRuns: 40 },
  );
});
