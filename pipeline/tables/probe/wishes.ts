/** The order of the moves of a position under a stipulation, and the numbers of positions without moves. */
import { labellingOf } from '../../game/labelling.js';
import { rankingOf } from '../../game/ranking.js';
import type { Metric } from '../../game/stipulation.js';
import { compareMoves, type Ordered } from './verdict.js';

/** Compares moves for a sort, the best first. Where the goal is one side's, win and loss do not say which move is better. */
export function byWish(metric: Metric): (a: Ordered, b: Ordered) => number {
  const { rankOf } = rankingOf(metric);
  if (labellingOf(metric).goalOf === null) return (a, b) => compareMoves(a, b, rankOf);
  return (a, b) => rankOf(b.code) - rankOf(a.code) || (a.uci < b.uci ? -1 : a.uci > b.uci ? 1 : 0);
}

/** The number of a position without moves, or of one from which the goal is never reached; null where there are no numbers. */
export function numberAtEnd(metric: Metric, isGoal: boolean): number | null {
  if (labellingOf(metric).numbering === null) return null;
  return isGoal ? 1 : 0;
}
