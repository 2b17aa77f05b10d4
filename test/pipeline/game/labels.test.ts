import { expect, test } from 'vitest';
import { countDown, DRAWN } from '../../../pipeline/game/labels.js';

test('counts go down by one except where nothing is counted, and each that reaches zero is returned once', () => {
  const counts = Uint8Array.from({ length: 256 }, (_, i) => i);
  const keys = Uint32Array.from({ length: 512 }, (_, i) => i >>> 1);
  const out = new Uint32Array(512);
  expect(countDown(counts, keys, 512, out)).toBe(2);
  expect([...out.subarray(0, 2)]).toEqual([1, 2]);
  counts.forEach((count, i) => {
    expect(count).toBe(i === DRAWN ? DRAWN : Math.max(0, i - 2));
  });
});
