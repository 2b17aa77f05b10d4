/** What runs the members of a crew: one in this thread, or (jobs/engines) many in worker threads. */
import type { Budget } from '../../../operators/core/budget.js';
import type { Scratch } from '../../../operators/storage/scratch.js';
import type { Store } from '../../../operators/storage/store.js';
import type { Game, Slice } from '../../game.js';
import { type Member, type MemberSetup, newMember } from './member.js';

export interface Engine {
  /** Members that may work at once. */
  readonly workers: number;
  /** One member for each interval of `setup`; at most `workers`. */
  open(setups: readonly MemberSetup[], report: (done: number) => void): Promise<Member[]>;
  close(): Promise<void>;
}

/** Everything in the calling thread, one member. */
export function inlineEngine(game: Game, store: Store, scratch: Scratch): Engine {
  return {
    workers: 1,
    open: async (setups, report) => setups.map((setup) => newMember(setup, { game, store, scratch, report })),
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
