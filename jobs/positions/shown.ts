/** The parts of an answer that are shown: on the page, and as lines. */
import type { PositionsAnswer } from '../server/api-answers.js';
import type { ListedPosition } from './lines.js';

/** Positions that an answer has at most. */
export const MOST_POSITIONS = 10_000;

/** The positions of an answer, to be written as lines. */
export function shownOf({ ending, metric, skip, positions }: PositionsAnswer): ListedPosition[] {
  return positions.map(({ position, side, wdl, plies, zugzwang }, i) => ({
    ending,
    metric,
    side,
    zugzwang,
    number: skip + i + 1,
    fen: position,
    value: { wdl, plies },
    moves: null,
  }));
}
