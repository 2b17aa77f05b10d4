/** The context of every phase: which slice, which of its parts, and the budget and stores that it may use. */

import type { Budget } from '../../../operators/core/budget.js';
import type { Counters } from '../../../operators/core/counters.js';
import type { Interval } from '../../../operators/core/interval.js';
import type { Scratch } from '../../../operators/storage/scratch.js';
import type { Store } from '../../../operators/storage/store.js';
import type { SliceIndex } from '../../game/game.js';
import type { Mode } from '../../game/mode.js';
import { runObject, type WorkRun } from '../../game/slice-objects.js';
import type { Strategy } from '../../game/strategy.js';
import type { Metric } from '../../game/value.js';
import type { Table } from '../../tables/table.js';

/** Rows an expand emits before it passes them on. */
export const EXPAND_ROWS = 1 << 14;

/** What a partition is to do: the same for all phases. */
export interface Assignment {
  readonly metric: Metric;
  readonly strategy: Strategy;
  readonly mode: Mode;
  readonly parts: Interval;
  readonly budget: Budget;
  /** Ends the names of runs, so that two attempts at one step write different ones; empty where none can meet. */
  readonly attempt: string;
}

/** `Index`: the part of the slice that a phase needs; phases that call its kernels ask for a `Slice`. */
export interface Context<Index extends SliceIndex = SliceIndex> extends Assignment {
  readonly slice: Index;
  /** Holds the runs that are needed only until the table is finished. */
  readonly store: Store;
  /** Where the table goes. */
  readonly tableStore: Store;
  /** Prefix of the names of all that belongs to the slice's table. */
  readonly prefix: string;
  readonly scratch: Scratch;
  readonly counters: Counters;
  /** The finished tables of the dependencies, in the slice's order. */
  readonly tables: readonly Table<SliceIndex>[];
  /** Called now and then with the number of positions or requests done since the last call. */
  readonly report: (done: number) => void;
}

/** Where manifests and runs lie that are needed only until the table is finished. */
export function workPrefix(prefix: string, strategy: Strategy): string {
  return `${prefix}/steps/${strategy}`;
}

/** Name of a passing run of this context's parts. */
export function runName({ prefix, strategy, parts, attempt }: Context, run: WorkRun): string {
  return `${workPrefix(prefix, strategy)}/${runObject(run, parts, attempt)}`;
}
