/** Places where the oracle keeps the values of boards: by the men of the board and their squares. */
import { illegality } from '../../pipeline/games/chess/fen.js';
import { type ChessBoard, PAWN } from '../../pipeline/games/chess/rules.js';

/** The men of a board in a fixed order: white king, black king, the others by their numbers. */
export function menOf(squares: Int8Array): number[] {
  const others = Array.from(squares).filter((man) => man !== 0 && man !== 1 && man !== -1);
  return [1, -1, ...others.sort((a, b) => a - b)];
}

/**
 * Weights by man. Men of a kind weigh more than a side can have of all weaker kinds, and a man of any kind weighs more than
 * that. So the side with more men weighs more, then that with more queens, rooks, bishops, knights, pawns.
 */
const COUNTS = [0, 0, ...[4, 3, 2, 1, 0].map((kind) => 8 ** 6 + 8 ** kind)];
const BLACK = 2 ** 24;

/** The men of both sides as one number: the weights of white men, times 2^24, plus those of black men. */
export function materialOf(squares: Int8Array): number {
  let white = 0;
  let black = 0;
  for (let square = 0; square < 64; square++) {
    const man = squares[square];
    if (man > 0) white += COUNTS[man];
    else if (man < 0) black += COUNTS[-man];
  }
  return white * BLACK + black;
}

/** The board with the stronger side white: the same board, or that with the colours exchanged. */
export function strongerFirst(board: ChessBoard): ChessBoard {
  const material = materialOf(board.squares);
  if (Math.floor(material / BLACK) >= material % BLACK) return board;
  const squares = board.squares.map((_, square) => -board.squares[square ^ 56]);
  const side = board.side === 0 ? 1 : 0;
  return board.passant === undefined ? { squares, side } : { squares, side, passant: board.passant ^ 56 };
}

function mirrored(symmetry: number, square: number): number {
  let file = square & 7;
  let rank = square >> 3;
  if (symmetry & 1) file = 7 - file;
  if (symmetry & 2) rank = 7 - rank;
  return symmetry & 4 ? file * 8 + rank : rank * 8 + file;
}

const SYMMETRIES = Array.from({ length: 8 }, (_, symmetry) =>
  Array.from({ length: 64 }, (_, square) => mirrored(symmetry, square)),
);

/** The symmetries of an ending, the identity first: with pawns files alone may be mirrored. */
function symmetriesOf(men: readonly number[]): number[][] {
  return men.some((man) => Math.abs(man) === PAWN) ? SYMMETRIES.slice(0, 2) : SYMMETRIES;
}

/** The placements of the men of one ending. */
export interface OraclePlacements {
  readonly men: readonly number[];
  /** Addresses are below this. */
  readonly size: number;
  /** Side to move and the squares of the men, like men in ascending order, as digits to the base 64. */
  addressOf(board: ChessBoard): number;
  /** The board at an address, without an en-passant right. */
  boardAt(address: number): ChessBoard;
  /** The addresses of a board and of all that are symmetric to it, some perhaps more than once; its own first. */
  orbit(board: ChessBoard): number[];
  /** The least address of every orbit of legal boards. */
  representatives(): number[];
}

export function placementsOf(men: readonly number[]): OraclePlacements {
  const symmetries = symmetriesOf(men);
  const firstOf = men.map((man) => men.indexOf(man));
  /** First slot of each kind, by man + 6. */
  const slotOf = Uint8Array.from({ length: 13 }, (_, i) => Math.max(0, men.indexOf(i - 6)));
  const next = new Uint8Array(13);
  const places = new Uint8Array(men.length);
  const moved = new Uint8Array(men.length);

  /** The place of the men on `places`, after a symmetry. */
  function addressUnder(map: readonly number[], side: number): number {
    let address = side;
    for (let slot = 0; slot < men.length; slot++) {
      const square = map[places[slot]];
      // Like men stand next to each other in the order of men: they are sorted by insertion.
      let at = slot;
      for (; at > firstOf[slot] && moved[at - 1] > square; at--) moved[at] = moved[at - 1];
      moved[at] = square;
    }
    for (let slot = 0; slot < men.length; slot++) address = address * 64 + moved[slot];
    return address;
  }

  function place(squares: Int8Array): void {
    next.set(slotOf);
    for (let square = 0; square < 64; square++) {
      if (squares[square] !== 0) places[next[squares[square] + 6]++] = square;
    }
  }

  /** Adds the representatives in which the men before `slot` stand as they do. */
  function visit(slot: number, squares: Int8Array, found: number[]): void {
    if (slot === men.length) {
      for (const side of [0, 1] as const) {
        const own = addressUnder(SYMMETRIES[0], side);
        if (symmetries.some((map) => addressUnder(map, side) < own)) continue;
        if (illegality({ squares, side }) === null) found.push(own);
      }
      return;
    }
    for (let square = firstOf[slot] < slot ? places[slot - 1] + 1 : 0; square < 64; square++) {
      if (squares[square] !== 0) continue;
      // The square of the white king alone decides most comparisons of addresses.
      if (slot === 0 && symmetries.some((map) => map[square] < square)) continue;
      squares[square] = men[slot];
      places[slot] = square;
      visit(slot + 1, squares, found);
      squares[square] = 0;
    }
  }

  return {
    men,
    size: 2 * 64 ** men.length,
    addressOf({ squares, side }) {
      place(squares);
      return addressUnder(SYMMETRIES[0], side);
    },
    boardAt(address) {
      const squares = new Int8Array(64);
      for (let slot = men.length - 1; slot >= 0; slot--) {
        squares[address % 64] = men[slot];
        address = Math.floor(address / 64);
      }
      return { squares, side: address === 0 ? 0 : 1 };
    },
    orbit({ squares, side }) {
      place(squares);
      return symmetries.map((map) => addressUnder(map, side));
    },
    representatives() {
      const found: number[] = [];
      visit(0, new Int8Array(64), found);
      return found;
    },
  };
}
