/** Boards that are the same up to the symmetries of the board. */
import { formatFen } from '../../../../../pipeline/games/chess/fen.js';
import type { ChessBoard } from '../../../../../pipeline/games/chess/rules.js';

/** FENs of a board and its images: eight without pawns, two (left to right) with them. No right to capture en passant is kept. */
export function imagesOf({ squares, side }: ChessBoard, symmetries: 2 | 8 = 8): string[] {
  return Array.from({ length: symmetries }, (_, symmetry) => {
    const turned = new Int8Array(64);
    for (let square = 0; square < 64; square++) {
      const [file, rank] = [(square & 7) ^ (symmetry & 1 ? 7 : 0), (square >> 3) ^ (symmetry & 2 ? 7 : 0)];
      turned[symmetry & 4 ? file * 8 + rank : rank * 8 + file] = squares[square];
    }
    return formatFen({ squares: turned, side });
  });
}
