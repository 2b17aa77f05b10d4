/** Values of positions of keyed games. */
import type { Side } from '../game/game.js';
import type { Metric, Wdl } from '../game/value.js';
import type { Winning } from './outcomes.js';

/** The value of a position, for the side to move. */
export interface KeyedValue {
  readonly wdl: Wdl;
  /** Until the end of the game; null if it is drawn, and under `wdl`. */
  readonly plies: number | null;
  /** Points by which the side to move wins, negative if it loses; null under other metrics than `score`. */
  readonly score: number | null;
}

/** The value of a position for a side, by its winner. */
export function valueFor(side: Side, { winner, plies, score }: Winning): KeyedValue {
  const points = score === null || winner === null || winner === side ? score : -score;
  return { wdl: winner === null ? 'draw' : winner === side ? 'win' : 'loss', plies, score: points };
}

/** The metrics that a keyed game can be solved for, the first by default. */
export function metricsOf({ score }: { readonly score: unknown }): readonly [Metric, ...Metric[]] {
  return score === null ? ['dtw', 'wdl'] : ['score', 'dtw', 'wdl'];
}
