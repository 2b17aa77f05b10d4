import { expect, test } from 'vitest';
import { aggregateMax } from '../../operators/aggregate.js';
import type { Rows } from '../../operators/runs/types.js';

test('aggregate: the greatest payload of each minor, over batches, on top of what is there', async () => {
  const reference = new Map<number, number>();
  let seed = 1;
  const random = (below: number): number => (seed = (seed * 48271) % 0x7fffffff) % below;
  async function* rows(): AsyncGenerator<Rows> {
    for (let batch = 0; batch < 50; batch++) {
      const length = random(40);
      const minor = Uint32Array.from({ length: length + 3 }, () => random(100));
      const value = Uint32Array.from({ length: length + 3 }, () => random(0x20000));
      for (let i = 0; i < length; i++) {
        reference.set(minor[i]!, Math.max(reference.get(minor[i]!) ?? 0, value[i]!));
      }
      yield { length, major: new Uint32Array(length + 3), minor, payload: [value] };
    }
  }
  const best = new Uint32Array(101);
  best[100] = 7;
  await aggregateMax(rows(), best);
  for (let key = 0; key < 100; key++) expect(best[key]).toBe(reference.get(key) ?? 0);
  expect(best[100]).toBe(7);
});
