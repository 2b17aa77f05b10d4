/** Moves as UCI writes them, with castling and that of Chess960. */
import { UserError } from '../../../operators/core/errors.js';
import { castlings, playCastling, rightsAfter } from './castling.js';
import { type ChessBoard, LETTERS, legalMoves, play, squareName } from './rules.js';

/** A board, and the rooks with which castling is still allowed. */
export interface Placed {
  readonly board: ChessBoard;
  readonly rooks: readonly number[];
}

const MOVE = /^([a-h][1-8])([a-h][1-8])([qrbn]?)$/i;

/** Throws UserError if the move is not legal. */
export function playUci({ board, rooks }: Placed, move: string): Placed {
  const [, from, to, letter] = MOVE.exec(move) ?? [];
  if (from === undefined)
    throw new UserError(`${JSON.stringify(move)} is not a move as UCI writes it (h1a8, e7e8q)`);
  const castling = castlings(board, rooks).find(
    (each) =>
      squareName(each.from) === from.toLowerCase() &&
      [each.uci.slice(2), squareName(each.rook)].includes(to.toLowerCase()),
  );
  if (castling !== undefined && letter === '')
    return {
      board: playCastling(board, castling),
      rooks: rightsAfter(rooks, board.squares, castling.from, castling.from),
    };
  const step = legalMoves(board).find(
    (each) =>
      squareName(each.from) === from.toLowerCase() &&
      squareName(each.to) === to.toLowerCase() &&
      (each.promotion === undefined ? '' : LETTERS[each.promotion]) === letter.toUpperCase(),
  );
  if (step === undefined) throw new UserError(`${move} is not a legal move`);
  return { board: play(board, step), rooks: rightsAfter(rooks, board.squares, step.from, step.to) };
}
