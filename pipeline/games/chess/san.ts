import type { Move } from '../../contract/game.js';
import {
  type ChessBoard,
  type CoordinateMove,
  inCheck,
  isCapture,
  LETTERS,
  legalMoves,
  PAWN,
  play,
  squareName,
  terminal,
} from './rules.js';

/** The man that moves, of pawns the file they capture from: "Q", "Qd", "", "e". */
function moverOf(board: ChessBoard, step: CoordinateMove, all: readonly CoordinateMove[]): string {
  const man = Math.abs(board.squares[step.from]);
  if (man !== PAWN) return LETTERS[man] + origin(board, step, all);
  return isCapture(board, step) ? squareName(step.from)[0] : '';
}

/** File, rank or both of a move's origin, as far as needed to tell it from other moves of like men to its square. */
function origin(board: ChessBoard, step: CoordinateMove, all: readonly CoordinateMove[]): string {
  const name = squareName(step.from);
  const rivals = all
    .filter(
      (other) =>
        other.to === step.to &&
        other.from !== step.from &&
        board.squares[other.from] === board.squares[step.from],
    )
    .map((other) => squareName(other.from));
  if (rivals.length === 0) return '';
  if (rivals.every((rival) => rival[0] !== name[0])) return name[0];
  if (rivals.every((rival) => rival[1] !== name[1])) return name[1];
  return name;
}

/**
 * The legal moves with their names in UCI ("d1d7", "e7e8q") and standard algebraic notation ("Qxd7#", "e8=Q+", "exd6"
 * also en passant).
 */
export function namedMoves(board: ChessBoard): Move<ChessBoard>[] {
  const steps = legalMoves(board);
  return steps.map((step) => {
    const after = play(board, step);
    const to = squareName(step.to);
    const takes = isCapture(board, step) ? 'x' : '';
    const becomes = step.promotion === undefined ? '' : LETTERS[step.promotion];
    let suffix = '';
    if (inCheck(after.squares, after.side)) suffix = terminal(after) === 'lost' ? '#' : '+';
    return {
      uci: squareName(step.from) + to + becomes.toLowerCase(),
      san: moverOf(board, step, steps) + takes + to + (becomes && `=${becomes}`) + suffix,
      board: after,
    };
  });
}
