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
  const heads = inputs.map((input) => headOf(input, 0, null));
  try {
    await begin(heads);
    for (let least = leastOf(heads); least !== null; least = leastOf(heads)) {
      yield least.batch!;
      least.advance(await least.batches.next());
    }
  } finally {
    await endAll(heads);
  }
}

/** An input, and the function that is called with each of its batches. */
export interface VisitedInput {
  readonly batches: AsyncIterable<Batch>;
  /** Added to the majors of the batches. */
  readonly shift: number;
  /** Returns nothing, or a promise that is awaited before the next call. @param major shifted. */
  readonly visit: (batch: Batch, major: number) => Promise<void> | undefined;
}

/**
 * Visits the batches of all inputs, in the order of `interleave` by shifted majors. Rounds of few requests have more batches than
 * rows: generators that shift, mark and interleave them cost ten times as much as the visit.
 */
export async function visitInterleaved(inputs: readonly VisitedInput[]): Promise<void> {
  const heads = inputs.map(({ batches, shift, visit }) => headOf(batches, shift, visit));
  try {
    await begin(heads);
    for (let least = leastOf(heads); least !== null; least = leastOf(heads)) {
      const visiting = least.of(least.batch!, least.major);
      if (visiting !== undefined) await visiting;
      least.advance(await least.batches.next());
    }
  } finally {
    await endAll(heads);
  }
}

/** An input, and its batch that is next. */
interface Head<Rows, Of> {
  readonly batches: AsyncIterator<Rows>;
  readonly of: Of;
  batch: Rows | null;
  /** The shifted major of the batch; infinite behind the last batch. */
  major: number;
  advance(next: IteratorResult<Rows>): void;
}

function headOf<Rows extends Pick<Batch, 'major'>, Of>(
  input: AsyncIterable<Rows>,
  shift: number,
  of: Of,
): Head<Rows, Of> {
  const head: Head<Rows, Of> = {
    batches: input[Symbol.asyncIterator](),
    of,
    batch: null,
    major: Number.POSITIVE_INFINITY,
    advance(next) {
      head.batch = next.done === true ? null : next.value;
      head.major = head.batch === null ? Number.POSITIVE_INFINITY : head.batch.major + shift;
    },
  };
  return head;
}

/** Fetches the first batches one after the other, because an input may do much work for its first batch, such as reading ahead. */
async function begin(heads: readonly Head<unknown, unknown>[]): Promise<void> {
  for (const head of heads) head.advance(await head.batches.next());
}

/** The first head with the least major; null behind the last batch. */
function leastOf<Rows, Of>(heads: readonly Head<Rows, Of>[]): Head<Rows, Of> | null {
  let least: Head<Rows, Of> | null = null;
  for (const head of heads)
    if (head.batch !== null && (least === null || head.major < least.major)) least = head;
  return least;
}

async function endAll(heads: readonly Head<unknown, unknown>[]): Promise<void> {
  await Promise.all(heads.map((head) => head.batches.return?.()));
}
