import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PartKeySet } from '../../../pipeline/engine/memory/keys-as-rows.js';

function drained(set: PartKeySet): number[] {
  const keys: number[] = [];
  while (!set.isEmpty) {
    const { length, minor } = set.take();
    keys.push(...minor.subarray(0, length));
  }
  return keys;
}

describe('a set of keys', () => {
  it('gives ascending keys, each once, whether few or many were added, and is empty then', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 40_000 }),
        fc.array(fc.array(fc.nat(), { maxLength: 600 }), { maxLength: 6 }),
        async (bound, pieces) => {
          const set = new PartKeySet(bound);
          for (let use = 0; use < 2; use++) {
            for (const piece of pieces) {
              const keys = Uint32Array.from(piece, (key) => key % bound);
              set.add(keys, keys.length);
            }
            const expected = [...new Set(pieces.flat().map((key) => key % bound))].sort((a, b) => a - b);
            expect(drained(set)).toEqual(expected);
            expect(drained(set)).toEqual([]);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('returns a full part in pieces', async () => {
    const bound = 100_001;
    const set = new PartKeySet(bound);
    const all = Uint32Array.from({ length: bound }, (_, i) => bound - 1 - i);
    set.add(all, bound);
    expect(drained(set)).toEqual(Array.from({ length: bound }, (_, i) => i));
  });
});
