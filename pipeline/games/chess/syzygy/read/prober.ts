/** Syzygy's files as a source of probes: values as tables under `dtz` have them. */
import { sort } from 'fast-sort';
import { backUp, decodeValue, preference } from '../../../../formats/value.js';
import type { ProbedMove, Prober } from '../../../../probe/prober.js';
import { chess } from '../../chess.js';
import { type ChessBoard, PAWN } from '../../rules.js';
import { SyzygyOutcome } from '../outcome.js';
import type { SyzygyTables } from './tables.js';

/** A code of pipeline/formats/value.ts, and whether it may be of one ply more: files may give plies in pairs. */
export interface Coded {
  readonly code: number;
  readonly precise: boolean;
}

/** Throws as `SyzygyTables.plies`. */
export async function codedBy(tables: SyzygyTables, board: ChessBoard): Promise<Coded> {
  const { outcome, plies, precise } = await tables.plies(board);
  if (outcome === SyzygyOutcome.draw) return { code: 0, precise };
  return { code: outcome > SyzygyOutcome.draw ? plies : -plies - 1, precise };
}

/**
 * Plies may be one too few where a file gives them in pairs (`precise` is then false). So a position's may differ by
 * one from what its best move gives it. Throws MissingFileError, and of a damaged file StorageError.
 */
export function syzygyProber(tables: SyzygyTables): Prober<ChessBoard> {
  const coded = (board: ChessBoard): Promise<Coded> => codedBy(tables, board);
  return {
    metric: 'dtz',
    code: async (board) => (await coded(board)).code,
    async probe(board) {
      const legal = chess.moves(board);
      const [own, ...after] = await Promise.all([coded(board), ...legal.map((move) => coded(move.board))]);
      const { slice } = chess.locate(board);
      const clock = chess.clock?.(board) ?? 0;
      const moves = legal.map(({ uci, san, board: next }, i): ProbedMove<ChessBoard> => {
        const restarts = isZeroing(board, next);
        const code = backUp(after[i].code, 'dtz', restarts);
        const conversion = chess.locate(next).slice !== slice;
        // Plies after a zeroing move are not counted.
        const precision = restarts || after[i].precise ? {} : IN_PAIRS;
        return {
          ...{ uci, san, board: next, conversion, restarts, code },
          ...{ ...decodeValue(code, 'dtz', clock), ...precision },
        };
      });
      const ordered = sort(moves).by([
        { desc: (move) => preference(move.code) },
        { asc: (move) => move.uci },
      ]);
      const precision = own.precise ? {} : IN_PAIRS;
      return { code: own.code, ...decodeValue(own.code, 'dtz', clock), ...precision, moves: ordered };
    },
  };
}

const IN_PAIRS = { precise: false } as const;

/** Whether the move from one board to the next is a capture or one of a pawn. */
function isZeroing(before: ChessBoard, after: ChessBoard): boolean {
  const men = ({ squares }: ChessBoard) => squares.reduce((count, man) => count + (man === 0 ? 0 : 1), 0);
  const from = before.squares.findIndex((man, square) => man !== 0 && after.squares[square] === 0);
  return men(before) !== men(after) || Math.abs(before.squares[from]) === PAWN;
}
