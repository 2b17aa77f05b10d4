import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { distribute, releaseSegments } from '../../../operators/distribute/distribute.js';
import { createPool } from '../../../operators/distribute/pool.js';
import { gather, gatherByMajor, type Source } from '../../../operators/gather.js';
import type { Grouped } from '../../../operators/runs/types.js';
import { sort } from '../../../operators/sort/sort.js';
import { LONG } from '../../support/long.js';
import {
  collect,
  environment,
  expectRows,
  leftovers,
  type Row,
  randomRows,
  sorted,
  source,
} from '../model.js';

const setting = fc.record({
  n: fc.oneof(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 6000 })),
  majors: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 2000 })),
  minors: fc.constantFrom(1, 300, 2 ** 18, 2 ** 32),
  payload: fc.constantFrom<0 | 1 | 2>(0, 1, 2),
  memory: fc.constantFrom(2048, 5000, 20_000, 1 << 20),
  pool: fc.constantFrom(1024, 4096, 30_000, 1 << 20),
  fanIn: fc.constantFrom(2, 3, 8, 64),
  batchRows: fc.constantFrom(1, 7, 1000, 65_536),
  inputRows: fc.constantFrom(1, 100, 4096, 65_536),
  sources: fc.integer({ min: 1, max: 3 }),
  seed: fc.integer({ min: 1, max: 1 << 30 }),
});

describe('external merge sort', () => {
  test('sorts, keeps the order of equal keys, and leaves nothing', async () => {
    await fc.assert(
      fc.asyncProperty(setting, async (s) => {
        const rows = randomRows(s.n, s.majors, s.minors, s.payload, s.seed);
        const env = environment(s.memory, s.fanIn, s.batchRows);
        const result = await collect(sort(source(rows, s.payload, s.inputRows), s.payload, env), s.batchRows);
        expectRows(result, sorted(rows));
        expect(env.counters.rowsSorted).toBe(s.n);
        expect(await leftovers(env)).toEqual([]);
      }),
      { seed: 21, numRuns: LONG ? 40 : 20 },
    );
  });

  test('spills nothing if everything fits, all rows if not', async () => {
    const rows = randomRows(10_000, 10, 1000, 1, 1);
    const ample = environment(1 << 20, 8, 1000);
    await collect(sort(source(rows, 1, 500), 1, ample));
    expect(ample.counters).toMatchObject({ spills: 0, rowsSpilled: 0, mergePasses: 0, bytesWritten: 0 });
    const scant = environment(1 << 16, 8, 1000);
    expectRows(await collect(sort(source(rows, 1, 500), 1, scant)), sorted(rows));
    expect(scant.counters.rowsSpilled).toBe(10_000);
    expect(scant.counters.spills).toBeGreaterThan(2);
    expect(scant.counters.mergePasses).toBe(1);
  });

  test('merges no more runs at once than the fan-in, with as few rows in early passes as can be', async () => {
    const rows = randomRows(20_000, 3, 2 ** 30, 0, 2);
    const env = environment(12_000, 2, 1000);
    expectRows(await collect(sort(source(rows, 0, 500), 0, env)), sorted(rows));
    expect(env.counters.spills).toBeGreaterThan(8);
    // A merge of two makes one run less.
    expect(env.counters.mergePasses).toBe(env.counters.spills - 1);
  });

  test('sorts majors that are far apart', async () => {
    const rows = randomRows(3000, 50, 100, 1, 3).map(([major, ...rest]) => [
      (major * 85_899_345) >>> 0,
      ...rest,
    ]);
    const env = environment(1 << 14, 4, 100);
    expectRows(await collect(sort(source(rows, 1, 64), 1, env)), sorted(rows));
  });

  test('a consumer that stops and a source that fails leave nothing in scratch', async () => {
    const rows = randomRows(10_000, 10, 1000, 0, 1);
    const env = environment(1 << 14, 3, 100);
    for await (const _ of sort(source(rows, 0, 500), 0, env)) break;
    expect(env.counters.spills).toBeGreaterThan(3);
    expect(await leftovers(env)).toEqual([]);
    await expect(collect(sort(failing(rows), 0, env))).rejects.toThrow('source failed');
    expect(await leftovers(env)).toEqual([]);
  });
});

/** Rows of batches whose majors ascend, in any order in a major. */
async function collectGrouped(batches: Grouped): Promise<Row[]> {
  const rows: Row[] = [];
  let last = 0;
  for await (const { major, length, minor, payload } of batches) {
    expect(major).toBeGreaterThanOrEqual(last);
    last = major;
    for (let i = 0; i < length; i++) rows.push([major, minor[i], ...payload.map((column) => column[i])]);
  }
  return rows;
}

/** Sorted by all columns: a multiset of rows has one such order. */
const sortedWhole = (rows: readonly Row[]): Row[] =>
  [...rows].sort((a, b) => a.reduce((order, value, c) => order || value - b[c], 0));

async function* failing(rows: Row[]) {
  yield* source(rows, 0, 500);
  throw new Error('source failed');
}

