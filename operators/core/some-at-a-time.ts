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
  const ended = await Promise.allSettled(Array.from({ length: Math.min(most, items.length) }, worker));
  for (const each of ended) if (each.status === 'rejected') throw each.reason;
}
