/**
 * External distribution sort, first half: rows are put to the pages of their majors.
 *
 * Input: unordered rows with 0 to 2 payload columns, majors below `majors`. Output: {@link Segments}, which tell where
 * the rows of each major are: in pages of the pool, and in scratch. {@link gather} (gather.ts), the second half, reads
 * them in order. The halves may be in different threads: segments can be posted, and a shared pool read in place.
 *
 * Algorithm: a row is appended to the page of its major. When the pool has no page left, everything held is written to
 * one scratch object behind what was written before, by major, and filling goes on. Minors are not ordered before they
 * are spilled: gather orders a major's rows anyway, all at once and in the cache, so ordering them here would only be
 * done twice. That is also why a spill is no run.
 *
 * Memory: the pool (not counted in `budget.memory`), 8 bytes a major, at most 1 MiB to write from.
 * I/O: what does not fit the pool is written once and read once, whatever its size; no merge.
 * Degenerate cases: no rows; one major; fewer pages than majors (spills often, still right).
 * A pool holds one distribution at a time: the next one into it makes the old segments invalid.
 */
import { assert } from './core/errors.js';
import { type Filling, fill, newFilling, takeHeld } from './distribute/fill.js';
import type { Pool } from './distribute/pool.js';
import type { Segments } from './distribute/segments.js';
import { type SpillWriter, startSpilling } from './distribute/spill.js';
import type { RowSource } from './runs/types.js';
import type { SortEnv } from './sort/env.js';

export interface DistributeSpec {
  /** Majors are below this. */
  readonly majors: number;
  readonly payload: 0 | 1 | 2;
  readonly pool: Pool;
}

/** See the top of this file. If it fails, nothing is left in scratch. */
export async function distribute(
  rows: RowSource,
  { majors, payload, pool }: DistributeSpec,
  env: SortEnv,
): Promise<Segments> {
  const filling: Filling = newFilling(pool, majors, payload);
  let spilling: SpillWriter | null = null;
  let total = 0;
  try {
    for await (const batch of rows) {
      assert(batch.payload.length === payload, `rows have ${payload} payload columns`);
      total += batch.length;
      for (let from = fill(filling, batch, 0); from < batch.length; from = fill(filling, batch, from)) {
        spilling ??= await startSpilling(env, pool, payload);
        await spilling.write(takeHeld(filling));
      }
    }
    env.counters.rowsSorted += total;
    const held = takeHeld(filling);
    const { object, spills } = spilling === null ? { object: null, spills: [] } : await spilling.close();
    return { majors, payload, rows: total, held, object, spills };
  } catch (error) {
    await spilling?.abort();
    throw error;
  }
}

/** Deletes what the segments have in scratch. Their pages in the pool are free for the next distribution. */
export async function releaseSegments(
  segments: Segments,
  { scratch }: Pick<SortEnv, 'scratch'>,
): Promise<void> {
  if (segments.object !== null) await scratch.store.delete(segments.object);
}
