import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newCounters } from '../../operators/core/counters.js';
import { expand } from '../../operators/expand.js';
import { type JoinKernel, join } from '../../operators/join.js';
import type { DenseCursor } from '../../operators/runs/types.js';
import { semiJoin } from '../../operators/semi-join.js';
import { LONG } from '../support/long.js';
import { collect, collectRows, cursor, expectRows, randomRows, sorted } from './model.js';

const setting = fc.record({
  n: fc.integer({ min: 0, max: 500 }),
  m: fc.integer({ min: 0, max: 500 }),
  majors: fc.integer({ min: 1, max: 40 }),
  minors: fc.constantFrom(1, 5, 100, 1000),
  payload: fc.constantFrom(0, 1, 2),
  leftRows: fc.integer({ min: 1, max: 60 }),
  rightRows: fc.integer({ min: 1, max: 60 }),
  capacity: fc.integer({ min: 3, max: 100 }),
  seed: fc.integer({ min: 1, max: 1 << 30 }),
});

/** The value that the dense side has at a key. */
function valueAt(major: number, minor: number): number {
  return (major * 31 + minor * 7) % 251;
}

/** A dense side of `minors` rows a major in batches of `batchRows`; notes the majors that are opened. */
function denseSide(minors: number, batchRows: number, opened: number[]) {
  return async function* ({ from, to }: { from: number; to: number }): DenseCursor {
    for (let major = from; major < to; major++) {
      opened.push(major);
      for (let first = 0; first < minors; first += batchRows) {
        const length = Math.min(batchRows, minors - first);
        const column = Uint8Array.from({ length }, (_, i) => valueAt(major, first + i));
        yield { major, first, length, columns: [column] };
        column.fill(255);
      }
    }
  };
}

/** The asker (left payload: major, minor) gets the value of its key. */
const answer: JoinKernel = (left, from, to, right, out) => {
  const [askerMajor, askerMinor] = left.payload;
  const [value] = right.columns;
  let row = out.length;
  let i = from;
  for (; i < to && row < out.minor.length; i++, row++) {
    out.major[row] = askerMajor[i];
    out.minor[row] = askerMinor[i];
    out.payload[0][row] = value[left.minor[i] - right.first];
  }
  out.length = row;
  return i;
};

describe('join', () => {
  test('each row is joined with its partner, and only majors with rows are opened', async () => {
    await fc.assert(
      fc.asyncProperty(setting, async (s) => {
        const left = sorted(randomRows(s.n, s.majors, s.minors, 2, s.seed));
        const opened: number[] = [];
        const counters = newCounters();
        const answers = await collectRows(
          join(cursor(left, 2, s.leftRows), denseSide(s.minors, s.rightRows, opened), answer, {
            rows: s.capacity,
            payload: 1,
            counters,
          }),
        );
        expectRows(
          answers,
          left.map((row) => [row[2], row[3], valueAt(row[0], row[1])]),
        );
        expect(opened).toEqual([...new Set(left.map((row) => row[0]))]);
        expect(counters).toMatchObject({ rowsJoined: s.n, rowsMatched: s.n });
      }),
      { seed: 31, numRuns: LONG ? 200 : 60 },
    );
  });

  test('a key that the dense side lacks is an error', async () => {
    const rows = [
      [2, 3, 0, 0],
      [2, 10, 0, 0],
    ];
    const options = { rows: 10, payload: 1, counters: newCounters() };
    const joined = join(cursor(rows, 2, 10), denseSide(10, 4, []), answer, options);
    await expect(collectRows(joined)).rejects.toThrow('join: the dense side has no row (2, 10)');
  });

  test('a kernel that cannot place one row is an error', async () => {
    const options = { rows: 0, payload: 1, counters: newCounters() };
    const joined = join(cursor([[0, 0, 0, 0]], 2, 10), denseSide(10, 4, []), answer, options);
    await expect(collectRows(joined)).rejects.toThrow('has room');
  });
});

describe('semi-join and anti-join', () => {
  test('return the rows with, or without, a partner', async () => {
    await fc.assert(
      fc.asyncProperty(setting, async (s) => {
        const left = sorted(randomRows(s.n, s.majors, s.minors, s.payload, s.seed));
        const right = sorted(randomRows(s.m, s.majors, s.minors, 0, s.seed + 1));
        const keys = new Set(right.map(String));
        const has = (row: number[]) => keys.has(String(row.slice(0, 2)));
        const counters = newCounters();
        const inputs = () => [cursor(left, s.payload, s.leftRows), cursor(right, 0, s.rightRows)] as const;
        const matched = await collect(semiJoin(...inputs(), { keep: 'matched', counters }));
        expectRows(matched, left.filter(has));
        expect(counters).toMatchObject({ rowsJoined: s.n, rowsMatched: matched.length });
        const unmatched = await collect(semiJoin(...inputs(), { keep: 'unmatched', counters }));
        expectRows(
          unmatched,
          left.filter((row) => !has(row)),
        );
      }),
      { seed: 32, numRuns: 300 },
    );
  });

  test('keep the type of the payload, and close both sides when stopped early', async () => {
    let closed = 0;
    async function* bytes() {
      yield { major: 1, length: 3, minor: Uint32Array.of(1, 2, 3), payload: [Int8Array.of(-1, -2, -3)] };
    }
    const right = cursor(
      [
        [1, 2],
        [1, 9],
      ],
      0,
      1,
      () => closed++,
    );
    for await (const batch of semiJoin(bytes(), right, { keep: 'unmatched', counters: newCounters() })) {
      expect(batch.payload[0]).toEqual(Int8Array.of(-1, -3));
      break;
    }
    expect(closed).toBe(1);
  });
});

describe('expand', () => {
  test('emits what the kernel emits, whatever the sizes of batches', async () => {
    await fc.assert(
      fc.asyncProperty(setting, async (s) => {
        const rows = sorted(randomRows(s.n, s.majors, s.minors, 1, s.seed));
        // A row (major, minor, number) becomes minor % 4 rows, but capacity is 3 at least.
        const expanded = expand(
          cursor(rows, 1, s.leftRows),
          (batch, from, out) => {
            let i = from;
            for (; i < batch.length; i++) {
              const copies = batch.minor[i] % 4;
              if (out.length + copies > out.minor.length) break;
              for (let c = 0; c < copies; c++) {
                out.major[out.length] = batch.major + c;
                out.minor[out.length] = batch.minor[i];
                out.payload[0][out.length++] = batch.payload[0][i];
              }
            }
            return i;
          },
          { rows: s.capacity, payload: 1 },
        );
        const expected = rows.flatMap(([major, minor, number]) =>
          Array.from({ length: minor % 4 }, (_, c) => [major + c, minor, number]),
        );
        expectRows(await collectRows(expanded), expected);
      }),
      { seed: 33, numRuns: LONG ? 200 : 60 },
    );
  });

  test('a row that does not fit the empty output is an error', async () => {
    const expanded = expand(cursor([[0, 0]], 0, 1), (_, from) => from, { rows: 2, payload: 0 });
    await expect(collectRows(expanded)).rejects.toThrow('has room for the rows of one input row');
  });
});
