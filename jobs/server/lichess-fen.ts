/** FEN as the public Lichess tablebase API takes it: underscores for spaces, fields left out, idle rights dropped. */
import { UserError } from '../../operators/core/errors.js';
import { readFen } from '../../pipeline/games/chess/fen.js';
import type { ChessBoard } from '../../pipeline/games/chess/rules.js';
import { type Castling, rightsOf } from './lichess-castling.js';
import { asked } from './problems.js';

export interface ClockedBoard {
  readonly board: ChessBoard;
  /** Plies since the last zeroing move. */
  readonly clock: number;
  /** Which castlings may still be made, now or later. */
  readonly rights: readonly Castling[];
}

/** All men that a board can have: positions that no table holds are answered, too. */
const MOST_MEN = 32;
const DEFAULTS = ['', 'w', '-', '-', '0', '1'];

/** Throws HttpProblem 400 for what is malformed or illegal. */
export function readLichessFen(text: string): ClockedBoard {
  const given = text.replaceAll('_', ' ').trim().split(/\s+/);
  const fields = [...given, ...DEFAULTS.slice(given.length)];
  const castling = fields[2]!;
  const withoutCastling = /^K?Q?k?q?$/.test(castling) ? fields.with(2, '-') : fields;
  const board = asked(() => readBoard(withoutCastling));
  return { board, clock: Number(fields[4]), rights: rightsOf(board, castling) };
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
