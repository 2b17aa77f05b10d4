/** Syzygy's files as a source of probes: values as tables under `dtz` have them. */
import { sort } from 'fast-sort';
import { backUp, decodeValue, preference } from '../../../../formats/value.js';
import type { ProbedMove, Prober } from '../../../../probe/prober.js';
import { chess } from '../../chess.js';
import { type ChessBoard, PAWN } from '../../rules.js';
import { SyzygyOutcome } from '../outcome.js';
import type { SyzygyPlies, SyzygyTables } from './tables.js';

/** A code of pipeline/formats/value.ts, and whether it may be of one ply more: files may give plies in pairs. */
export interface Coded {
  readonly code: number;
  readonly precise: boolean;
}

/** Throws as `SyzygyTables.plies`. */
export async function codedBy(tables: SyzygyTables, board: ChessBoard): Promise<Coded> {
  return coded(await tables.plies(board));
}

function coded({ outcome, plies, precise }: SyzygyPlies): Coded {
  if (outcome === SyzygyOutcome.draw) return { code: 0, precise };
  return { code: outcome > SyzygyOutcome.draw ? plies : -plies - 1, precise };
}

/**
 * Plies may be one too few where a file gives them in pairs (`precise` is then false). So a position's may differ by
 * one from what its best move gives it. Throws MissingFileError, and of a damaged file StorageError.
 */
export function syzygyProber(tables: SyzygyTables): Prober<ChessBoard> {
  return {
    metric: 'dtz',
    code: async (board) => (await codedBy(tables, board)).code,
    async probe(board) {
      const found = await tables.withMoves(board);
      const own = coded(found.own);
      const { slice } = chess.locate(board);
      const clock = chess.clock?.(board) ?? 0;
      const moves = chess.moves(board).map(({ uci, san, board: next }, i): ProbedMove<ChessBoard> => {
        const after = coded(found.after[i]);
        const restarts = isZeroing(board, next);
        const code = backUp(after.code, 'dtz', restarts);
        // Moves that zero nothing keep the men and the ranks of pawns; they may give up a right to capture en passant.
        const mayConvert = restarts || board.passant !== undefined;
        const conversion = mayConvert && chess.locate(next).slice !== slice;
        const { wdl, plies } = decodeValue(code, 'dtz', clock);
        const move = { uci, san, board: next, conversion, restarts, code, wdl, plies };
        // Plies after a zeroing move are not counted.
        return restarts || after.precise ? move : { ...move, precise: false };
      });
      const ordered = sort(moves).by([
        { desc: (move) => preference(move.code) },
        { asc: (move) => move.uci },
      ]);
      const { wdl, plies } = decodeValue(own.code, 'dtz', clock);
      const probed = { code: own.code, wdl, plies, moves: ordered };
      return own.precise ? probed : { ...probed, precise: false };
    },
  };
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
