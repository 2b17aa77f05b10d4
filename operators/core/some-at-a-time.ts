import { allOf } from './all-of.js';

/**
 * Does a task for each item, at most so many at a time. Where one fails no further one begins, and those at work end before the
 * error is thrown.
 */
export async function someAtATime<Item>(
  items: readonly Item[],
  most: number,
  task: (item: Item) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    try {
      while (next < items.length) await task(items[next++]);
    } catch (error) {
      next = items.length;
      throw error;
    }
  };
  await allOf(Array.from({ length: Math.min(most, items.length) }, worker));
}
