import { type Census, Status } from '../../game.js';
import {
  type CensusScratch,
  countKing,
  countMen,
  findBroken,
  findChecks,
  OPPOSING_KING,
} from './census-row.js';
import { BIT_HIGH, BIT_LOW, PAIR_DIAGONAL, RAY_START, RAYS, REFLECTION } from './geometry.js';
import { placementRank } from './index-space.js';
import { restrict } from './legality.js';
import { load, type Workspace } from './workspace.js';

/** The `census` kernel for endings with at least one man besides the kings. */
export function census(
  w: Workspace,
  c: CensusScratch,
  side: number,
  part: number,
  first: number,
  length: number,
  out: Census,
): void {
  const { space, squares } = w;
  const lastGroup = space.groupCount.length - 1;
  const runner = space.groupFirst[lastGroup];
  const single = space.groupCount[lastGroup] === 1;
  const end = first + length;
  for (let key = first; key < end; ) {
    load(w, part, key);
    const x = squares[runner];
    const next = Math.min(end, key - x + (single ? 64 : squares[runner + 1]));
    classifyRow(w, c, side, runner, x, next - key, key - first, out);
    key = next;
  }
}

/** Classifies `count` keys from the loaded one on, whose runner stands on x, x + 1, ...; results from `at` on. */
function classifyRow(
  w: Workspace,
  c: CensusScratch,
  side: number,
  runner: number,
  x: number,
  count: number,
  at: number,
  out: Census,
): void {
  const { space, squares, board } = w;
  const king = side === 0 ? w.white : w.black;
  const otherKing = side === 0 ? w.black : w.white;
  let occupiedLow = BIT_LOW[king] | BIT_LOW[otherKing];
  let occupiedHigh = BIT_HIGH[king] | BIT_HIGH[otherKing];
  let clash = false;
  for (let man = 0; man < space.men; man++) {
    if (man === runner) continue;
    const square = squares[man];
    if ((BIT_LOW[square] & occupiedLow) | (BIT_HIGH[square] & occupiedHigh)) clash = true;
    occupiedLow |= BIT_LOW[square];
    occupiedHigh |= BIT_HIGH[square];
  }
  if (clash) {
    clearRow(at, count, out);
    return;
  }
  for (let man = 0; man < space.men; man++) {
    if (man !== runner) board[squares[man]] = 1 + space.sideOf[man];
  }
  board[king] = 1 + side;
  board[otherKing] = OPPOSING_KING;
  c.occupiedLow = occupiedLow;
  c.occupiedHigh = occupiedHigh;
  findBroken(w, c, side, runner, otherKing);
  if ((c.brokenLow & c.brokenHigh) === -1) clearRow(at, count, out);
  else {
    findChecks(w, c, side, runner, king);
    countMen(w, c, side, runner);
    countKing(w, c, side, runner, king, otherKing);
    writeRow(w, c, side, runner, x, count, at, out);
  }
  squares[runner] = x;
  for (let man = 0; man < space.men; man++) if (man !== runner) board[squares[man]] = 0;
  board[king] = 0;
  board[otherKing] = 0;
}

function clearRow(at: number, count: number, out: Census): void {
  const end = at + count;
  for (let i = at; i < end; i++) {
    out.status[i] = Status.broken;
    out.moves[i] = 0;
    out.conversions[i] = 0;
  }
}

function writeRow(
  w: Workspace,
  c: CensusScratch,
  side: number,
  runner: number,
  x: number,
  count: number,
  at: number,
  out: Census,
): void {
  const { space, squares, board } = w;
  const { kingMoves, kingTakes, menMoves, menTakes } = c;
  const { kingMovesAll, kingTakesAll, menMovesAll, menTakesAll } = c;
  const runnerMark = 1 + space.sideOf[runner];
  const symmetric = PAIR_DIAGONAL[w.pair] !== 0;
  const hasMen = space.menOf[side].length > 0;
  const slowLow = hasMen ? c.checkLow | c.pinnedLow : 0;
  const slowHigh = hasMen ? c.checkHigh | c.pinnedHigh : 0;
  const rank = w.rank - x;
  const end = x + count;
  for (let i = at; x < end; i++, x++) {
    const upper = x >= 32;
    if (((upper ? c.brokenHigh : c.brokenLow) >>> x) & 1) {
      out.status[i] = Status.broken;
      out.moves[i] = 0;
      out.conversions[i] = 0;
      continue;
    }
    if (symmetric) {
      squares[runner] = x;
      if (placementRank(space, squares, REFLECTION) < rank + x) {
        out.status[i] = Status.broken;
        out.moves[i] = 0;
        out.conversions[i] = 0;
        continue;
      }
    }
    let moves = kingMovesAll + kingMoves[x];
    let takes = kingTakesAll + kingTakes[x];
    if (((upper ? slowHigh : slowLow) >>> x) & 1) {
      squares[runner] = x;
      board[x] = runnerMark;
      const counts = restrictedCounts(w, side);
      board[x] = 0;
      moves += counts & 255;
      takes += counts >> 8;
    } else {
      moves += menMovesAll + menMoves[x];
      takes += menTakesAll + menTakes[x];
    }
    out.moves[i] = moves;
    out.conversions[i] = takes;
    if (moves + takes > 0) out.status[i] = Status.open;
    else out.status[i] = ((upper ? c.checkHigh : c.checkLow) >>> x) & 1 ? Status.lost : Status.drawn;
  }
}

/** Legal moves + 256 x legal captures of the men other than the king, one position, checks and pins minded. */
function restrictedCounts(w: Workspace, side: number): number {
  const { space, squares, board } = w;
  restrict(w, side);
  const own = space.menOf[side];
  const enemy = 2 - side;
  let moves = 0;
  let takes = 0;
  for (let i = 0; i < own.length; i++) {
    const man = own[i];
    const low = w.allowedLow[man];
    const high = w.allowedHigh[man];
    if ((low | high) === 0) continue;
    const rays = (space.kindOf[man] << 6) | squares[man];
    const end = RAY_START[rays + 1];
    for (let r = RAY_START[rays]; r < end; ) {
      const target = RAYS[r] & 63;
      const mark = board[target];
      const allowed = ((BIT_LOW[target] & low) | (BIT_HIGH[target] & high)) !== 0;
      if (mark === 0) {
        if (allowed) moves++;
        r++;
        continue;
      }
      if (mark === enemy && allowed) takes++;
      r += (RAYS[r] >> 6) & 7;
    }
  }
  return moves | (takes << 8);
}
