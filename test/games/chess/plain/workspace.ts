import { PAIR_BLACK, PAIR_WHITE } from '../../../../pipeline/games/chess/geometry.js';
import { type Space, spaceOf, squareSets } from '../../../../pipeline/games/chess/index-space.js';

/** The position under a kernel's hands. One object shape for all endings keeps the kernels monomorphic. */
export interface Workspace {
  readonly space: Space;
  /** Squares of the men besides the kings. */
  readonly squares: Uint8Array;
  /** 64 squares: 0 free, 1 + side a man of that side. All free between positions. */
  readonly board: Uint8Array;
  pair: number;
  white: number;
  black: number;
  /** Rank of the placement: key = pairBase[pair] + rank. */
  rank: number;
  /** The part and the leading digits last decoded: keys ascend, so they seldom change. */
  part: number;
  leading: number;
  leadingRank: number;
  /** Squares that each man may go to without leaving its king in check; written by `restrict`. */
  readonly allowedLow: Int32Array;
  readonly allowedHigh: Int32Array;
  /** The occupied squares; written by `restrict`. */
  occupiedLow: number;
  occupiedHigh: number;
  /** 64 places for the digits a man of a group of three or more can make. */
  readonly digits: Int32Array;
  /** Product of the leading (composite) digits' radices. */
  readonly leadingRadix: number;
  readonly sets: readonly Int32Array[];
}

export function createWorkspace(name: string): Workspace {
  const space = spaceOf(name);
  return {
    space,
    squares: new Uint8Array(8),
    board: new Uint8Array(64),
    pair: 0,
    white: 0,
    black: 0,
    rank: 0,
    part: -1,
    leading: -1,
    leadingRank: 0,
    allowedLow: new Int32Array(8),
    allowedHigh: new Int32Array(8),
    occupiedLow: 0,
    occupiedHigh: 0,
    digits: new Int32Array(64),
    leadingRadix: space.placements >> space.singleBits,
    sets: space.groups.slice(0, space.composite).map((group) => squareSets(group.count)),
  };
}

/** Decodes a key: kings, squares of the men, rank. The board is left as it is. */
export function load(w: Workspace, part: number, key: number): void {
  const space = w.space;
  const squares = w.squares;
  let rest = key >> space.singleBits;
  if (rest !== w.leading || part !== w.part) loadLeading(w, part, rest);
  w.rank = w.leadingRank | (key & ((1 << space.singleBits) - 1));
  rest = key;
  const first = space.men - ((space.singleBits / 6) | 0);
  for (let man = space.men - 1; man >= first; man--) {
    squares[man] = rest & 63;
    rest >>= 6;
  }
}

function loadLeading(w: Workspace, part: number, leading: number): void {
  const space = w.space;
  w.part = part;
  w.leading = leading;
  const pairInPart = (leading / w.leadingRadix) | 0;
  w.pair = part * space.pairsPerPart + pairInPart;
  w.white = PAIR_WHITE[w.pair];
  w.black = PAIR_BLACK[w.pair];
  let rest = leading - Math.imul(pairInPart, w.leadingRadix);
  w.leadingRank = rest << space.singleBits;
  for (let g = 0; g < space.composite; g++) {
    const stride = space.groupStride[g] >> space.singleBits;
    const digit = (rest / stride) | 0;
    rest -= Math.imul(digit, stride);
    const count = space.groupCount[g];
    let packed = w.sets[g][digit];
    for (let man = space.groupFirst[g]; man < space.groupFirst[g] + count; man++) {
      w.squares[man] = packed & 63;
      packed >>= 6;
    }
  }
}

/** Puts the loaded men and kings on the board. */
export function setBoard(w: Workspace): void {
  const { board, squares, space } = w;
  for (let man = 0; man < space.men; man++) board[squares[man]] = 1 + space.sideOf[man];
  board[w.white] = 1;
  board[w.black] = 2;
}

export function clearBoard(w: Workspace): void {
  const { board, squares, space } = w;
  for (let man = 0; man < space.men; man++) board[squares[man]] = 0;
  board[w.white] = 0;
  board[w.black] = 0;
}
