/** The positions that games begin with: these need no tag. */
import { START } from '../../pipeline/games/chess/fen.js';

export const CHESS = START;
export const CHECKERS = 'B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12';

export function isFirst(fen: string): boolean {
  return fen === CHECKERS || fen === CHESS;
}
