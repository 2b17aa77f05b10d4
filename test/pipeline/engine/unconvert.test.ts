import { describe, expect, it } from 'vitest';
import type { Batch } from '../../../operators/runs/types.js';
import { setsOfKeys } from '../../../pipeline/engine/memory/rows.js';
import { collectSets } from '../../../pipeline/engine/phases/unconvert.js';
import { random } from '../../operators/run-samples.js';
import { keysOfBatches } from '../../support/keys-of-sets.js';

const WIDTH = 64 * 300;

async function* given(batches: readonly Batch[]): AsyncGenerator<Batch> {
  yield* batches;
}

const keysBatch = (major: number, keys: readonly number[]): Batch => ({
  major,
  length: keys.length,
  minor: Uint32Array.from(keys),
  payload: [],
});

function setsBatch(major: number, keys: readonly number[]): Batch {
  const { minor, low, high, length } = setsOfKeys(keysBatch(major, keys));
  return { major, length, minor, payload: [low, high] };
}

/** Sets of a major, whose rows ascend, as keys in order. */
async function collect(batches: readonly Batch[]): Promise<Map<number, number[]>> {
  const found = new Map<number, number[]>();
  const lastRow = new Map<number, number>();
  async function* checked(): AsyncGenerator<Batch> {
    for await (const batch of collectSets(given(batches), WIDTH)) {
      for (let i = 0; i < batch.length; i++) {
        expect(batch.minor[i]).toBeGreaterThanOrEqual(lastRow.get(batch.major) ?? 0);
        lastRow.set(batch.major, batch.minor[i]);
      }
      yield batch;
    }
  }
  for await (const { major, minor, length } of keysOfBatches(checked())) {
    found.set(major, [...(found.get(major) ?? []), ...minor.subarray(0, length)]);
  }
  return new Map([...found].map(([major, keys]) => [major, keys.sort((a, b) => a - b)]));
}

describe('keys and sets of a part, collected', () => {
  it('are returned as sets of all of them, with repetitions', async () => {
    const next = random(5);
    const batches: Batch[] = [];
    const expected = new Map<number, number[]>();
    for (const major of [2, 3, 9]) {
      const all: number[] = [];
      for (let b = 0; b < 6; b++) {
        const keys = Array.from({ length: 900 }, () => next() % WIDTH);
        if (b % 2 === 0) {
          const unique = [...new Set(keys)].sort((a, b) => a - b);
          batches.push(setsBatch(major, unique));
          all.push(...unique);
        } else {
          // Each third comes three times in a batch.
          const repeated = keys.flatMap((key, i) => (i % 3 === 0 ? [key, key, key] : [key]));
          batches.push(keysBatch(major, repeated));
          all.push(...repeated);
        }
      }
      expected.set(
        major,
        all.sort((a, b) => a - b),
      );
    }
    expect(await collect(batches)).toEqual(expected);
  });

  it('are empty without input', async () => {
    expect(await collect([])).toEqual(new Map());
  });
});
