/** The positions that games begin with: these need no tag. */

export const CHESS = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
export const CHECKERS = 'B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12';

export function isFirst(fen: string): boolean {
  return fen === CHECKERS || fen === CHESS;
}
