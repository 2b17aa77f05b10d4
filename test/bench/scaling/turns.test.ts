/** The clocks of ranks that run one after another. */
import { expect, test } from 'vitest';
import { newTurns } from './turns.js';

test('a waiting rank ends after the step that it waits for, and polling without success takes no time', async () => {
  let time = 0;
  const turns = newTurns(2, () => time);
  const made = new Set<string>();
  const maker = async () => {
    await turns.begin(0);
    time += 5;
    await turns.give(0);
    time += 2;
    made.add('a');
    turns.made(0, 'a');
    time += 1;
    turns.end(0);
  };
  const waiter = async () => {
    await turns.begin(1);
    time += 3;
    turns.made(1, 'own');
    while (!made.has('a')) {
      await turns.wait(1);
      time += 0.5;
    }
    turns.found(1, 'a');
    time += 4;
    turns.end(1);
  };
  await Promise.all([maker(), waiter()]);
  // The one works 5, 2 and 1; the other goes on at 7, with the objects of the first.
  expect(turns.clocks()).toEqual([8, 11]);
  // The tasks ran one after another.
  expect(time).toBeGreaterThanOrEqual(15);
});
