/** What runs the members of crews: one in this thread, or (jobs/engines) many in worker threads. */
import type { Budget } from '../../../operators/core/budget.js';
import type { Scratch } from '../../../operators/storage/scratch.js';
import type { Store } from '../../../operators/storage/store.js';
import type { Game, Slice } from '../../game.js';
import type { Strategy } from '../../phases/context.js';
import type { Verified } from '../../phases/verify.js';
import type { ProgressListener } from '../../progress.js';
import type { SliceSummary } from '../../solve-one.js';
import type { Metric } from '../../value.js';
import { type Member, type MemberSetup, newMember, type SlicePhases } from './member.js';

/** A slice for one worker: to be solved, and then verified where that is wanted; or, as its table is there, only verified. */
export type AloneTask =
  | (AloneSlice & { readonly kind: 'solve'; readonly strategy: Strategy; readonly verify: boolean })
  | (AloneSlice & { readonly kind: 'verify' });

interface AloneSlice {
  readonly slice: string;
  readonly metric: Metric;
  /** Of this worker. */
  readonly budget: Budget;
}

export interface AloneResults {
  solve: SliceSummary;
  verify: Verified;
}

export interface Engine {
  /** Members that may work at once. */
  readonly workers: number;
  /** One member for each interval of `setup`; at most `workers`. */
  open(setups: readonly MemberSetup[], report: (done: number) => void): Promise<Member[]>;
  /**
   * Has an idle worker do a slice from beginning to end. At most `workers` at once, and none while members of `open` are at
   * work. Absent where there is one worker only.
   */
  alone?<Kind extends AloneTask['kind']>(
    task: AloneTask & { readonly kind: Kind },
    progress: ProgressListener,
  ): Promise<AloneResults[Kind]>;
  /** Stops what is still at work. */
  close(): Promise<void>;
}

/** Everything in the calling thread, one member. `phases`: see `SlicePhases`; the game's kernels are asked unless others are given. */
export function inlineEngine(game: Game, store: Store, scratch: Scratch, phases?: SlicePhases): Engine {
  return {
    workers: 1,
    open: async (setups, report) =>
      setups.map((setup) =>
        newMember(setup, { game, store, scratch, report, ...(phases === undefined ? {} : { phases }) }),
      ),
    close: async () => {},
  };
}

/**
 * Bytes of buffers that a slice has a use for, for each of its indices a side: its labels, and the requests of a round that
 * reaches all positions. To make, clear and give up more costs a small slice ten times what its rounds do. No slice gets
 * less than `LEAST_USEFUL` for it.
 */
const USEFUL_PER_INDEX = 256;
const LEAST_USEFUL = 2 ** 20;

/** One member's share of a budget, of what its slice can use; batches shrink with it, so that many cursors fit. */
export function memberBudget(budget: Budget, members: number, slice: Pick<Slice, 'size'>): Budget {
  const useful = Math.max(LEAST_USEFUL, USEFUL_PER_INDEX * slice.size);
  const memory = Math.floor(Math.min(budget.memory, useful) / members);
  return { ...budget, memory, batchRows: Math.max(1, Math.min(budget.batchRows, Math.floor(memory / 512))) };
}
