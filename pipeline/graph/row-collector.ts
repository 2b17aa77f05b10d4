/** Rows of a pass of the import, put by ones to the pages of their majors, for `gather` to read in order. */
import { createPool } from '../../operators/distribute/pool.js';
import { newDistribution, releaseSegments } from '../../operators/distribute.js';
import type { Source } from '../../operators/gather.js';
import { newRows } from '../../operators/rows.js';
import type { SortEnv } from '../../operators/sort/env.js';

export interface Gatherable extends Source {
  /** Deletes what is in scratch. */
  release(): Promise<void>;
}

export interface RowCollector {
  /** What it returns has to be awaited before the next call. `second`: of rows with two payload columns. */
  put(major: number, minor: number, first: number, second?: number): Promise<void> | undefined;
  finish(): Promise<Gatherable>;
  abort(): Promise<void>;
}

const ROWS = 1 << 14;
const LEAST_POOL = 1 << 16;

/** `fraction`: of the memory of `env`, for what is held; the rest goes to scratch. */
export function newRowCollector(
  majors: number,
  payload: 1 | 2,
  fraction: number,
  env: SortEnv,
): RowCollector {
  const pool = createPool(Math.max(LEAST_POOL, env.budget.memory * fraction), { shared: false });
  const distribution = newDistribution({ majors, payload, pool }, env);
  const rows = newRows(ROWS, payload);
  const [firsts, seconds] = rows.payload;
  const empty = (): void => {
    rows.length = 0;
  };
  return {
    put(major, minor, first, second = 0) {
      const at = rows.length++;
      rows.major[at] = major;
      rows.minor[at] = minor;
      firsts![at] = first;
      if (seconds !== undefined) seconds[at] = second;
      if (rows.length < ROWS) return undefined;
      const added = distribution.add(rows);
      if (added !== undefined) return added.then(empty);
      empty();
      return undefined;
    },
    async finish() {
      if (rows.length > 0) await distribution.add(rows);
      const segments = await distribution.close();
      return { segments, pool, release: () => releaseSegments(segments, env) };
    },
    abort: () => distribution.abort(),
  };
}
