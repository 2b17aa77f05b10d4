/**
 * Join of unordered rows with a dense run whose majors each fit in memory: nothing is put in order or spilled.
 *
 * Inputs: `left`, unordered rows with one payload column; `load`, which gives the dense rows of a whole major. It must have
 * the rows of every key of left. Output: none; the kernel uses each pair itself, and the caller holds the result
 * (the best value of each predecessor, say). The kernel sees the pairs in no particular order.
 * Algorithm: rows are put to the pages of their majors, as `distribute` does. When the pool has no page left, or at the end,
 * majors are loaded one after the other, ascending. Their pages are handed to the kernel. So rows of a major are looked up in
 * the cache, or in as little memory as possible. This is a partitioned hash join whose hash is the key itself.
 * Memory: the pool; what `load` holds. I/O: the majors that left has, once for every time that the pool is full.
 * Degenerate cases: no rows; fewer pages than majors (loads often, still right).
 */
import type { Counters } from './core/counters.js';
import { fill, newFilling, takeHeld } from './distribute/fill.js';
import type { Pool } from './distribute/pool.js';
import type { Held } from './distribute/segments.js';
import type { Column, RowSource } from './runs/types.js';

/** Called with rows of one major: their minors and payloads, and the dense rows of the major, dense[minor]. */
export type LookUp = (major: number, minor: Uint32Array, payload: Uint32Array, dense: Column) => void;

/** See the top of this file. `majors`: majors are below this. The result of `load` is not used after its next call. */
export async function joinByMajor(
  left: RowSource,
  load: (major: number) => Promise<Column>,
  lookUp: LookUp,
  { majors, pool, counters }: { majors: number; pool: Pool; counters: Counters },
): Promise<void> {
  const filling = newFilling(pool, majors, 1);
  for await (const rows of left) {
    counters.rowsJoined += rows.length;
    for (let from = fill(filling, rows, 0); from < rows.length; from = fill(filling, rows, from)) {
      await lookUpHeld(takeHeld(filling), pool, load, lookUp);
    }
  }
  await lookUpHeld(takeHeld(filling), pool, load, lookUp);
}

async function lookUpHeld(
  { majors, rows, starts, pages, pageRows }: Held,
  { words }: Pool,
  load: (major: number) => Promise<Column>,
  lookUp: LookUp,
): Promise<void> {
  for (let m = 0; m < majors.length; m++) {
    const dense = await load(majors[m]);
    let rest = rows[m];
    for (let p = starts[m]; p < starts[m + 1]; p++) {
      const used = Math.min(rest, pageRows);
      const payload = pages[p] + pageRows;
      lookUp(
        majors[m],
        words.subarray(pages[p], pages[p] + used),
        words.subarray(payload, payload + used),
        dense,
      );
      rest -= used;
    }
  }
}
