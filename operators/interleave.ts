/**
 * Merges inputs that are ordered by major only.
 *
 * Inputs: any number of cursors whose majors ascend. Output: their batches, as they are, in ascending order of majors;
 * batches of one major in the order of the inputs. Algorithm: one batch of every input is in memory; the first with the
 * least major goes out. Memory: the inputs' batches. I/O: reads each input once. Degenerate cases: no inputs, empty
 * inputs (no batches).
 */
import type { Batch } from './runs/types.js';

/** See the top of this file. Ending the iteration early ends all inputs. */
export async function* interleave<Rows extends Pick<Batch, 'major'>>(
  inputs: readonly AsyncIterable<Rows>[],
): AsyncGenerator<Rows> {
  const heads = inputs.map((input) => ({
    batches: input[Symbol.asyncIterator](),
    batch: null as Rows | null,
  }));
  const advance = async (head: (typeof heads)[number]): Promise<void> => {
    const next = await head.batches.next();
    head.batch = next.done ? null : next.value;
  };
  try {
    // One after the other: an input may do much work for its first batch, for instance read ahead.
    for (const head of heads) await advance(head);
    for (;;) {
      let least: (typeof heads)[number] | null = null;
      for (const head of heads) {
        if (head.batch !== null && (least === null || head.batch.major < least.batch!.major)) least = head;
      }
      if (least === null) return;
      yield least.batch!;
      await advance(least);
    }
  } finally {
    await Promise.all(heads.map((head) => head.batches.return?.()));
  }
}
