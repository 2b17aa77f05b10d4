import { expect, test } from 'vitest';
import { someAtATime } from '../../../operators/core/some-at-a-time.js';

test('runs each item once, at most so many at a time', async () => {
  const done: number[] = [];
  let running = 0;
  let most = 0;
  await someAtATime([...Array(20).keys()], 3, async (item) => {
    most = Math.max(most, ++running);
    await Promise.resolve();
    running--;
    done.push(item);
  });
  expect(done).toEqual([...Array(20).keys()]);
  expect(most).toBe(3);
});

test('after a failure no task begins, and running ones are awaited', async () => {
  const began: number[] = [];
  const ended: number[] = [];
  const tasks = someAtATime([0, 1, 2, 3], 2, async (item) => {
    began.push(item);
    if (item === 0) throw new Error('zero');
    await new Promise((resolve) => setImmediate(resolve));
    ended.push(item);
  });
  await expect(tasks).rejects.toThrow('zero');
  expect(began).toEqual([0, 1]);
  expect(ended).toEqual([1]);
});
