/**
 * Outcomes of positions as ranks: the greater the better for the player who moves there, 1 to 5 as the position is won, won but for the
 * 50-move rule, drawn and so on; 0 is no position. A move is worth the rank that it leads to.
 */
import { OUTCOMES } from '../game/value.js';
import { SyzygyOutcome } from '../games/chess/syzygy/format.js';

/** The rank of a position, and the outcome of a position of this rank. */
export const rankOfOutcome = (outcome: number) => 5 - outcome;
export const outcomeOfRank = (rank: number) => 5 - rank;

export const word = (outcome: number) => OUTCOMES[outcome] ?? 'no outcome';

/** The outcome that a zeroing move makes of the position before it; -1 if there is none. */
export const byZeroing = (rank: number) => rank - 1;

/**
 * The least and the most that a quiet move makes of it. A win in the 100 plies of the rule is one ply longer before such a move, hence
 * perhaps no win any more.
 */
const { loss, blessedLoss, draw, cursedWin, win } = SyzygyOutcome;
export const LEAST_QUIET = [-1, loss, blessedLoss, draw, cursedWin, cursedWin];
export const MOST_QUIET = [-1, blessedLoss, blessedLoss, draw, cursedWin, win];

/** Facts of a position besides: the rank of its best zeroing move, whether it is mated, whether the file has its plies. */
export const Fact = { zeroing: 7, mated: 8, hasPlies: 16 } as const;
