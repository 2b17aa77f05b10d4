/**
 * The men of a material on a board, and their legal moves: a second opinion on the rules, for the millions of positions of a
 * file. Nothing is shared with rules.ts, which people's boards go by.
 */
import type { Side } from '../../../../game.js';
import { BLACK, type Material, PAWN } from '../material.js';
import { attacks, LINES } from './attacks.js';

/** The square of a captured man. */
export const OFF_BOARD = 64;
const KING = 6;
/** What a pawn becomes. */
export const PROMOTIONS = [5, 4, 3, 2] as const;

/**
 * Shown while the move is made: the man that moved, the man it captured or -1, the kind that a pawn became or 0; whether the
 * pawn has stepped past a pawn of the other side, which may capture it en passant.
 */
export type ShowMove = (man: number, captured: number, promotion: number, passed: boolean) => void;

export interface Position {
  /** By number of man; 64 of one that was captured. */
  readonly squares: Uint8Array;
  /** Puts the men on these squares. */
  place(squares: Uint8Array): void;
  /** Whether the kings stand apart and the side that is not to move is not in check. */
  isLegal(side: Side): boolean;
  inCheck(side: Side): boolean;
  /** Shows every legal move of a side; `capturesOnly`: captures alone. Returns how many there are. */
  moves(side: Side, capturesOnly: boolean, show: ShowMove): number;
  /** Shows the captures of a pawn that has just stepped past others. Returns how many there are. */
  passing(pawn: number, show: ShowMove): number;
}

export function newPosition({ men }: Material): Position {
  const squares = new Uint8Array(men.length);
  const board = new Int8Array(64).fill(-1);
  const sideOf = men.map((code): Side => (code > BLACK ? 1 : 0));
  const mine = ([0, 1] as const).map((side) => [...men.keys()].filter((man) => sideOf[man] === side));
  const pawns = mine.map((own) => own.filter((man) => (men[man] & 7) === PAWN));
  let shown: ShowMove = () => {};
  let count = 0;

  function inCheck(side: Side): boolean {
    const king = squares[side];
    for (const man of mine[1 - side]) {
      if (squares[man] !== OFF_BOARD && attacks(board, men[man], squares[man], king)) return true;
    }
    return false;
  }

  /** Makes the move, shows it if it is legal, and takes it back. `at`: where the captured man stands. */
  function attempt(man: number, to: number, captured: number, passed: boolean, at = to): void {
    const from = squares[man];
    board[from] = -1;
    if (captured >= 0) {
      board[at] = -1;
      squares[captured] = OFF_BOARD;
    }
    board[to] = man;
    squares[man] = to;
    if (!inCheck(sideOf[man])) {
      const promotes = (men[man] & 7) === PAWN && (to < 8 || to > 55);
      count += promotes ? PROMOTIONS.length : 1;
      if (promotes) for (const kind of PROMOTIONS) shown(man, captured, kind, false);
      else shown(man, captured, 0, passed);
    }
    board[to] = -1;
    squares[man] = from;
    if (captured >= 0) {
      board[at] = captured;
      squares[captured] = at;
    }
    board[from] = man;
  }

  function pawnMoves(man: number, side: Side, capturesOnly: boolean): void {
    const from = squares[man];
    const ahead = side === 0 ? 8 : -8;
    for (const aside of [-1, 1]) {
      const file = (from & 7) + aside;
      if (file < 0 || file > 7) continue;
      const to = from + ahead + aside;
      const there = board[to];
      if (there >= 0 && sideOf[there] !== side) attempt(man, to, there, false);
    }
    if (capturesOnly || board[from + ahead] >= 0) return;
    attempt(man, from + ahead, -1, false);
    const isFirst = from >> 3 === (side === 0 ? 1 : 6);
    const far = from + 2 * ahead;
    if (!isFirst || board[far] >= 0) return;
    const beside = (other: number) =>
      squares[other] >> 3 === far >> 3 && Math.abs((squares[other] & 7) - (far & 7)) === 1;
    attempt(man, far, -1, pawns[1 - side].some(beside));
  }

  /** What `run` attempts is shown to `show`, also while a move is being shown. Returns how many moves there were. */
  function showing(show: ShowMove, run: () => void): number {
    const [shownBefore, countBefore] = [shown, count];
    shown = show;
    count = 0;
    run();
    const found = count;
    shown = shownBefore;
    count = countBefore;
    return found;
  }

  function pieceMoves(man: number, side: Side, capturesOnly: boolean): void {
    for (const line of LINES[men[man] & 7][squares[man]]) {
      for (const to of line) {
        const there = board[to];
        if (there >= 0) {
          if (sideOf[there] !== side) attempt(man, to, there, false);
          break;
        }
        if (!capturesOnly) attempt(man, to, -1, false);
      }
    }
  }

  return {
    squares,
    inCheck,
    place(from) {
      for (let man = 0; man < men.length; man++) if (squares[man] !== OFF_BOARD) board[squares[man]] = -1;
      squares.set(from);
      for (let man = 0; man < men.length; man++) board[squares[man]] = man;
    },
    isLegal(side) {
      return !attacks(board, KING, squares[0], squares[1]) && !inCheck(side === 0 ? 1 : 0);
    },
    moves(side, capturesOnly, show) {
      return showing(show, () => {
        for (const man of mine[side]) {
          if (squares[man] === OFF_BOARD) continue;
          if ((men[man] & 7) === PAWN) pawnMoves(man, side, capturesOnly);
          else pieceMoves(man, side, capturesOnly);
        }
      });
    },
    passing(pawn, show) {
      return showing(show, () => {
        const at = squares[pawn];
        const side = sideOf[pawn];
        for (const man of pawns[1 - side]) {
          if (squares[man] >> 3 !== at >> 3 || Math.abs((squares[man] & 7) - (at & 7)) !== 1) continue;
          attempt(man, at + (side === 0 ? -8 : 8), pawn, false, at);
        }
      });
    },
  };
}
