/** The oracle of problems as a prober of tables: answers of the same shape, without the product's tables. */

import { rankingOf } from '../../pipeline/game/ranking.js';
import { stipulations } from '../../pipeline/game/stipulation.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import type { ChessBoard } from '../../pipeline/games/chess/rules.js';
import type { Probed, Prober } from '../../pipeline/tables/probe/prober.js';
import { judgedAs } from '../../pipeline/tables/probe/verdict.js';
import { type SolvedProblems, type Stipulation, solveProblems } from '../oracle/problems.js';

function codeOf(isGoalSide: boolean, plies: number | null): number {
  if (plies === null) return 0;
  return isGoalSide ? -plies - 1 : plies;
}

/** @param ending "KPvK"; all that it leads to is solved, too. */
export function problemProber(ending: string, metric: Stipulation): Prober<ChessBoard> {
  const solved: SolvedProblems = solveProblems(ending, metric);
  const goalOf = stipulations[metric].goalOf === 'first' ? 0 : 1;
  const lookUp = ({ squares, side, passant = -1 }: ChessBoard) => {
    const found = solved.value({ squares, side, passant });
    return { code: codeOf(side === goalOf, found?.plies ?? null), number: found?.number ?? 0 };
  };
  const judged = (code: number) =>
    judgedAs(code === 0 ? 'draw' : code > 0 ? 'win' : 'loss', { code, precise: true }, metric);
  const probe = async (board: ChessBoard): Promise<Probed<ChessBoard>> => {
    const { rankOf: rank } = rankingOf(metric);
    const moves = chess.moves(board).map(({ uci, san, board: after }) => {
      const { code: there, number } = lookUp(after);
      const code = there === 0 ? 0 : there < 0 ? -there : -there - 2;
      return { uci, san, board: after, number, code, conversion: false, restarts: false, ...judged(code) };
    });
    moves.sort((a, b) => rank(b.code) - rank(a.code));
    const { code, number } = lookUp(board);
    return { code, number, moves, ...judged(code) };
  };
  return { metric, probe, code: async (board) => lookUp(board).code };
}
