/**
 * Reads several sequences of batches side by side, row by row, in pieces within which none of them goes on to another batch.
 *
 * Inputs: sequences of batches of any lengths; their first rows belong together, and so on. Output: for each piece its length and, of each
 * sequence, a batch and the first row in it; null of a sequence that has ended. A piece is valid until the next is asked for.
 * Algorithm: the next batch of a sequence is read once all rows of the last are passed on. Memory: a batch of each. I/O: reads each once.
 * Degenerate cases: no rows; batches without rows; sequences of different lengths.
 */

interface Sized {
  readonly length: number;
}

/** Rows of a batch, from `at` on. */
export interface RowsFrom<Batch> {
  readonly batch: Batch;
  readonly at: number;
}

export interface Step<Batches> {
  readonly length: number;
  readonly rows: { readonly [K in keyof Batches]: RowsFrom<Batches[K]> | null };
}

const NONE: Sized = { length: 0 };

export async function* inStep<Batches extends readonly Sized[]>(
  ...sequences: { readonly [K in keyof Batches]: AsyncIterable<Batches[K]> }
): AsyncGenerator<Step<Batches>> {
  const iterators = sequences.map((each) => each[Symbol.asyncIterator]());
  const rows: ({ batch: Sized; at: number } | null)[] = sequences.map(() => ({ batch: NONE, at: 0 }));
  try {
    for (;;) {
      let length = Number.POSITIVE_INFINITY;
      for (const [i, iterator] of iterators.entries()) {
        let own = rows[i];
        while (own !== null && own.at === own.batch.length) {
          const next = await iterator.next();
          rows[i] = own = next.done === true ? null : { batch: next.value, at: 0 };
        }
        if (own !== null) length = Math.min(length, own.batch.length - own.at);
      }
      if (length === Number.POSITIVE_INFINITY) return;
      yield { length, rows } as unknown as Step<Batches>;
      for (const own of rows) if (own !== null) own.at += length;
    }
  } finally {
    for (const iterator of iterators) await iterator.return?.();
  }
}
