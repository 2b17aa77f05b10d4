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
import { distinct } from '../../operators/distinct.js';
import type { Cursor, RunRef } from '../../operators/runs/types.js';
import { difference } from '../../operators/semi-join.js';
import type { SortEnv } from '../../operators/sort/env.js';
import { merge } from '../../operators/sort/merge.js';
import { collectKeys, type KeySet, openKeys } from './key-set.js';
import { keyRowBytes, MAJORS } from './spread.js';

/** A batch of each set takes part as read and as passed on. A reader may hold two; and so it is of what is written. */
const COPIES = 4;
/** Few new keys look at the majors that they have; a gap of so many is worth a new beginning. */
const LEAP = MAJORS / 16;

export class Visited {
  private readonly env: SortEnv;
  private sets: KeySet[] = [];

  /** @param upper upper words of keys. @param held bytes of keys that may stay in memory. `env.budget.memory` is for batches alone; in `env.scratch` are sets that are not in memory. */
  constructor(
    private readonly upper: number,
    private readonly held: number,
    env: SortEnv,
  ) {
    this.env = { ...env, budget: planSets(env.budget, keyRowBytes(upper)) };
  }

  /** Rows that batches passed to `unseen` may have. */
  get batchRows(): number {
    return this.env.budget.batchRows;
  }

  /** The rows that are in no set, as a set of their own, which is the caller's until it is added. All ascend strictly. */
  unseen(rows: Cursor): Promise<KeySet> {
    const { counters } = this.env;
    return this.collect(
      this.sets.reduce((rest, set) => difference(rest, set, { leap: LEAP, counters }), rows),
    );
  }

  /** Takes a set over: its keys are visited. */
  async add(keys: KeySet): Promise<void> {
    this.sets.push(keys);
    if (this.sets.length > this.env.budget.fanIn) await this.mergeSmaller();
  }

  /** Keeps a set that is the caller's and all that were added, in scratch: returns their runs. They are not deleted any more. */
  async keep(keys: KeySet): Promise<RunRef[]> {
    const runs: RunRef[] = [];
    for (const set of [keys, ...this.sets]) runs.push(await set.keep());
    return runs;
  }

  /** Opens the sets that `keep` returned: the first is the caller's again. Before any other is there. */
  async restore([first, ...others]: readonly RunRef[]): Promise<KeySet> {
    for (const run of others) this.sets.push(await openKeys(run, this.upper, this.env));
    return openKeys(first, this.upper, this.env);
  }

  /**
   * The same of what several kept, each the keys of the majors behind those of the one before. Keys of some majors are copied to sets
   * that are this one's own.
   */
  async restoreOf(kept: readonly (readonly RunRef[])[], majors: Interval): Promise<KeySet> {
    const { env, upper } = this;
    async function* ofAll(runsOf: (one: readonly RunRef[]) => readonly RunRef[]): Cursor {
      for (const one of kept) {
        const opened = await Promise.all(runsOf(one).map((run) => openKeys(run, upper, env)));
        const cursors = opened.map((set) => set.cursor(majors));
        yield* distinct(merge(cursors, env));
      }
    }
    const first = await this.collect(ofAll((runs) => runs.slice(0, 1)));
    this.sets.push(await this.collect(ofAll((runs) => runs.slice(1))));
    return first;
  }

  async dispose(): Promise<void> {
    for (const set of this.sets.splice(0)) await set.dispose();
  }

  /** A set of these rows, that leaves half of what is free: many small ones may come after a large one. */
  private collect(rows: Cursor): Promise<KeySet> {
    const used = this.sets.reduce((sum, set) => sum + set.held, 0);
    const memory = Math.max(0, (this.held - used) / 2);
    return collectKeys(rows, { upper: this.upper, memory }, this.env);
  }

  private async mergeSmaller(): Promise<void> {
    const { budget, counters } = this.env;
    const bySize = [...this.sets].sort((a, b) => b.rows - a.rows);
    const smaller = bySize.splice(Math.floor(budget.fanIn / 2));
    counters.mergePasses++;
    const cursors = smaller.map((set) => set.cursor());
    // No key is in two sets; what is left to do is to order ties.
    const merged = await this.collect(distinct(merge(cursors, { budget })));
    this.sets = [...bySize, merged];
    for (const set of smaller) await set.dispose();
  }
}

/** How many sets there may be, and rows of their batches, such that all can be read while one is written. */
function planSets({ memory, fanIn: most, batchRows }: Budget, rowBytes: number): Budget {
  const rows = Math.floor(memory / (COPIES * rowBytes));
  const fanIn = Math.max(2, Math.min(most, Math.floor(rows / 64) - 1));
  return { memory, fanIn, batchRows: Math.max(1, Math.min(batchRows, Math.floor(rows / (fanIn + 1)))) };
}
