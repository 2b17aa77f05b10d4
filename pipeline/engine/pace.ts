/** When rounds are committed, and when one partition does them for all. */
import type { SliceIndex } from '../game/game.js';

export interface Pace {
  /** Requests after which labels are committed; or so many for each position of a side, where that is more. */
  readonly commitRequests: number;
  readonly commitRequestsPerPosition: number;
  /** Rounds after which labels are committed, however few their requests. */
  readonly commitRounds: number;
  /** One partition does rounds for all only while they have fewer requests than this. */
  readonly fewRequests: number;
  /** Milliseconds that one partition is taken to need for a request, and to take over the labels of a position. */
  readonly requestMs: number;
  readonly positionMs: number;
  /** It gives the rounds back before one that has more requests than this. */
  readonly manyRequests: number;
}

/**
 * The pace of all solves; only tests have others. Small slices are one step, and an interruption loses a few seconds of work. A commit
 * of a large slice writes all of its labels: by the times below, the requests of its epoch cost thirty times as much. The times are
 * those of the cost model, rounded.
 */
export const PACE: Pace = {
  commitRequests: 2 ** 30,
  commitRequestsPerPosition: 2,
  commitRounds: 256,
  fewRequests: 2 ** 21,
  requestMs: 3e-5,
  positionMs: 2e-6,
  manyRequests: 2 ** 24,
};

/** Requests after which a slice of so many positions a side is committed. */
export function commitRequestsOf(pace: Pace, { size }: Pick<SliceIndex, 'size'>): number {
  return Math.max(pace.commitRequests, pace.commitRequestsPerPosition * size);
}
