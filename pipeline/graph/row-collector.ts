/** Rows of a pass of the import, put by ones to the pages of their majors, for `gather` to read in order. */

import type { Budget } from '../../operators/core/budget.js';
import { newDistribution, releaseSegments } from '../../operators/distribute/distribute.js';
import type { Keeping } from '../../operators/distribute/kept.js';
import { createPool, type Pool } from '../../operators/distribute/pool.js';
import type { Source } from '../../operators/gather.js';
import { newRows } from '../../operators/runs/rows.js';
import type { Rows, RunRef } from '../../operators/runs/types.js';
import type { SortEnv } from '../../operators/sort/env.js';

export interface Gatherable {
  readonly sources: readonly Source[];
  readonly rows: number;
  /** The runs that spills were kept in, for readers in other threads. */
  readonly kept: readonly RunRef[];
  /** Deletes what is in scratch. */
  release(): Promise<void>;
}

export interface RowCollector {
  /** The caller awaits the promise before the next call. `second`: for rows with two payload columns. */
  put(major: number, minor: number, first: number, second?: number): Promise<void> | undefined;
  /** The rows that wait to be distributed. A caller with many rows appends as many as the arrays hold, and calls `passOn`. */
  readonly waiting: Rows;
  /** Distributes the rows that wait. The caller awaits the promise before the next call. */
  passOn(): Promise<void> | undefined;
  /** All of it is in memory. */
  readonly isHeld: boolean;
  /** Writes all that is in memory to where spills go. */
  spill(): Promise<void>;
  finish(): Promise<Gatherable>;
  abort(): Promise<void>;
}

const ROWS = 1 << 14;
const LEAST_POOL = 1 << 16;

/** A pool that takes a budget's memory; what does not fit it is spilled. `shared`: other threads are to read it. */
export function poolOf({ memory }: Budget, shared = false): Pool {
  return createPool(Math.max(LEAST_POOL, memory), { shared });
}

/** Spills go to scratch, or to where they are kept. */
export function newRowCollector(
  { majors, payload, pool, keeping }: { majors: number; payload: 1 | 2; pool: Pool; keeping?: Keeping },
  env: SortEnv,
): RowCollector {
  const distribution = newDistribution({ majors, payload, pool, ...(keeping && { keeping }) }, env);
  const rows = newRows(ROWS, payload);
  const [firsts, seconds] = rows.payload;
  const empty = (): void => {
    rows.length = 0;
  };
  const passOn = (): Promise<void> | undefined => {
    const added = distribution.add(rows);
    if (added !== undefined) return added.then(empty);
    empty();
    return undefined;
  };
  return {
    waiting: rows,
    passOn,
    put(major, minor, first, second = 0) {
      const at = rows.length++;
      rows.major[at] = major;
      rows.minor[at] = minor;
      firsts[at] = first;
      if (seconds !== undefined) seconds[at] = second;
      return rows.length < ROWS ? undefined : passOn();
    },
    get isHeld() {
      return !distribution.hasSpilled();
    },
    async spill() {
      await passOn();
      await distribution.spill();
    },
    async finish() {
      await passOn();
      const segments = await distribution.close();
      return {
        sources: [{ segments, pool }],
        rows: segments.rows,
        kept: segments.run === null ? [] : [segments.run.info],
        release: () => releaseSegments(segments, env),
      };
    },
    abort: () => distribution.abort(),
  };
}

/** Appends the rows from `from` on, as far as there is room; returns the first row that was not appended. */
export type WriteRows = (from: number, out: Rows) => number;

/** Puts so many rows. */
export async function putRows(into: RowCollector, length: number, write: WriteRows): Promise<void> {
  const { waiting } = into;
  for (let from = 0; from < length; ) {
    from = write(from, waiting);
    if (waiting.length < waiting.minor.length) return;
    const passed = into.passOn();
    if (passed !== undefined) await passed;
  }
}
