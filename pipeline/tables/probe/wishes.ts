/** The order in which a side prefers its moves under a stipulation, as an order of codes. */
import { labellingOf, roleOf } from '../../game/labelling.js';
import type { Side } from '../../game/side.js';
import { type Metric, stipulations } from '../../game/stipulation.js';
import { pliesOfCode, preference } from '../../game/value.js';
import { compareMoves, type Ordered } from './verdict.js';

/** More than the rank of any code of a position from which the goal is reached. */
const MOST_RANK = 0x10000;

/**
 * Ranks the codes of the moves of `side`: the greater rank is the better move. Where the goal is one side's, a code other than 0, of either sign,
 * means that the goal is reached. A side that seeks the goal or helps prefers to reach it soon; a side that avoids it prefers never, else late.
 */
export function rankOf(metric: Metric, side: Side): (code: number) => number {
  const { goalOf, plies } = stipulations[metric];
  if (goalOf === 'either') return plies ? preference : Math.sign;
  if (roleOf(metric, side) === 'avoid') return (code) => (code === 0 ? MOST_RANK : pliesOfCode(code));
  return (code) => (code === 0 ? 0 : MOST_RANK - pliesOfCode(code));
}

/** Compares moves of `side` for a sort, the best first. Where the goal is one side's, win and loss do not say which move is better. */
export function byWish(metric: Metric, side: Side): (a: Ordered, b: Ordered) => number {
  const rank = rankOf(metric, side);
  if (stipulations[metric].goalOf === 'either') return (a, b) => compareMoves(a, b, rank);
  return (a, b) => rank(b.code) - rank(a.code) || (a.uci < b.uci ? -1 : a.uci > b.uci ? 1 : 0);
}

/** The number of a position without moves, or of one from which the goal is never reached; null where there are no numbers. */
export function numberAtEnd(metric: Metric, isGoal: boolean): number | null {
  if (labellingOf(metric).numbering === null) return null;
  return isGoal ? 1 : 0;
}
