/**
 * Facts of nodes that a stride has in runs, in the order of the nodes' numbers. Where several have read the stride together, each has a
 * run. A layer is then a piece of each run, and the pieces of a layer follow each other.
 */
import type { Counters } from '../../operators/core/counters.js';
import { assert } from '../../operators/core/errors.js';
import { orAbort } from '../../operators/core/or-abort.js';
import { openRun, type RunReader } from '../../operators/runs/reader.js';
import { views } from '../../operators/runs/rows.js';
import type { Column, DenseBatch, RunRef } from '../../operators/runs/types.js';
import type { RunWriter } from '../../operators/runs/writer.js';
import type { Store } from '../../operators/storage/store.js';

export interface StrideColumns {
  readonly runs: readonly RunRef[];
  /** Rows of the pieces, run by run; of a run alone none are needed. */
  readonly pieces?: readonly (readonly number[])[];
}

/** Whether majors of a run are those of the numbers of its nodes. */
export function isInOrder({ pieces = [] }: StrideColumns): boolean {
  return pieces.length === 0;
}

/** The rows in the order of the nodes; valid until the next are asked for. */
async function* rowsInOrder(
  store: Store,
  stride: StrideColumns,
  { counters, kind }: { readonly counters: Counters; readonly kind: string },
): AsyncGenerator<OrderedRows> {
  const readers: RunReader[] = [];
  for (const run of stride.runs) readers.push(await openRun(store, run, { counters, expect: { kind } }));
  if (isInOrder(stride)) for (const reader of readers) yield* reader.denseCursor();
  else yield* byPieces(readers, stride.pieces!);
}

async function* byPieces(
  readers: readonly RunReader[],
  pieces: readonly (readonly number[])[],
): AsyncGenerator<OrderedRows> {
  assert(pieces.length === readers.length, 'each run has its pieces');
  const rows = readers.map((reader) => new RowsOfRun(reader.denseCursor()));
  try {
    for (let layer = 0; layer < pieces[0].length; layer++)
      for (const [i, run] of rows.entries()) yield* run.next(pieces[i][layer]);
  } finally {
    for (const run of rows) await run.end();
  }
}

/** Writes columns of nodes that follow each other; majors are blocks of 2^shift nodes. A class, as core/keep-shape.ts explains. */
export class ColumnWriter {
  /** @param nodes the number of the first node. */
  constructor(
    private readonly run: RunWriter,
    private readonly shift: number,
    private nodes: number,
  ) {}

  async append(columns: readonly Column[], length: number): Promise<void> {
    for (let from = 0; from < length; ) {
      const block = this.nodes >>> this.shift;
      const rows = Math.min(length - from, (block + 1) * 2 ** this.shift - this.nodes);
      await this.run.append(block, rows, null, columns, from);
      this.nodes += rows;
      from += rows;
    }
  }

  close(): Promise<RunRef> {
    return this.run.close();
  }

  abort(): Promise<void> {
    return this.run.abort();
  }
}

/** Writes the columns of all strides to one run. */
export function joinColumns(
  store: Store,
  strides: readonly StrideColumns[],
  reading: { readonly counters: Counters; readonly kind: string },
  writer: ColumnWriter,
): Promise<RunRef> {
  return orAbort(writer, async () => {
    for (const stride of strides)
      for await (const { length, columns } of rowsInOrder(store, stride, reading))
        await writer.append(columns, length);
    return writer.close();
  });
}

export interface OrderedRows {
  readonly length: number;
  readonly columns: readonly Column[];
}

/** A class, as core/keep-shape.ts explains. */
class RowsOfRun {
  private readonly batches: AsyncIterator<DenseBatch>;
  private batch: DenseBatch | null = null;
  private at = 0;

  constructor(cursor: AsyncIterable<DenseBatch>) {
    this.batches = cursor[Symbol.asyncIterator]();
  }

  /** The next `count` rows. */
  async *next(count: number): AsyncGenerator<OrderedRows> {
    for (let left = count; left > 0; ) {
      if (this.batch === null || this.at === this.batch.length) {
        const more = await this.batches.next();
        assert(!more.done, 'a run has the rows of its pieces');
        this.batch = more.value;
        this.at = 0;
      }
      const { batch, at } = this;
      const length = Math.min(left, batch.length - at);
      yield { length, columns: views(batch.columns, at, at + length) };
      this.at = at + length;
      left -= length;
    }
  }

  async end(): Promise<void> {
    await this.batches.return?.();
  }
}
