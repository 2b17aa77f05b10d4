import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RecentCache } from '../../../operators/core/recent-cache.js';

it('keeps the values used last within its limit of bytes', () => {
  const step = fc.record({
    key: fc.integer({ min: 0, max: 5 }),
    action: fc.constantFrom('get', 'set', 'set', 'delete'),
    bytes: fc.integer({ min: 0, max: 12 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const dropped: string[] = [];
      const cache = new RecentCache<number, string>(20, (key, value) => dropped.push(`${key}: ${value}`));
      /** Used last at the end. */
      let model: { key: number; value: string; bytes: number }[] = [];
      const expected: string[] = [];
      for (const [i, { key, action, bytes }] of steps.entries()) {
        const found = model.find((each) => each.key === key);
        const rest = model.filter((each) => each.key !== key);
        if (action === 'get') {
          expect(cache.get(key)).toBe(found?.value);
          if (found !== undefined) model = [...rest, found];
        } else if (action === 'delete') {
          cache.delete(key);
          model = rest;
        } else {
          cache.set(key, `value ${i}`, bytes);
          model = [...rest, { key, value: `value ${i}`, bytes }];
          while (model.length > 1 && model.reduce((sum, each) => sum + each.bytes, 0) > 20) {
            const [oldest] = model;
            expected.push(`${oldest.key}: ${oldest.value}`);
            model = model.slice(1);
          }
        }
      }
      expect(dropped).toEqual(expected);
      for (const { key, value } of model) expect(cache.get(key)).toBe(value);
    }),
  );
});
