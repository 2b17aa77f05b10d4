/**
 * Castling, which no table knows: rights that are left after a move, and the moves themselves. The public Lichess tablebase API
 * answers for positions with rights to castle, too: `unknown`, and moves as far as they end the rights.
 */
import type { Move } from '../../pipeline/contract/game.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import type { Castling } from '../../pipeline/games/chess/fen.js';
import { type ChessBoard, inCheck, squareName } from '../../pipeline/games/chess/rules.js';

/** Castlings by their letters in FEN. Squares are rank * 8 + file. */
const CASTLINGS = {
  K: { side: 0, king: [4, 6], rook: [7, 5], between: [5, 6], san: 'O-O' },
  Q: { side: 0, king: [4, 2], rook: [0, 3], between: [1, 2, 3], san: 'O-O-O' },
  k: { side: 1, king: [60, 62], rook: [63, 61], between: [61, 62], san: 'O-O' },
  q: { side: 1, king: [60, 58], rook: [56, 59], between: [57, 58, 59], san: 'O-O-O' },
} as const satisfies Record<Castling, object>;

/** Rights that are left when a man moves from or to these squares, as in "e1g1". */
export function rightsAfter(rights: readonly Castling[], uci: string): Castling[] {
  const touched = [uci.slice(0, 2), uci.slice(2, 4)];
  return rights.filter((letter) => {
    const { king, rook } = CASTLINGS[letter];
    return !touched.includes(squareName(king[0])) && !touched.includes(squareName(rook[0]));
  });
}

/** The legal castlings: nothing stands between, and the king is not, does not get and does not pass in check. */
export function castlingMoves(board: ChessBoard, rights: readonly Castling[]): Move<ChessBoard>[] {
  const { squares, side } = board;
  return rights.flatMap((letter) => {
    const { side: whose, king, rook, between, san } = CASTLINGS[letter];
    if (whose !== side || between.some((square) => squares[square] !== 0)) return [];
    const passed = (king[0] + king[1]) / 2;
    const isAttacked = [king[0], passed, king[1]].some((square) => {
      const there = squares.slice();
      there[king[0]] = 0;
      there[square] = squares[king[0]];
      return inCheck(there, side);
    });
    if (isAttacked) return [];
    const after = squares.slice();
    for (const [from, to] of [king, rook]) {
      after[to] = squares[from];
      after[from] = 0;
    }
    const then: ChessBoard = { squares: after, side: side === 0 ? 1 : 0 };
    const check = inCheck(after, then.side) ? (chess.terminal(then) === 'lost' ? '#' : '+') : '';
    return [{ uci: squareName(king[0]) + squareName(king[1]), san: san + check, board: then }];
  });
}
