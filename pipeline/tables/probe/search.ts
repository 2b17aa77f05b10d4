/**
 * The value of a board whose value the published table may leave out: a search over don't-cares down to positions
 * that are stored. Captures and threatened captures are searched deeper (Lake, Schaeffer & Lu 1994, section 4).
 *
 * Don't-cares may lead to each other in circles. The search follows no circle: a board that is met again on the way to it
 * counts as drawn. That is exact: along a winning line the distance to the win shrinks with every
 * move, so no board comes twice. A board that is neither won nor lost without circles is drawn.
 *
 * The same holds for boards of a side that a publication leaves out as a whole.
 */
import { UserError } from '../../../operators/core/errors.js';
import type { Search } from '../../game/game.js';

/** For the side to move: -1 lost, 0 drawn, 1 won. */
export type Outcome = -1 | 0 | 1;

/** Boards on the way from the root; far more than any position needs. */
const DEEPEST = 256;

/** Counts what the search does. */
export interface SearchCounters {
  /** Values read from tables. */
  lookups: number;
  /** Boards whose moves were tried. */
  expanded: number;
}

/**
 * @param stored the value of a board that is not a don't-care, or null if its side is not published. An error that it throws ends
 * the search, which may be started again.
 * @param same whether two boards are the same position.
 */
export function newSearch<Board>(
  { dontCare, successors, same }: Search<Board>,
  stored: (board: Board) => Outcome | null,
): { value(board: Board): Outcome; readonly counters: SearchCounters } {
  const counters: SearchCounters = { lookups: 0, expanded: 0 };
  const path: Board[] = [];
  let depth = 0;

  function lookUp(board: Board): Outcome | null {
    counters.lookups++;
    return stored(board);
  }

  function isOnPath(board: Board): boolean {
    for (let i = depth - 2; i >= 0; i -= 2) if (same(path[i], board)) return true;
    return false;
  }

  /** The value of a don't-care, or a bound outside of (alpha, beta) on the same side of them. */
  function search(board: Board, alpha: Outcome, beta: Outcome): Outcome {
    if (isOnPath(board)) return 0;
    if (depth === DEEPEST) throw new UserError('the position needs too deep a search');
    counters.expanded++;
    const next = successors(board);
    let best: Outcome = -1;
    let later = 0;
    // Stored values come first: they cost least, and may be enough.
    for (const after of next) {
      const found = dontCare(after) ? null : lookUp(after);
      if (found === null) next[later++] = after;
      else {
        const value = -found as Outcome;
        if (value >= beta) return value;
        if (value > best) best = value;
      }
    }
    path[depth++] = board;
    for (let i = 0; i < later && best < beta; i++) {
      const value = -search(next[i], -beta as Outcome, -Math.max(alpha, best) as Outcome) as Outcome;
      if (value > best) best = value;
    }
    depth--;
    return best;
  }

  return {
    counters,
    value(board) {
      depth = 0;
      return (dontCare(board) ? null : lookUp(board)) ?? search(board, -1, 1);
    },
  };
}
