/**
 * External distribution sort, first half: rows are put to the pages of their majors.
 *
 * Input: unordered rows with any number of payload columns, majors below `majors`. Output: {@link DistributedRows}, which say
 * where the rows of each major are, in pages of the pool and in scratch. The second half, {@link gather} (gather.ts), reads
 * them in order. The halves may be in different threads: segments can be posted, and a shared pool read in place.
 *
 * Algorithm: a row is appended to the page of its major. When the pool has no page left, everything held is appended to one
 * scratch object, by major. Then filling goes on. Minors are not ordered before they are spilled: gather orders a major's
 * rows anyway, all at once and in the cache. So ordering them here would only be done twice. That is also why a spill is no
 * run.
 *
 * Memory: the pool (not counted in `budget.memory`), 8 bytes a major, at most 1 MiB to write from.
 * I/O: what does not fit the pool is written once and read once, whatever its size; no merge.
 * Degenerate cases: no rows; one major; fewer pages than majors (spills often, still right).
 * A pool holds one distribution at a time: the next one into it makes the old segments invalid.
 */
import { assert } from '../core/errors.js';
import type { RowSource, Rows } from '../runs/types.js';
import type { SortEnv } from '../sort/env.js';
import { type Filling, fill, newFilling, takeHeld } from './fill.js';
import { type Keeping, startKeeping } from './kept.js';
import type { Pool } from './pool.js';
import type { DistributedRows } from './segments.js';
import { type Spilled, type SpillWriter, startSpilling } from './spill.js';

export interface DistributeSpec {
  /** Majors are below this. */
  readonly majors: number;
  readonly payload: number;
  readonly pool: Pool;
  /** Where spills go instead of scratch, for later processes to read; of at most two payload columns. */
  readonly keeping?: Keeping;
}

/** A distribution that the caller feeds with rows, so that one pass over an input can feed several distributions. */
export interface Distribution {
  /** Adds rows. Returns a promise, which the caller must await before the next call, if it has to spill; else nothing. */
  add(rows: Rows): Promise<void> | undefined;
  /** Spills all rows that are in the pool. */
  spill(): Promise<void>;
  hasSpilled(): boolean;
  /** Ends the distribution and returns where its rows are. If it fails, nothing is left of them. */
  close(): Promise<DistributedRows>;
  /** Drops all rows, also those in scratch. */
  abort(): Promise<void>;
}

const NOTHING: Spilled = { object: null, run: null, spills: [] };

export function newDistribution(spec: DistributeSpec, env: SortEnv): Distribution {
  const { majors, payload, pool, keeping } = spec;
  const filling: Filling = newFilling(pool, majors, payload);
  let spilling: SpillWriter | null = null;
  let total = 0;

  async function spill(): Promise<void> {
    spilling ??= await (keeping === undefined
      ? startSpilling(env, pool, payload)
      : startKeeping(keeping, pool.words, spec, env.counters));
    await spilling.write(takeHeld(filling));
  }

  async function spillAndFill(rows: Rows, from: number): Promise<void> {
    for (let at = from; at < rows.length; ) {
      await spill();
      at = fill(filling, rows, at);
    }
  }

  return {
    add(rows) {
      assert(rows.payload.length === payload, 'rows have all payload columns');
      total += rows.length;
      const from = fill(filling, rows, 0);
      return from < rows.length ? spillAndFill(rows, from) : undefined;
    },
    async spill() {
      if (filling.pages > 0) await spill();
    },
    // No getter: each object that has one gets a shape of its own, and rounds of small slices make thousands.
    hasSpilled: () => spilling !== null,
    async close() {
      try {
        env.counters.rowsSorted += total;
        const held = takeHeld(filling);
        const spilled = spilling === null ? NOTHING : await spilling.close();
        return { majors, payload, rows: total, held, ...spilled };
      } catch (error) {
        await spilling?.abort();
        throw error;
      }
    },
    async abort() {
      await spilling?.abort();
    },
  };
}

/** See the top of this file. If it fails, nothing is left in scratch. */
export async function distribute(
  rows: RowSource,
  spec: DistributeSpec,
  env: SortEnv,
): Promise<DistributedRows> {
  const distribution = newDistribution(spec, env);
  try {
    for await (const batch of rows) await distribution.add(batch);
  } catch (error) {
    await distribution.abort();
    throw error;
  }
  return distribution.close();
}

/** Deletes the scratch object of the segments. A run that was kept stays. Their pages in the pool are free for the next distribution. */
export async function releaseSegments(
  segments: DistributedRows,
  { scratch }: Pick<SortEnv, 'scratch'>,
): Promise<void> {
  if (segments.object === null) return;
  const bytes = segments.spills.reduce((most, { words }) => Math.max(most, 4 * words[words.length - 1]), 0);
  await scratch.giveBack(segments.object, bytes);
}
