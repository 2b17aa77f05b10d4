import type { Move } from '../../game.js';
import { type ChessBoard, inCheck, LETTERS, legalMoves, play, type Step, terminal } from './rules.js';

export function squareName(square: number): string {
  return 'abcdefgh'[square & 7] + String((square >> 3) + 1);
}

/** File, rank or both of a move's origin, as far as needed to tell it from other moves of like men to its square. */
function origin(board: ChessBoard, step: Step, all: readonly Step[]): string {
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

/** The legal moves with their names in UCI ("d1d7") and standard algebraic notation ("Qxd7#"). */
export function namedMoves(board: ChessBoard): Move<ChessBoard>[] {
  const steps = legalMoves(board);
  return steps.map((step) => {
    const after = play(board, step);
    const takes = board.squares[step.to] !== 0 ? 'x' : '';
    const letter = LETTERS[Math.abs(board.squares[step.from])];
    let suffix = '';
    if (inCheck(after.squares, after.side)) suffix = terminal(after) === 'lost' ? '#' : '+';
    return {
      uci: squareName(step.from) + squareName(step.to),
      san: letter + origin(board, step, steps) + takes + squareName(step.to) + suffix,
      board: after,
    };
  });
}
