import { formatFen } from '../../../pipeline/games/chess/fen.js';
import {
  type ChessBoard,
  inCheck,
  isCapture,
  legalMoves,
  PAWN,
  play,
} from '../../../pipeline/games/chess/rules.js';

/**
 * The 50-move rule as it is played (Koistinen 2001, g50). A counter has the plies that are left; it is full again after a
 * capture or move of a pawn. At 0 the game is a draw, unless the last move mates. Returns the sure result of the side to move
 * with a full counter of `rule` plies: 1 a win, -1 a loss, 0 a draw. For a few positions and a small rule only.
 */
export function playedUnder(rule: number): (board: ChessBoard) => -1 | 0 | 1 {
  const known = new Map<string, boolean>();

  function remember(what: string, board: ChessBoard, left: number, find: () => boolean): boolean {
    const key = `${what} ${left} ${formatFen(board)}`;
    let found = known.get(key);
    if (found === undefined) known.set(key, (found = find()));
    return found;
  }

  function* after(board: ChessBoard, left: number): Generator<[ChessBoard, number]> {
    for (const step of legalMoves(board)) {
      const isZeroing = isCapture(board, step) || Math.abs(board.squares[step.from]) === PAWN;
      yield [play(board, step), isZeroing ? rule : left - 1];
    }
  }

  function wins(board: ChessBoard, left: number): boolean {
    return remember('wins', board, left, () => {
      if (left > 0) for (const [next, leftThen] of after(board, left)) if (loses(next, leftThen)) return true;
      return false;
    });
  }

  function loses(board: ChessBoard, left: number): boolean {
    return remember('loses', board, left, () => {
      const canMove = legalMoves(board).length > 0;
      if (!canMove || left === 0) return !canMove && inCheck(board.squares, board.side);
      for (const [next, leftThen] of after(board, left)) if (!wins(next, leftThen)) return false;
      return true;
    });
  }

  return (board) => {
    if (wins(board, rule)) return 1;
    return loses(board, rule) ? -1 : 0;
  };
}
