import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dedupe } from '../../operators/dedupe.js';
import { collect, cursor, type Row, randomRows, sorted } from './model.js';

const setting = fc.record({
  n: fc.integer({ min: 0, max: 600 }),
  majors: fc.constantFrom(1, 2, 10, 300),
  minors: fc.constantFrom(1, 2, 40, 2 ** 32),
  batchRows: fc.integer({ min: 1, max: 80 }),
  seed: fc.integer({ min: 1, max: 1 << 30 }),
});

function firstOfEveryKey(rows: Row[]): Row[] {
  const firsts = new Map<string, Row>();
  for (const row of rows) {
    const key = String(row.slice(0, 2));
    if (!firsts.has(key)) firsts.set(key, row);
  }
  return [...firsts.values()];
}

test('dedupe keeps the first row of every key', async () => {
  await fc.assert(
    fc.asyncProperty(setting, fc.constantFrom(0, 1, 2), async (s, payload) => {
      const rows = sorted(randomRows(s.n, s.majors, s.minors, payload, s.seed));
      const expected = firstOfEveryKey(rows);
      expect(await collect(dedupe(cursor(rows, payload, s.batchRows)))).toEqual(expected);
    }),
    { seed: 42, numRuns: 200 },
  );
});
