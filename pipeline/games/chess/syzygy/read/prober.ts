/** Syzygy's files as a source of probes: values as tables under `dtz` have them. */
import { SYZYGY_METRIC } from '../../../../game/stipulation.js';
import { backUp, RULE_PLIES } from '../../../../game/value.js';
import type { ProbedMove, Prober } from '../../../../tables/probe/prober.js';
import {
  type Coded,
  categoryOf,
  compareMoves,
  judgedAs,
  narrowed,
  withBest,
} from '../../../../tables/probe/verdict.js';
import { chess } from '../../chess.js';
import { type ChessBoard, endsByMateAlone, PAWN } from '../../rules.js';
import { SyzygyOutcome } from '../format.js';
import type { SyzygyPlies, SyzygyTables } from './tables.js';

/** The code of a board without a look at its moves. Throws as `SyzygyTables.plies`. */
export async function codedBy(tables: SyzygyTables, board: ChessBoard): Promise<Coded> {
  return coded(board, await tables.plies(board));
}

function coded(board: ChessBoard, { outcome, plies, precise }: SyzygyPlies): Coded {
  if (outcome === SyzygyOutcome.draw) return { code: 0, precise: true };
  const isWin = outcome > SyzygyOutcome.draw;
  const codeOf = (count: number) => (isWin ? count : -count - 1);
  if (precise) return { code: codeOf(plies), precise };
  const winner = isWin === (board.side === 0) ? 1 : -1;
  if (endsByMateAlone(board, winner))
    return { code: codeOf(plies % 2 === (isWin ? 1 : 0) ? plies : plies + 1), precise: true };
  // The file of outcomes says on which side of the rule the position is.
  const isCursed = outcome === SyzygyOutcome.cursedWin || outcome === SyzygyOutcome.blessedLoss;
  return { code: codeOf(plies), precise: !isCursed && plies === RULE_PLIES };
}

/**
 * Where a file gives plies in pairs, and the moves do not say which of the two is right, `precise` is false and plies may be one too few.
 * Throws MissingFileError, and of a damaged file StorageError.
 */
export function syzygyProber(tables: SyzygyTables): Prober<ChessBoard> {
  return {
    metric: SYZYGY_METRIC,
    code: async (board) => (await codedBy(tables, board)).code,
    async probe(board) {
      const found = await tables.withMoves(board);
      const { slice } = chess.locate(board);
      const clock = chess.clock?.(board) ?? 0;
      const legal = chess.moves(board);
      const restarting = legal.map((move) => isZeroing(board, move.board));
      const after = legal.map((move, i) => backedUp(coded(move.board, found.after[i]), restarting[i]));
      const known = narrowed({ own: coded(board, found.own), moves: after });
      const moves = legal.map(({ uci, san, board: next }, i): ProbedMove<ChessBoard> => {
        const restarts = restarting[i];
        // Moves that zero nothing keep the men and the ranks of pawns; they may give up a right to capture en passant.
        const mayConvert = restarts || board.passant !== undefined;
        const conversion = mayConvert && chess.locate(next).slice !== slice;
        const move = known.moves[i];
        const value = judgedAs(categoryOf({ [SYZYGY_METRIC]: move }, clock), move, SYZYGY_METRIC);
        return { uci, san, board: next, conversion, restarts, code: move.code, ...value };
      });
      moves.sort((a, b) => compareMoves(a, b));
      const category = withBest(categoryOf({ [SYZYGY_METRIC]: known.own }, clock), moves[0]?.category);
      return { code: known.own.code, ...judgedAs(category, known.own, SYZYGY_METRIC), moves };
    },
  };
}

/** The value of a move for the side that makes it. Plies after a zeroing move are not counted. */
export function backedUp({ code, precise }: Coded, restarts: boolean): Coded {
  return { code: backUp(code, SYZYGY_METRIC, restarts), precise: precise || restarts };
}

/** Whether the move from one board to the next is a capture or one of a pawn. */
function isZeroing(before: ChessBoard, after: ChessBoard): boolean {
  let men = 0;
  for (let square = 0; square < 64; square++) {
    const man = before.squares[square];
    const next = after.squares[square];
    if (next !== 0) men--;
    if (man === 0) continue;
    men++;
    if (next === 0 && Math.abs(man) === PAWN) return true;
  }
  return men !== 0;
}
