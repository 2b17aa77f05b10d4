/** The merge join on keys that a payload column completes, against a map. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newCounters } from '../../operators/core/counters.js';
import { match, NONE } from '../../operators/match.js';
import { cursor, type Row, sorted } from './model.js';

const MASK = 0xff;

const setting = fc.record({
  left: fc.array(fc.tuple(fc.nat(3), fc.nat(6), fc.nat(4), fc.nat(1000)), { maxLength: 300 }),
  right: fc.uniqueArray(fc.tuple(fc.nat(3), fc.nat(6), fc.nat(4)), {
    maxLength: 80,
    selector: (key) => key.join(' '),
  }),
  leftRows: fc.integer({ min: 1, max: 50 }),
  rightRows: fc.integer({ min: 1, max: 10 }),
});

describe('match', () => {
  test('finds the partner whose whole key is equal', async () => {
    await fc.assert(
      fc.asyncProperty(setting, async ({ left, right, leftRows, rightRows }) => {
        const partners = new Map(right.map((key, i) => [key.join(' '), i]));
        // A bit beside the mask is no part of the key, and comes out as it went in.
        const rows: Row[] = right.map(([major, minor, rest], i) => [major, minor, rest | 0x100, i]);
        const found: Row[] = [];
        const pairs = match(cursor(sorted(left), 2, leftRows), cursor(sorted(rows), 2, rightRows), {
          mask: MASK,
          counters: newCounters(),
        });
        for await (const { left: batch, first, second } of pairs) {
          const [rest, number] = batch.payload;
          for (let i = 0; i < batch.length; i++)
            found.push([batch.major, batch.minor[i], rest[i], number[i], first[i], second[i]]);
        }
        const expected = sorted(left).map((row) => {
          const partner = partners.get(row.slice(0, 3).join(' '));
          return [...row, partner === undefined ? NONE : row[2] | 0x100, partner ?? NONE];
        });
        expect(found).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });

  test('two partners with one key trip an assertion', async () => {
    const twice: Row[] = [
      [0, 1, 2, 3],
      [0, 1, 2, 4],
    ];
    const pairs = match(cursor([[0, 1, 2, 0]], 2, 4), cursor(twice, 2, 1), {
      mask: MASK,
      counters: newCounters(),
    });
    await expect(pairs.next()).rejects.toThrow('keys of the right side are unique');
  });
});
