import { PAIR_BLACK, PAIR_WHITE } from '../../../../../pipeline/games/chess/geometry.js';
import { placeMen, type Space, spaceOf } from '../../../../../pipeline/games/chess/index-space.js';

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
  /** Squares that each man may go to without leaving its king in check; written by `restrict`. */
  readonly allowedLow: Int32Array;
  readonly allowedHigh: Int32Array;
  /** The occupied squares; written by `restrict`. */
  occupiedLow: number;
  occupiedHigh: number;
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
    allowedLow: new Int32Array(8),
    allowedHigh: new Int32Array(8),
    occupiedLow: 0,
    occupiedHigh: 0,
  };
}

/** Decodes a key: kings, squares of the men, rank. The board is left as it is. */
export function load(w: Workspace, part: number, key: number): void {
  const { space } = w;
  const pairInPart = Math.floor(key / space.placements);
  w.pair = part * space.pairsPerPart + pairInPart;
  w.white = PAIR_WHITE[w.pair];
  w.black = PAIR_BLACK[w.pair];
  w.rank = key - pairInPart * space.placements;
  placeMen(space, w.rank, w.squares);
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
