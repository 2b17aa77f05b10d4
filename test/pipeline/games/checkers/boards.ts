/** Boards of the product and positions of the oracle, one made from the other; square by square, and by neither's FEN. */
import type { Address, Side } from '../../../../pipeline/game/game.js';
import type { CheckersBoard } from '../../../../pipeline/games/checkers/fen.js';
import {
  BLACK_KING,
  BLACK_MAN,
  type Position,
  WHITE_KING,
  WHITE_MAN,
} from '../../../oracle/checkers/rules.js';

/** Figure 9 of Lake, Schaeffer & Lu 1994 from PDN's numbers: both begin on Black's back rank, from opposite sides. */
export function figure9(pdn: number): number {
  const rank = Math.floor((pdn - 1) / 4);
  const fromTheRight = (pdn - 1) % 4;
  return 4 * rank + 3 - fromTheRight;
}

export function toBoard({ side, squares }: Position): CheckersBoard {
  const sets = { [BLACK_MAN]: 0, [BLACK_KING]: 0, [WHITE_MAN]: 0, [WHITE_KING]: 0 };
  for (let pdn = 1; pdn <= 32; pdn++) {
    if (squares[pdn] !== 0) sets[squares[pdn] as keyof typeof sets] |= 1 << figure9(pdn);
  }
  return {
    blackMen: sets[BLACK_MAN],
    blackKings: sets[BLACK_KING],
    whiteMen: sets[WHITE_MAN],
    whiteKings: sets[WHITE_KING],
    side: side === 'black' ? 0 : 1,
  };
}

/** Throws if two pieces stand on a square. */
export function toPosition({ blackMen, blackKings, whiteMen, whiteKings, side }: CheckersBoard): Position {
  const squares = new Int8Array(33);
  const put = (set: number, piece: number): void => {
    for (let pdn = 1; pdn <= 32; pdn++) {
      if ((set & (1 << figure9(pdn))) === 0) continue;
      if (squares[pdn] !== 0) throw new Error(`two pieces stand on ${pdn}`);
      squares[pdn] = piece;
    }
  };
  put(blackMen, BLACK_MAN);
  put(blackKings, BLACK_KING);
  put(whiteMen, WHITE_MAN);
  put(whiteKings, WHITE_KING);
  return { side: side === 0 ? 'black' : 'white', squares };
}

/** A board as text that no other board has. */
export function boardKey({ blackMen, blackKings, whiteMen, whiteKings, side }: CheckersBoard): string {
  return `${blackMen | 0} ${blackKings | 0} ${whiteMen | 0} ${whiteKings | 0} ${side}`;
}

export function addressKey({ slice, side, part, key }: Address): string {
  return `${slice} ${side} ${part} ${key}`;
}

export const SIDES: readonly Side[] = [0, 1];
