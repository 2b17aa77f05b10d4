/**
 * The keys that were reached so far, as ordered sets of rows that are apart from each other. They are spools: in
 * memory while few, then in scratch. New keys are a set of their own. When there are more sets than may be read at
 * once, the smaller half of them is merged into one. Finding out what is new reads all sets in any case, so one large
 * set would be read no faster. The more seldom sets are merged, the less is written. docs/design/graphs.md has what
 * was measured.
 *
 * Sets can be kept for other processes: those in memory are then written, once; those in runs are left alone from then on.
 */
import type { Budget } from '../../operators/core/budget.js';
import type { Interval } from '../../operators/core/interval.js';
import { difference } from '../../operators/difference.js';
import { distinct } from '../../operators/distinct.js';
import type { Cursor, RunRef } from '../../operators/runs/types.js';
import type { SortEnv } from '../../operators/sort/env.js';
import { merge } from '../../operators/sort/merge.js';
import { collectKeys, type KeySet, openKeys } from './key-set.js';
import { MAJORS, ROW_BYTES } from './spread.js';

export interface Visited {
  /** Rows that batches passed to `unseen` may have. */
  readonly batchRows: number;
  /** The rows that are in no set, as a set of their own, which is the caller's until it is added. All ascend strictly. */
  unseen(rows: Cursor): Promise<KeySet>;
  /** Takes a set over: its keys are visited. */
  add(keys: KeySet): Promise<void>;
  /** Keeps a set that is the caller's and all that were added, in scratch: returns their runs. They are not deleted any more. */
  keep(keys: KeySet): Promise<RunRef[]>;
  /** Has the sets that `keep` returned: the first is the caller's again. Before any other is there. */
  restore(runs: readonly RunRef[]): Promise<KeySet>;
  /**
   * The same of what several kept, each the keys of the majors behind those of the one before. Keys of some majors are copied to sets
   * that are this one's own.
   */
  restoreOf(kept: readonly (readonly RunRef[])[], majors: Interval): Promise<KeySet>;
  dispose(): Promise<void>;
}

/** A batch of each set takes part as read and as passed on. A reader may hold two; and so it is of what is written. */
const COPIES = 4;
/** Few new keys look at the majors that they have; a gap of so many is worth a new beginning. */
const LEAP = MAJORS / 16;

/** `held`: bytes of keys that may stay in memory. `env.budget.memory` is for batches alone; in `env.scratch` are sets that are not in memory. */
export function newVisited(held: number, env: SortEnv): Visited {
  const { counters } = env;
  const budget = planSets(env.budget);
  const batchEnv = { ...env, budget };
  let sets: KeySet[] = [];

  /** A set of these rows, that leaves half of what is free: many small ones may come after a large one. */
  function collect(rows: Cursor): Promise<KeySet> {
    const used = sets.reduce((sum, set) => sum + set.held, 0);
    return collectKeys(rows, Math.max(0, (held - used) / 2), batchEnv);
  }

  async function mergeSmaller(): Promise<void> {
    const bySize = [...sets].sort((a, b) => b.rows - a.rows);
    const smaller = bySize.splice(Math.floor(budget.fanIn / 2));
    counters.mergePasses++;
    const cursors = smaller.map((set) => set.cursor());
    // No key is in two sets; what is left to do is to order ties.
    const merged = await collect(distinct(merge(cursors, { budget })));
    sets = [...bySize, merged];
    for (const set of smaller) await set.dispose();
  }

  return {
    batchRows: budget.batchRows,
    unseen: (rows) =>
      collect(sets.reduce((rest, set) => difference(rest, set, { leap: LEAP, counters }), rows)),
    async add(keys) {
      sets.push(keys);
      if (sets.length > budget.fanIn) await mergeSmaller();
    },
    async keep(keys) {
      const runs: RunRef[] = [];
      for (const set of [keys, ...sets]) runs.push(await set.keep());
      return runs;
    },
    async restore([first, ...others]) {
      for (const run of others) sets.push(await openKeys(run, env));
      return openKeys(first, env);
    },
    async restoreOf(kept, majors) {
      async function* ofAll(runsOf: (one: readonly RunRef[]) => readonly RunRef[]): Cursor {
        for (const one of kept) {
          const opened = await Promise.all(runsOf(one).map((run) => openKeys(run, env)));
          const cursors = opened.map((set) => set.cursor(majors));
          yield* distinct(merge(cursors, { budget }));
        }
      }
      const first = await collect(ofAll((runs) => runs.slice(0, 1)));
      sets.push(await collect(ofAll((runs) => runs.slice(1))));
      return first;
    },
    async dispose() {
      for (const set of sets.splice(0)) await set.dispose();
    },
  };
}

/** How many sets there may be, and rows of their batches, such that all can be read while one is written. */
function planSets({ memory, fanIn: most, batchRows }: Budget): Budget {
  const rows = Math.floor(memory / (COPIES * ROW_BYTES));
  const fanIn = Math.max(2, Math.min(most, Math.floor(rows / 64) - 1));
  return { memory, fanIn, batchRows: Math.max(1, Math.min(batchRows, Math.floor(rows / (fanIn + 1)))) };
}
