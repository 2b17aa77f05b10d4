/** Positions as PDN FEN, such as `B:W18,K24:B1,K3`: side to move, then the pieces of each colour, K before kings. */
import { isCrowning, type Position } from './rules.js';

const LETTERS = { B: 'black', W: 'white' } as const;
const SIGNS = { B: 1, W: -1 } as const;

/** @throws Error if the text is no position: squares off the board or used twice, men where they would be kings. */
export function parseFen(fen: string): Position {
  const match = /^([BW]):([BW])([K\d,]*):([BW])([K\d,]*)\.?$/.exec(fen);
  if (!match || match[2] === match[4]) throw new Error(`${fen} is no FEN of draughts`);
  const [, side, first, firstPieces, second, secondPieces] = match;
  const squares = new Int8Array(33);
  const put = (colour: keyof typeof SIGNS, pieces: string): void => {
    if (pieces === '') return;
    for (const word of pieces.split(',')) {
      const found = /^(K?)([1-9]\d?)$/.exec(word);
      const square = Number(found?.[2]);
      const piece = SIGNS[colour] * (found?.[1] ? 2 : 1);
      if (!found || square > 32) throw new Error(`${fen}: "${word}" is no piece on a square of 1 to 32`);
      if (squares[square] !== 0) throw new Error(`${fen}: two pieces on ${square}`);
      if (isCrowning(piece, square)) throw new Error(`${fen}: a man on ${square} would be a king`);
      squares[square] = piece;
    }
  };
  put(first as keyof typeof SIGNS, firstPieces);
  put(second as keyof typeof SIGNS, secondPieces);
  return { side: LETTERS[side as keyof typeof LETTERS], squares };
}

/** The one way that we write a position: White's pieces first, squares of each colour ascending. */
export function formatFen({ side, squares }: Position): string {
  const group = (sign: number): string => {
    const words: string[] = [];
    for (let square = 1; square <= 32; square++) {
      const piece = sign * squares[square];
      if (piece > 0) words.push(piece === 2 ? `K${square}` : `${square}`);
    }
    return words.join();
  };
  return `${side === 'black' ? 'B' : 'W'}:W${group(-1)}:B${group(1)}`;
}
