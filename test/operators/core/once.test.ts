import { expect, test } from 'vitest';
import { newOnce } from '../../../operators/core/once.js';

test('a value is made once for all who wait for it, and again for another version', async () => {
  const once = newOnce<string, number>();
  let made = 0;
  const make = async () => ++made;
  expect(await Promise.all([once('a', make), once('a', make), once('b', make)])).toEqual([1, 1, 2]);
  expect([await once('a', make, 1), await once('a', make, 1), await once('b', make)]).toEqual([3, 3, 2]);
  once.forget('b');
  expect(await once('b', make)).toBe(4);
});

test('a failure is not kept', async () => {
  const once = newOnce<string, number>();
  await expect(once('a', () => Promise.reject(new Error('not yet')))).rejects.toThrow('not yet');
  expect(await once('a', async () => 5)).toBe(5);
});

test('of more values than are kept, the one used longest ago goes', async () => {
  const once = newOnce<string, string>(2);
  for (const key of ['a', 'b', 'a', 'c']) await once(key, async () => key);
  expect(await Promise.all(['a', 'b'].map((key) => once(key, async () => 'again')))).toEqual(['a', 'again']);
});
