import type { Move } from '../../game/game.js';
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

/** The legal moves of men like the one that moves to its square. */
function rivalsOf(board: ChessBoard, step: CoordinateMove): CoordinateMove[] {
  const { squares } = board;
  const man = squares[step.from];
  return legalMoves(
    board,
    (_, to) => to === step.to,
    (from) => squares[from] === man,
  );
}

/** A move in standard algebraic notation. @param all the legal moves, or at least those of like men to its square. */
export function sanOf(
  board: ChessBoard,
  step: CoordinateMove,
  all: readonly CoordinateMove[] = rivalsOf(board, step),
  after: ChessBoard = play(board, step),
): string {
  const takes = isCapture(board, step) ? 'x' : '';
  const becomes = step.promotion === undefined ? '' : `=${LETTERS[step.promotion]}`;
  return moverOf(board, step, all) + takes + squareName(step.to) + becomes + checkMark(after);
}

/**
 * The legal moves with their names in UCI ("d1d7", "e7e8q") and standard algebraic notation ("Qxd7#", "e8=Q+", "exd6"
 * also en passant).
 */
export function namedMoves(board: ChessBoard): Move<ChessBoard>[] {
  const steps = legalMoves(board);
  return steps.map((step) => {
    const after = play(board, step);
    const becomes = step.promotion === undefined ? '' : LETTERS[step.promotion].toLowerCase();
    return {
      uci: squareName(step.from) + squareName(step.to) + becomes,
      san: sanOf(board, step, steps, after),
      board: after,
    };
  });
}

/** "+", "#" or nothing, for the side that is to move. */
export function checkMark(board: ChessBoard): string {
  if (!inCheck(board.squares, board.side)) return '';
  return terminal(board) === 'lost' ? '#' : '+';
}
