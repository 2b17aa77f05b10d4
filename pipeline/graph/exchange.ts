/** Exchange of keys between those who find the positions of a keyed game together, as each of them sees it. */
import type { Interval } from '../../operators/core/interval.js';
import type { Rows } from '../../operators/runs/types.js';

/** Takes rows in, which are valid until what it returns was awaited. */
export type TakeRows = (rows: Rows) => Promise<void>;

export interface Exchange {
  readonly self: number;
  /** How many there are. */
  readonly of: number;
  /** How many of them share a budget. */
  readonly sharing: number;
  /** Rows of these majors are this one's. */
  readonly majors: Interval;
  /** Puts rows to their owners. `take` gets own rows, and what others have sent until then. */
  put(rows: Rows, take: TakeRows): Promise<void>;
  /** Waits until all have called it: then all is taken that was put before. @throws Halted if another has failed. */
  meet(take: TakeRows): Promise<void>;
  /** Waits until all have called it, and returns what each said, at most four numbers. @throws Halted if another has failed. */
  say(numbers: readonly number[]): Promise<readonly Float64Array[]>;
  /** This one, or another that can no longer say so, goes on no more. */
  fail(who?: number): void;
}

/** Another failed, and its error is the one to report. */
export class Halted extends Error {}
