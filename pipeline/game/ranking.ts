/** The order in which players prefer moves by the codes (value.ts) that these give them, as ranks of 16 bits: the greater rank is the better move. */
import { opponent } from './events.js';
import { labellingOf, roleOf } from './labelling.js';
import type { Side } from './side.js';
import { type Metric, stipulations } from './stipulation.js';
import { BROKEN_RANK, fromPreference, pliesOfCode, preference } from './value.js';

export interface Ranking {
  /** The rank of a code, for the player who moves. At least 1; `BROKEN_RANK` is the rank of no code. */
  rankOf(code: number): number;
  /** The code of a rank that a position with `side` to move has. */
  codeOf(rank: number, side: Side): number;
}

/**
 * A side that seeks the goal or helps prefers to reach it, in few plies; a side that avoids it prefers not to, else in many. Where the goal is one
 * side's, that side has the negative codes. Without plies all wins are alike, and all losses.
 */
export function rankingOf(metric: Metric): Ranking {
  const { goalOf } = labellingOf(metric);
  if (goalOf === null) {
    const rankOf = stipulations[metric].plies ? preference : (code: number) => preference(Math.sign(code));
    return { rankOf, codeOf: fromPreference };
  }
  const drawn = preference(0);
  const avoids = (side: Side) => roleOf(metric, side) === 'avoid';
  const other = opponent(goalOf);
  return {
    rankOf(code) {
      if (code === 0) return drawn;
      const plies = pliesOfCode(code);
      return avoids(code > 0 ? other : goalOf) ? Math.min(plies + 1, BROKEN_RANK - 1) : 0xffff - plies;
    },
    codeOf(rank, side) {
      if (rank === drawn) return 0;
      const plies = rank > drawn ? 0xffff - rank : rank - 1;
      return side === goalOf ? -plies - 1 : plies;
    },
  };
}
