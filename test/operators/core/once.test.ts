import { expect, test } from 'vitest';
import { newOnce, oneOf } from '../../../operators/core/once.js';

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
  const once = newOnce<string, string>({ most: 2 });
  for (const key of ['a', 'b', 'a', 'c']) await once(key, async () => key);
  expect(await Promise.all(['a', 'b'].map((key) => once(key, async () => 'again')))).toEqual(['a', 'again']);
});

test('a value is made again once it is no longer fresh, and stays where that fails as a policy allows, or takes long', async () => {
  let time = 0;
  let lose = () => {};
  const failures: unknown[] = [];
  const renewal = {
    now: () => time,
    freshMs: 30,
    late: () => new Promise<void>((resolve) => (lose = resolve)),
    outlives: (error: unknown) => (error as Error).message === 'refused' && failures.push(error) > 0,
  };
  let make: () => Promise<number> = async () => 1;
  const value = oneOf(() => make(), { renewal });
  expect(await value()).toBe(1);
  make = () => Promise.reject(new Error('refused'));
  expect([await value(), failures.length]).toEqual([1, 0]);
  time = 40;
  expect([await value(), await value(), failures.length]).toEqual([1, 1, 1]);
  time = 80;
  let answer = (_: number) => {};
  make = () => new Promise((resolve) => (answer = resolve));
  const late = value();
  lose();
  expect([await late, await value()]).toEqual([1, 1]);
  answer(2);
  await expect.poll(value).toBe(2);
  time = 120;
  make = () => Promise.reject(new Error('wrong'));
  await expect(value()).rejects.toThrow('wrong');
  const never = oneOf(() => Promise.reject(new Error('refused')), { renewal });
  await expect(never()).rejects.toThrow('refused');
});

test('nobody waits for an old value once the new one is made, so that calls leave nothing behind', async () => {
  let time = 0;
  let waiting = 0;
  /** A promise that is never kept, and counts who waits for it. */
  const late = Object.assign(new Promise<void>(() => {}), {
    // biome-ignore lint/suspicious/noThenProperty: it counts calls
    then(...reactions: Parameters<Promise<void>['then']>) {
      waiting++;
      return Promise.prototype.then.apply(this, reactions);
    },
  });
  let made = 0;
  const value = oneOf(async () => ++made, { renewal: { now: () => time, freshMs: 30, late: () => late } });
  expect(await value()).toBe(1);
  time = 40;
  expect([await value(), waiting]).toEqual([2, 1]);
  for (let call = 0; call < 3; call++) expect(await value()).toBe(2);
  expect(waiting).toBe(1);
});

test('a value is forgotten unless another has taken its place', async () => {
  const once = newOnce<string, number>();
  const first = once('a', async () => 1);
  const second = once('a', async () => 2, 1);
  once.forget('a', first);
  expect(await once('a', async () => 3, 1)).toBe(2);
  once.forget('a', second);
  expect(await once('a', async () => 4, 1)).toBe(4);
  once.clear();
  expect(await once('a', async () => 5, 1)).toBe(5);
});
