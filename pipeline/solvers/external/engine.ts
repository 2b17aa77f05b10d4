/** What runs the members of a crew: one in this thread, or (jobs/engines) many in worker threads. */
import type { Budget } from '../../../operators/core/budget.js';
import type { Scratch } from '../../../operators/storage/scratch.js';
import type { Store } from '../../../operators/storage/store.js';
import type { Game } from '../../game.js';
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

/** More memory than this a position, and for any slice, is of no use: labels and requests all fit. */
const USEFUL = { position: 128, slice: 2 ** 20 };

/**
 * One member's share of a budget; batches shrink with it, so that many cursors fit. No more than a slice of `positions` a
 * side can use: clearing buffers would take longer than solving a small slice.
 */
export function memberBudget(budget: Budget, members: number, positions: number): Budget {
  const useful = Math.min(budget.memory, USEFUL.slice + USEFUL.position * positions);
  const memory = Math.floor(useful / members);
  return { ...budget, memory, batchRows: Math.max(1, Math.min(budget.batchRows, Math.floor(memory / 512))) };
}
