import { allOf } from './all-of.js';

/**
 * Runs a task for each item, at most so many at a time. After a failure no further task begins, and the error is thrown once the
 * running ones have ended.
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
