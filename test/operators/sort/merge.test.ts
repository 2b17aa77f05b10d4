import { describe, expect, test } from 'vitest';
import { merge } from '../../../operators/sort/merge.js';
import { sweep } from '../../support/long.js';
import { collect, cursor, expectRows, type Row, randomRows, randomU32, sorted } from '../model.js';

function inputsOf(rows: Row[], k: number, payload: number, batchRows: number, seed: number) {
  const random = randomU32(seed);
  const parts: Row[][] = Array.from({ length: k }, () => []);
  // Uneven inputs: low numbers get more.
  for (const row of rows) parts[Math.floor((random() / 2 ** 32) ** 2 * k)].push(row);
  const ordered = parts.map(sorted);
  let closed = 0;
  return {
    expected: sorted(ordered.flat()),
    cursors: ordered.map((part) => cursor(part, payload, batchRows, () => closed++)),
    closed: () => closed,
  };
}

describe('merge', () => {
  for (const k of sweep([1, 3, 64], [2, 8])) {
    for (const [majors, minors] of [
      [1, 50],
      [1, 2 ** 32],
      [7, 1000],
      [2000, 4],
    ]) {
      test.each([0, 1, 2])(
        `${k} inputs, ${majors} majors, minors below ${minors}, payload %i`,
        async (payload) => {
          for (const inputRows of [1, 13, 1000]) {
            for (const batchRows of [1, 10, 100_000]) {
              const rows = randomRows(1500, majors, minors, payload, k + majors);
              const { cursors, expected } = inputsOf(rows, k, payload, inputRows, 3);
              const merged = await collect(merge(cursors, { budget: { batchRows } }), batchRows);
              expectRows(merged, expected);
            }
          }
        },
      );
    }
  }

  test('no inputs and empty inputs give no batches', async () => {
    expect(await collect(merge([], { budget: { batchRows: 4 } }))).toEqual([]);
    const rows = [
      [0, 0xffffffff],
      [3, 0],
    ];
    const inputs = [cursor([], 0, 4), cursor(rows, 0, 4), cursor([], 0, 4)];
    expect(await collect(merge(inputs, { budget: { batchRows: 4 } }))).toEqual(rows);
  });

  test('equal keys come in the order of the inputs, also across batches', async () => {
    const one = (input: number): Row[] => Array.from({ length: 10 }, () => [5, 9, input]);
    const inputs = [0, 1, 2].map((input) => cursor(one(input), 1, 3 + input));
    const merged = await collect(merge(inputs, { budget: { batchRows: 100 } }));
    expect(merged).toEqual([...one(0), ...one(1), ...one(2)]);
  });

  test('stopping early closes the inputs', async () => {
    const { cursors, closed } = inputsOf(randomRows(500, 3, 100, 0, 1), 5, 0, 10, 1);
    for await (const _ of merge(cursors, { budget: { batchRows: 10 } })) break;
    expect(closed()).toBe(5);
  });

  test('an error of an input is thrown and closes the others', async () => {
    let closed = 0;
    async function* broken() {
      yield { major: 0, length: 1, minor: Uint32Array.of(4), payload: [] };
      throw new Error('broken input');
    }
    const good = cursor(
      [
        [0, 1],
        [0, 9],
        [1, 1],
      ],
      0,
      1,
      () => closed++,
    );
    await expect(collect(merge([good, broken()], { budget: { batchRows: 10 } }))).rejects.toThrow(
      'broken input',
    );
    expect(closed).toBe(1);
  });
});
