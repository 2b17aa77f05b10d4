/**
 * A kernel of chess in TypeScript, which that in WebAssembly is tested and measured against: the census, a
 * position at a time.
 */
import { fillCensus } from '../../../../../pipeline/game/fill-census.js';
import { type Census, Status } from '../../../../../pipeline/game/game.js';
import {
  BIT_HIGH,
  BIT_LOW,
  Kind,
  LINE,
  RAY_START,
  RAYS,
} from '../../../../../pipeline/games/chess/geometry.js';
import { placementRank } from '../../../../../pipeline/games/chess/index-space.js';
import { kingAttackedOn, restrict } from './legality.js';
import { clearBoard, load, setBoard, type Workspace } from './workspace.js';

const BROKEN = { status: Status.broken, moves: 0, conversions: 0 };

export function census(
  w: Workspace,
  side: number,
  part: number,
  first: number,
  length: number,
  out: Census,
): void {
  fillCensus(first, length, out, (i) => {
    load(w, part, first + i);
    if (menClash(w) || isDisordered(w)) return BROKEN;
    restrict(w, 1 - side);
    if (kingAttackedOn(w, 1 - side, side === 0 ? w.black : w.white)) return BROKEN;
    const checks = restrict(w, side);
    setBoard(w);
    const found = countMen(w, side);
    countKing(w, side, found);
    clearBoard(w);
    const ended = checks > 0 ? Status.lost : Status.drawn;
    return { status: found.moves + found.conversions > 0 ? Status.open : ended, ...found };
  });
}

/** Whether two men stand on one square. */
function menClash({ space, squares, white, black }: Workspace): boolean {
  const taken = new Set([white, black, ...squares.subarray(0, space.men)]);
  return taken.size < space.men + 2;
}

/** Whether like men are not in order. */
function isDisordered({ space, squares, rank }: Workspace): boolean {
  return placementRank(space, squares, 0) !== rank;
}

interface Found {
  moves: number;
  conversions: number;
}

function countMen(w: Workspace, side: number): Found {
  const { space, squares, board, allowedLow, allowedHigh } = w;
  const found = { moves: 0, conversions: 0 };
  for (const man of space.menOf[side]) {
    const rays = (space.kindOf[man] << 6) | squares[man];
    for (let r = RAY_START[rays]; r < RAY_START[rays + 1]; ) {
      const target = RAYS[r] & 63;
      const mark = board[target];
      if ((BIT_LOW[target] & allowedLow[man]) | (BIT_HIGH[target] & allowedHigh[man])) {
        if (mark === 0) found.moves++;
        else if (mark === 2 - side) found.conversions++;
      }
      r += mark === 0 ? 1 : (RAYS[r] >> 6) & 7;
    }
  }
  return found;
}

function countKing(w: Workspace, side: number, found: Found): void {
  const king = side === 0 ? w.white : w.black;
  const other = side === 0 ? w.black : w.white;
  const rays = (Kind.king << 6) | king;
  for (let r = RAY_START[rays]; r < RAY_START[rays + 1]; r++) {
    const target = RAYS[r] & 63;
    const touches = (LINE[(target << 6) | other] & 8) !== 0;
    if (touches || w.board[target] === 1 + side || kingAttackedOn(w, side, target)) continue;
    if (w.board[target] === 0) found.moves++;
    else found.conversions++;
  }
}
