import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dedupe } from '../../operators/dedupe.js';
import { and, count, group, max, min, type Reducer } from '../../operators/group.js';
import { collect, cursor, type Row, randomRows, sorted } from './model.js';

const setting = fc.record({
  n: fc.integer({ min: 0, max: 600 }),
  majors: fc.constantFrom(1, 2, 10, 300),
  minors: fc.constantFrom(1, 2, 40, 2 ** 32),
  batchRows: fc.integer({ min: 1, max: 80 }),
  seed: fc.integer({ min: 1, max: 1 << 30 }),
});

function groupsOf(rows: Row[]): Row[][] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = String(row.slice(0, 2));
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()];
}

const reducers: [string, Reducer, (rows: Row[]) => number][] = [
  ['count', count, (rows) => rows.length],
  ['max', max(1), (rows) => Math.max(...rows.map((row) => row[3]))],
  ['min', min(1), (rows) => Math.min(...rows.map((row) => row[3]))],
  ['and', and(1), (rows) => rows.reduce((all, row) => (all & row[3]) >>> 0, 0xffffffff)],
];

describe('group', () => {
  test.each(reducers)('%s of every key', async (_, reducer, model) => {
    await fc.assert(
      fc.asyncProperty(setting, async (s) => {
        const rows = sorted(randomRows(s.n, s.majors, s.minors, 2, s.seed));
        const expected = groupsOf(rows).map((rows) => [rows[0][0], rows[0][1], model(rows)]);
        expect(await collect(group(cursor(rows, 2, s.batchRows), reducer))).toEqual(expected);
      }),
      { seed: 41, numRuns: 150 },
    );
  });

  test('values over 2^31 are unsigned', async () => {
    const rows = [
      [0, 1, 0x80000000],
      [0, 1, 5],
      [0, 1, 0xffffffff],
    ];
    for (const batchRows of [1, 2, 3]) {
      const of = async (reducer: Reducer) =>
        (await collect(group(cursor(rows, 1, batchRows), reducer)))[0][2];
      expect([await of(max(0)), await of(min(0))]).toEqual([0xffffffff, 5]);
      expect(await of(and(0))).toBe(0);
    }
  });
});

describe('dedupe', () => {
  test('keeps the first row of every key', async () => {
    await fc.assert(
      fc.asyncProperty(setting, fc.constantFrom(0, 1, 2), async (s, payload) => {
        const rows = sorted(randomRows(s.n, s.majors, s.minors, payload, s.seed));
        const expected = groupsOf(rows).map((rows) => rows[0]);
        expect(await collect(dedupe(cursor(rows, payload, s.batchRows)))).toEqual(expected);
      }),
      { seed: 42, numRuns: 200 },
    );
  });
});
