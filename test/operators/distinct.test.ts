/** Operators on rows whose payload belongs to the key, against sets of texts. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { distinct } from '../../operators/distinct.js';
import type { Cursor } from '../../operators/runs/types.js';
import { difference } from '../../operators/semi-join.js';
import { Sorter } from '../../operators/sort/sort.js';
import { collect, cursor, environment, leftovers, type Row, randomU32, sorted, source } from './model.js';

/** Many ties: few values of each column. */
const rowsOf = (majors: number, minors: number, rests: number) =>
  fc.array(
    fc.tuple(fc.integer({ min: 0, max: majors }), fc.nat(minors), fc.nat(rests)) as fc.Arbitrary<Row>,
    { maxLength: 120 },
  );
const rows = fc.oneof(rowsOf(3, 3, 2), rowsOf(300, 1, 1), rowsOf(0, 2, 0xffffffff), rowsOf(0, 0, 40));

function bySet(all: readonly Row[], without: readonly Row[] = []): Row[] {
  const taken = new Set(without.map(String));
  const texts = new Set(all.map(String).filter((text) => !taken.has(text)));
  return [...texts]
    .map((text) => text.split(',').map(Number))
    .sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
}

describe('distinct', () => {
  test('keeps every row once, in order of all three columns', async () => {
    await fc.assert(
      fc.asyncProperty(rows, fc.integer({ min: 1, max: 50 }), async (all, batchRows) => {
        const result = await collect(distinct(cursor(sorted(all), 1, batchRows)));
        expect(result).toEqual(bySet(all));
      }),
      { seed: 31, numRuns: 300 },
    );
  });

  test('rows with one key over many batches are kept once each', async () => {
    const random = randomU32(5);
    const all: Row[] = Array.from({ length: 5000 }, () => [7, 9, random() % 1000]);
    expect(await collect(distinct(cursor(all, 1, 64)))).toEqual(bySet(all));
  });

  test('in a sort, repeated rows are dropped before they are spilled', async () => {
    const random = randomU32(6);
    const all: Row[] = Array.from({ length: 20_000 }, () => [random() % 4, random() % 100, random() % 3]);
    const env = environment(1 << 15, 3, 100);
    const sorter = new Sorter(1, env, distinct);
    try {
      for await (const batch of source(all, 1, 333)) await sorter.add(batch);
      expect(await collect(sorter.drain())).toEqual(bySet(all));
    } finally {
      await sorter.dispose();
    }
    expect(env.counters.spills).toBeGreaterThan(3);
    // At most 1200 different rows a spill, of 8 bytes, and the metadata of a run.
    expect(env.counters.bytesWritten).toBeLessThan(2 * env.counters.spills * 16_000);
    expect(await leftovers(env)).toEqual([]);
  });

  test('an abandoned sort leaves nothing in scratch', async () => {
    const env = environment(4096, 2, 100);
    const sorter = new Sorter(1, env, distinct);
    for await (const batch of source(
      Array.from({ length: 3000 }, (_, i) => [0, 3000 - i, 0]),
      1,
      100,
    ))
      await sorter.add(batch);
    for await (const _ of sorter.drain()) break;
    await sorter.dispose();
    expect(await leftovers(env)).toEqual([]);
  });
});

describe('difference', () => {
  /** A set that counts how often it was opened, and how many rows were read of it. */
  function openable(set: readonly Row[], batchRows: number) {
    const seen = { opened: 0, rows: 0 };
    return {
      seen,
      async *cursor({ from, to }: { from: number; to: number }): Cursor {
        seen.opened++;
        const asked = set.filter(([major]) => major >= from && major < to);
        for await (const batch of cursor(asked, 1, batchRows)) {
          seen.rows += batch.length;
          yield batch;
        }
      },
    };
  }

  test('equals the difference of the sets', async () => {
    await fc.assert(
      fc.asyncProperty(
        rows,
        rows,
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 40 }),
        fc.constantFrom(1, 2, 50, 1000),
        async (a, b, leftRows, rightRows, leap) => {
          const { counters } = environment(1, 2, 1);
          const left = cursor(bySet(a), 1, leftRows);
          const right = openable(bySet(b), rightRows);
          const result = await collect(difference(left, right, { leap, counters }), leftRows);
          expect(result).toEqual(bySet(a, b));
          expect(counters).toMatchObject({ rowsJoined: bySet(a).length, rowsMatched: result.length });
        },
      ),
      { seed: 32, numRuns: 400 },
    );
  });

  test('equals it also if one side has far more rows, and for keys of all 32 bits', async () => {
    const random = randomU32(7);
    const rowsIn = (count: number, from: number, to: number, rests: number): Row[] =>
      Array.from({ length: count }, () => [5, from + (random() % (to - from)), random() % rests]);
    const [a, b, c] = [2 ** 30, 2 ** 31, 2 ** 32];
    // Signs change in the middle, and each stretch has ties.
    const left = [...rowsIn(900, 0, a, 2), ...rowsIn(20, a, b, 2), ...rowsIn(900, b, c, 2)];
    const right = [...rowsIn(900, 0, a, 2), ...rowsIn(4000, a, b, 2), ...rowsIn(100, b, c, 2)];
    const shared = left.filter((_, i) => i % 3 === 0);
    const near = shared.map(([major, minor, rest]): Row => [major, minor, 1 - rest]);
    const others = bySet([...right, ...shared, ...near.slice(0, near.length / 2)]);
    for (const [leftRows, rightRows] of [
      [4096, 4096],
      [70, 300],
    ]) {
      const { counters } = environment(1, 2, 1);
      const rows = cursor(bySet(left), 1, leftRows);
      const result = await collect(
        difference(rows, openable(others, rightRows), { leap: 1, counters }),
        leftRows,
      );
      expect(result).toEqual(bySet(left, others));
    }
  });

  test('few rows do not cause a read of all of the other set; many do not cause reopenings', async () => {
    const { counters } = environment(1, 2, 1);
    const set: Row[] = Array.from({ length: 1000 }, (_, major) => [major, 0, 0]);
    const few = openable(set, 1);
    const left: Row[] = [
      [3, 0, 0],
      [700, 0, 1],
    ];
    const options = { leap: 10, counters };
    expect(await collect(difference(cursor(left, 1, 10), few, options))).toEqual([[700, 0, 1]]);
    expect(few.seen.opened).toBe(2);
    expect(few.seen.rows).toBeLessThan(6);
    const many = openable(set, 1);
    expect(
      await collect(
        difference(
          cursor(
            set.filter(([m]) => m % 10 === 3),
            1,
            10,
          ),
          many,
          options,
        ),
      ),
    ).toEqual([]);
    expect(many.seen.opened).toBe(1);
  });
});
