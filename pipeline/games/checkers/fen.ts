/** Positions in PDN's FEN: "B:W18,K24:B1,K3". Squares are 1 to 32, 1 to 4 on Black's side of the board. */
import { UserError } from '../../../operators/core/errors.js';
import type { Side } from '../../game/game.js';
import { UntabledError } from '../../game/untabled.js';
import { MOST_PIECES } from './classes.js';
import { LAST_RANK, popcount } from './squares.js';

/** Sets of squares as Black sees them (squares.ts). `side`: 0 if Black is to move. */
export interface CheckersBoard {
  readonly blackMen: number;
  readonly blackKings: number;
  readonly whiteMen: number;
  readonly whiteKings: number;
  readonly side: Side;
}

/** PDN counts the squares of a rank from the other side than figure 9 of the 1994 paper. */
export function squareOf(pdn: number): number {
  return (pdn - 1) ^ 3;
}
export function pdnOf(square: number): number {
  return (square ^ 3) + 1;
}

function fail(text: string, what: string): never {
  throw new UserError(`FEN ${JSON.stringify(text)}: ${what}`);
}

/** Reads a position that tables may have. Throws UserError as {@link readBoard}, and UntabledError. */
export function parseFen(text: string): CheckersBoard {
  const board = readBoard(text);
  const pieces = popcount(board.blackMen | board.blackKings | board.whiteMen | board.whiteKings);
  if (pieces > MOST_PIECES)
    throw new UntabledError(
      `FEN ${JSON.stringify(text)}: no table has ${pieces} pieces, at most ${MOST_PIECES} are supported`,
    );
  return board;
}

/** A square, a king's square, or all squares from one to another: "18", "K24", "21-32", "K28-31", "K28-K31". */
const PIECES = /^(K?)(\d{1,2})(?:-(K?)(\d{1,2}))?$/i;

/** Counters that other programs put behind the pieces: of moves without a capture or a man's move, and of moves of the game. */
const COUNTER = /^[HF]\d{1,6}$/i;

/** The fields of a position without its counters, which decide nothing here: each of them may be there once, behind the pieces. */
export function fieldsOf(text: string): string[] {
  const fields = text.replace(/\s+/g, '').replace(/\.$/, '').split(':');
  const names = new Set<string>();
  for (let last = fields.at(-1)!; fields.length > 3 && COUNTER.test(last); last = fields.at(-1)!) {
    const [name] = last.toUpperCase();
    if (names.has(name)) break;
    names.add(name);
    fields.pop();
  }
  return fields;
}

/**
 * Reads a position; letters may be small, and spaces stand between fields and pieces. Counters behind the pieces, as in
 * "W:WK29:BK4:H0:F1", are passed over. Throws UserError that says what is malformed, or
 * what no position of the game can have.
 */
export function readBoard(text: string): CheckersBoard {
  const fields = fieldsOf(text);
  if (fields.length !== 3) {
    fail(text, 'expected the side to move and the pieces of both colours, such as B:W18,K24:B1,K3');
  }
  const [given, ...groups] = fields;
  const mover = given.toUpperCase();
  if (mover !== 'B' && mover !== 'W') fail(text, `side to move is ${JSON.stringify(given)}, expected B or W`);
  const sets = { W: { men: 0, kings: 0 }, B: { men: 0, kings: 0 } };
  const seen = new Set<string>();
  let occupied = 0;
  for (const group of groups) {
    const colour = group.slice(0, 1).toUpperCase();
    if (colour !== 'W' && colour !== 'B') {
      fail(text, `pieces ${JSON.stringify(group)} begin with neither W nor B`);
    }
    if (seen.has(colour)) fail(text, `the pieces of ${colour} are given twice`);
    seen.add(colour);
    for (const piece of group.length === 1 ? [] : group.slice(1).split(',')) {
      const [first, last, isKing] = squaresOf(text, piece);
      for (let pdn = first; pdn <= last; pdn++) {
        const bit = 1 << squareOf(pdn);
        if ((occupied & bit) !== 0) fail(text, `square ${pdn} has two pieces`);
        occupied |= bit;
        if (isKing) sets[colour].kings |= bit;
        else sets[colour].men |= bit;
      }
    }
  }
  if ((sets.B.men & LAST_RANK) !== 0)
    fail(text, 'a black man stands where it would have been crowned (29 to 32)');
  if ((sets.W.men & 0xf) !== 0) fail(text, 'a white man stands where it would have been crowned (1 to 4)');
  const side = mover === 'B' ? 0 : 1;
  const other = side === 0 ? sets.W : sets.B;
  if ((other.men | other.kings) === 0) {
    fail(text, `${side === 0 ? 'White' : 'Black'} has no pieces and is not to move: the game is over`);
  }
  return {
    blackMen: sets.B.men,
    blackKings: sets.B.kings,
    whiteMen: sets.W.men,
    whiteKings: sets.W.kings,
    side,
  };
}

/** The first and the last of the squares that a field names, and whether kings stand there. */
function squaresOf(text: string, piece: string): readonly [number, number, boolean] {
  const [, king, from, otherKing = '', to = from] = PIECES.exec(piece) ?? [];
  if (from === undefined) {
    fail(
      text,
      `${JSON.stringify(piece)} is not a piece (expected a square, K and a square, or a range such as 21-32)`,
    );
  }
  const [first, last] = [Number(from), Number(to)];
  for (const pdn of [first, last]) if (pdn < 1 || pdn > 32) fail(text, `there is no square ${pdn}`);
  if (last < first) fail(text, `the range ${piece} runs backwards`);
  if (otherKing !== '' && king === '')
    fail(text, `the range ${piece} is of men at one end and of kings at the other`);
  return [first, last, king !== ''];
}

/** Pieces of each colour by ascending square, White's first. */
export function formatFen({ blackMen, blackKings, whiteMen, whiteKings, side }: CheckersBoard): string {
  const list = (men: number, kings: number): string => {
    const pieces: string[] = [];
    for (let pdn = 1; pdn <= 32; pdn++) {
      const bit = 1 << squareOf(pdn);
      if ((men & bit) !== 0) pieces.push(String(pdn));
      else if ((kings & bit) !== 0) pieces.push(`K${pdn}`);
    }
    return pieces.join(',');
  };
  return `${side === 0 ? 'B' : 'W'}:W${list(whiteMen, whiteKings)}:B${list(blackMen, blackKings)}`;
}

/** The board as text, Black at the top, as diagrams of checkers show it; men are b and w, kings B and W. */
export function diagram({ blackMen, blackKings, whiteMen, whiteKings }: CheckersBoard): string {
  let text = '';
  for (let row = 0; row < 8; row++) {
    const squares = Array.from({ length: 4 }, (_, i) => {
      const bit = 1 << squareOf(4 * row + i + 1);
      if ((blackMen & bit) !== 0) return 'b';
      if ((blackKings & bit) !== 0) return 'B';
      if ((whiteMen & bit) !== 0) return 'w';
      return (whiteKings & bit) !== 0 ? 'W' : '.';
    });
    const cells = squares.flatMap((square) => (row % 2 === 0 ? [' ', square] : [square, ' ']));
    text += `${String(4 * row + 1).padStart(2)}  ${cells.join(' ')}  ${4 * row + 4}\n`;
  }
  return text;
}