describe('external distribution sort', () => {
  test('gives the rows of the merge sort, from any number of sources and in any ranges', async () => {
    await fc.assert(
      fc.asyncProperty(setting, async (s) => {
        const env = environment(s.memory, s.fanIn, s.batchRows);
        const all: Row[] = [];
        const sources: Source[] = [];
        for (let k = 0; k < s.sources; k++) {
          const rows = randomRows(s.n, s.majors, s.minors, s.payload, s.seed + k);
          all.push(...rows);
          const pool = createPool(s.pool, { shared: k % 2 === 0 });
          const spec = { majors: s.majors, payload: s.payload, pool };
          const segments = await distribute(source(rows, s.payload, s.inputRows), spec, env);
          expect(segments.rows).toBe(s.n);
          // The rows as another thread gets them.
          sources.push({ segments: structuredClone(segments), pool });
        }
        expect(env.counters.rowsSorted).toBe(s.n * s.sources);
        const middle = s.seed % (s.majors + 1);
        const low = await collect(gather(sources, { from: 0, to: middle }, s.payload, env), s.batchRows);
        const high = await collect(
          gather(sources, { from: middle, to: s.majors }, s.payload, env),
          s.batchRows,
        );
        const expected = sorted(all);
        expectRows(
          low,
          expected.filter((row) => row[0] < middle),
        );
        expectRows(
          high,
          expected.filter((row) => row[0] >= middle),
        );
        const grouped = await collectGrouped(
          gatherByMajor(sources, { from: 0, to: s.majors }, s.payload, env),
        );
        expectRows(sortedWhole(grouped), sortedWhole(all));
        const merged = await collect(sort(source(all, s.payload, s.inputRows), s.payload, env));
        expectRows([...low, ...high], merged);
        for (const { segments } of sources) await releaseSegments(segments, env);
        expect(await leftovers(env)).toEqual([]);
      }),
      { seed: 22, numRuns: LONG ? 50 : 8 },
    );
  });

  test('spills nothing that fits the pool, and reuses the pool', async () => {
    const env = environment(1 << 20, 8, 1000);
    const pool = createPool(1 << 20, { shared: false });
    for (let round = 0; round < 5; round++) {
      const rows = randomRows(300, 2000, 2 ** 18, 1, round + 1);
      const segments = await distribute(source(rows, 1, 100), { majors: 2000, payload: 1, pool }, env);
      expect(segments.object).toBeNull();
      const result = await collect(gather([{ segments, pool }], { from: 0, to: 2000 }, 1, env));
      expect(result).toEqual(sorted(rows));
    }
    expect(env.counters).toMatchObject({ spills: 0, bytesWritten: 0, bytesRead: 0 });
  });

  test('spilled rows are written once and read once', async () => {
    const env = environment(1 << 20, 8, 1000);
    const pool = createPool(1 << 14, { shared: false });
    const rows = randomRows(50_000, 20, 2 ** 18, 1, 4);
    const segments = await distribute(source(rows, 1, 1000), { majors: 20, payload: 1, pool }, env);
    expect(env.counters.spills).toBeGreaterThan(10);
    expect(env.counters.bytesWritten).toBe(8 * env.counters.rowsSpilled);
    expect(await collect(gather([{ segments, pool }], { from: 0, to: 20 }, 1, env))).toEqual(sorted(rows));
    expect(env.counters.bytesRead).toBe(8 * env.counters.rowsSpilled);
    expect(env.counters.mergePasses).toBe(0);
  });

  test('a major that does not fit the memory is sorted externally', async () => {
    const env = environment(1 << 14, 4, 500);
    const pool = createPool(1 << 15, { shared: false });
    const rows = randomRows(20_000, 40, 2 ** 20, 2, 6).map((row, i) => [
      i % 3 === 0 ? row[0] : 17,
      ...row.slice(1),
    ]);
    const segments = await distribute(source(rows, 2, 1000), { majors: 40, payload: 2, pool }, env);
    const ranges = { from: 0, to: 40 };
    expect(await collect(gather([{ segments, pool }], ranges, 2, env))).toEqual(sorted(rows));
    expect(env.counters.mergePasses).toBeGreaterThan(0);
    expect(sortedWhole(await collectGrouped(gatherByMajor([{ segments, pool }], ranges, 2, env)))).toEqual(
      sortedWhole(rows),
    );
    let batches = 0;
    for await (const _ of gather([{ segments, pool }], ranges, 2, env)) if (++batches === 25) break;
    await releaseSegments(segments, env);
    expect(await leftovers(env)).toEqual([]);
  });

  test('a source that fails and a major out of range leave nothing in scratch', async () => {
    const env = environment(1 << 20, 4, 500);
    const pool = createPool(1 << 12, { shared: false });
    const rows = randomRows(10_000, 10, 1000, 0, 1);
    await expect(distribute(failing(rows), { majors: 10, payload: 0, pool }, env)).rejects.toThrow(
      'source failed',
    );
    expect(env.counters.spills).toBeGreaterThan(0);
    expect(await leftovers(env)).toEqual([]);
    await expect(distribute(source(rows, 0, 10), { majors: 9, payload: 0, pool }, env)).rejects.toThrow(
      'distribute: major 9 of 9',
    );
    expect(await leftovers(env)).toEqual([]);
  });
});
