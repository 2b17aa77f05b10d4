/** FEN as the public Lichess tablebase API takes it: underscores for spaces, fields left out, idle rights dropped. */
import { UserError } from '../../operators/core/errors.js';
import { readFen } from '../../pipeline/games/chess/fen.js';
import type { ChessBoard } from '../../pipeline/games/chess/rules.js';
import { asked, HttpProblem } from './problems.js';

export interface ClockedBoard {
  readonly board: ChessBoard;
  /** Plies since the last zeroing move. */
  readonly clock: number;
}

/** All men that a board can have: positions that no table holds are answered, too. */
const MOST_MEN = 32;
const DEFAULTS = ['', 'w', '-', '-', '0', '1'];

/** Where king and rook must stand for a right to castle to be one. */
const HOMES: Readonly<Record<string, readonly [king: number, rook: number, sign: number]>> = {
  K: [4, 7, 1],
  Q: [4, 0, 1],
  k: [60, 63, -1],
  q: [60, 56, -1],
};
const KING = 1;
const ROOK = 3;

/** Throws HttpProblem: 400 for what is malformed or illegal, 404 for positions in which somebody may castle. */
export function readLichessFen(text: string): ClockedBoard {
  const given = text.replaceAll('_', ' ').trim().split(/\s+/);
  const fields = [...given, ...DEFAULTS.slice(given.length)];
  const castling = fields[2]!;
  const withoutCastling = /^K?Q?k?q?$/.test(castling) ? fields.with(2, '-') : fields;
  const board = asked(() => readBoard(withoutCastling));
  if (withoutCastling !== fields && [...castling].some((right) => mayCastle(board, right))) {
    throw new HttpProblem(404, `positions with castling rights (${castling}) are in no table`);
  }
  return { board, clock: Number(fields[4]) };
}

function readBoard(fields: readonly string[]): ChessBoard {
  const [, , , passant] = fields;
  try {
    return readFen(fields.join(' '), MOST_MEN);
  } catch (error) {
    // A square that no pawn has just passed is no right, and no reason to refuse the position.
    if (!(error instanceof UserError) || !/^[a-h][36]$/.test(passant!)) throw error;
    return readFen(fields.with(3, '-').join(' '), MOST_MEN);
  }
}

function mayCastle({ squares }: ChessBoard, right: string): boolean {
  const [king, rook, sign] = HOMES[right]!;
  return squares[king] === sign * KING && squares[rook] === sign * ROOK;
}
