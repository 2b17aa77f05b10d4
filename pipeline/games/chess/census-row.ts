import {
  ATTACK_MASK,
  BETWEEN_HIGH,
  BETWEEN_LOW,
  BIT_HIGH,
  BIT_LOW,
  Kind,
  LINE,
  MOBILITY,
  RAY_START,
  RAYS,
} from './geometry.js';
import type { Workspace } from './workspace.js';

/**
 * The census classifies rows: the keys that differ only in the square x of one man, the *runner* (the last single man,
 * or the least of the last group). What the other men do is worked out once for the row, as counts for "the runner is
 * nowhere near" with corrections for the few x where it stands in the way, is taken, gives check or is pinned.
 */
export interface CensusScratch {
  /** Legal non-capturing moves and captures by x: of the king, and of the other men as if there were no checks. */
  readonly kingMoves: Int32Array;
  readonly kingTakes: Int32Array;
  readonly menMoves: Int32Array;
  readonly menTakes: Int32Array;
  /** Parts of these that all x share. */
  kingMovesAll: number;
  kingTakesAll: number;
  menMovesAll: number;
  menTakesAll: number;
  /** Sets of x: no legal position; side to move in check; one of its men pinned. */
  brokenLow: number;
  brokenHigh: number;
  checkLow: number;
  checkHigh: number;
  pinnedLow: number;
  pinnedHigh: number;
  /** What stands on the board besides the runner. */
  occupiedLow: number;
  occupiedHigh: number;
}

export function createCensusScratch(): CensusScratch {
  return {
    kingMoves: new Int32Array(64),
    kingTakes: new Int32Array(64),
    menMoves: new Int32Array(64),
    menTakes: new Int32Array(64),
    kingMovesAll: 0,
    kingTakesAll: 0,
    menMovesAll: 0,
    menTakesAll: 0,
    brokenLow: 0,
    brokenHigh: 0,
    checkLow: 0,
    checkHigh: 0,
    pinnedLow: 0,
    pinnedHigh: 0,
    occupiedLow: 0,
    occupiedHigh: 0,
  };
}

/** Mark of the king that cannot be taken, on boards that otherwise hold 1 + side. */
export const OPPOSING_KING = 4;

/** Broken: x is occupied, or the side to move attacks the other king. */
export function findBroken(
  w: Workspace,
  c: CensusScratch,
  side: number,
  runner: number,
  otherKing: number,
): void {
  const { space, squares, board } = w;
  let low = c.occupiedLow;
  let high = c.occupiedHigh;
  const own = space.menOf[side];
  for (let i = 0; i < own.length; i++) {
    const man = own[i];
    if (man === runner) {
      const rays = (space.kindOf[man] << 6) | otherKing;
      const end = RAY_START[rays + 1];
      for (let r = RAY_START[rays]; r < end; ) {
        const target = RAYS[r] & 63;
        low |= BIT_LOW[target];
        high |= BIT_HIGH[target];
        r += board[target] === 0 ? 1 : (RAYS[r] >> 6) & 7;
      }
      continue;
    }
    const line = (squares[man] << 6) | otherKing;
    if (
      (LINE[line] & ATTACK_MASK[space.kindOf[man]]) !== 0 &&
      ((BETWEEN_LOW[line] & c.occupiedLow) | (BETWEEN_HIGH[line] & c.occupiedHigh)) === 0
    ) {
      low |= ~BETWEEN_LOW[line];
      high |= ~BETWEEN_HIGH[line];
    }
  }
  c.brokenLow = low;
  c.brokenHigh = high;
}

/** The x for which the king of the side to move is in check, and those for which one of its men may be pinned. */
export function findChecks(w: Workspace, c: CensusScratch, side: number, runner: number, king: number): void {
  const { space, squares, board } = w;
  const opposing = space.menOf[1 - side];
  let checkLow = 0;
  let checkHigh = 0;
  let pinnedLow = 0;
  let pinnedHigh = 0;
  for (let i = 0; i < opposing.length; i++) {
    const man = opposing[i];
    if (man === runner) {
      const rays = (space.kindOf[man] << 6) | king;
      const end = RAY_START[rays + 1];
      for (let r = RAY_START[rays]; r < end; ) {
        let step = r;
        r += (RAYS[r] >> 6) & 7;
        for (; step < r && board[RAYS[step] & 63] === 0; step++) {
          checkLow |= BIT_LOW[RAYS[step] & 63];
          checkHigh |= BIT_HIGH[RAYS[step] & 63];
        }
        if (step === r || board[RAYS[step] & 63] !== 1 + side) continue;
        for (step++; step < r && board[RAYS[step] & 63] === 0; step++) {
          pinnedLow |= BIT_LOW[RAYS[step] & 63];
          pinnedHigh |= BIT_HIGH[RAYS[step] & 63];
        }
      }
      continue;
    }
    const line = (squares[man] << 6) | king;
    if ((LINE[line] & ATTACK_MASK[space.kindOf[man]]) === 0) continue;
    const low = BETWEEN_LOW[line];
    const high = BETWEEN_HIGH[line];
    const betweenLow = low & c.occupiedLow;
    const betweenHigh = high & c.occupiedHigh;
    if ((betweenLow | betweenHigh) === 0) {
      checkLow |= ~low;
      checkHigh |= ~high;
      if (space.sideOf[runner] === side) {
        pinnedLow |= low;
        pinnedHigh |= high;
      }
    } else if (
      betweenLow === 0 ? !(betweenHigh & (betweenHigh - 1)) : !(betweenHigh | (betweenLow & (betweenLow - 1)))
    ) {
      const square = betweenLow === 0 ? 63 - Math.clz32(betweenHigh) : 31 - Math.clz32(betweenLow);
      if (board[square] === 1 + side) {
        pinnedLow |= ~low;
        pinnedHigh |= ~high;
      }
    }
  }
  c.checkLow = checkLow;
  c.checkHigh = checkHigh;
  c.pinnedLow = pinnedLow;
  c.pinnedHigh = pinnedHigh;
}

/** Moves and captures of the men of the side to move, as if none were pinned and there were no check. */
export function countMen(w: Workspace, c: CensusScratch, side: number, runner: number): void {
  const { space, squares, board } = w;
  const { menMoves, menTakes } = c;
  const runnerOwn = space.sideOf[runner] === side;
  const enemy = 2 - side;
  menTakes.fill(0);
  c.menMovesAll = 0;
  c.menTakesAll = 0;
  if (runnerOwn) {
    const kind = space.kindOf[runner] << 6;
    for (let x = 0; x < 64; x++) menMoves[x] = MOBILITY[kind + x];
    hideFrom(w, c, kind, w.white, 0);
    hideFrom(w, c, kind, w.black, 0);
    for (let man = 0; man < space.men; man++) {
      if (man !== runner) hideFrom(w, c, kind, squares[man], space.sideOf[man] === side ? 0 : 1);
    }
  } else menMoves.fill(0);
  const own = space.menOf[side];
  for (let i = 0; i < own.length; i++) {
    const man = own[i];
    if (man === runner) continue;
    const rays = (space.kindOf[man] << 6) | squares[man];
    const end = RAY_START[rays + 1];
    for (let r = RAY_START[rays]; r < end; ) {
      const start = r;
      let stop = r;
      r += (RAYS[r] >> 6) & 7;
      while (stop < r && board[RAYS[stop] & 63] === 0) stop++;
      const takes = stop < r && board[RAYS[stop] & 63] === enemy ? 1 : 0;
      c.menMovesAll += stop - start;
      c.menTakesAll += takes;
      const change = runnerOwn ? -takes : 1 - takes;
      for (let step = start; step < stop; step++) {
        const x = RAYS[step] & 63;
        menMoves[x] -= stop - step;
        menTakes[x] += change;
      }
    }
  }
}

/** A man on `square` takes moves from the runner wherever it is seen by it, and gives a capture if `takes` is 1. */
function hideFrom(w: Workspace, c: CensusScratch, kind: number, square: number, takes: number): void {
  const { board } = w;
  const { menMoves, menTakes } = c;
  const end = RAY_START[kind + square + 1];
  for (let r = RAY_START[kind + square]; r < end; ) {
    const hidden = RAYS[r] >> 9;
    const next = r + ((RAYS[r] >> 6) & 7);
    for (; r < next; r++) {
      const x = RAYS[r] & 63;
      if (board[x] !== 0) break;
      menMoves[x] -= hidden;
      menTakes[x] += takes;
    }
    r = next;
  }
}

/** Legal moves and captures of the king. */
export function countKing(
  w: Workspace,
  c: CensusScratch,
  side: number,
  runner: number,
  king: number,
  otherKing: number,
): void {
  const { space, squares, board } = w;
  const { kingMoves, kingTakes } = c;
  const opposing = space.menOf[1 - side];
  const runnerOwn = space.sideOf[runner] === side;
  const runnerKind = space.kindOf[runner];
  kingMoves.fill(0);
  kingTakes.fill(0);
  c.kingMovesAll = 0;
  c.kingTakesAll = 0;
  const low = c.occupiedLow & ~BIT_LOW[king];
  const high = c.occupiedHigh & ~BIT_HIGH[king];
  board[king] = 0;
  const rays = (Kind.king << 6) | king;
  const end = RAY_START[rays + 1];
  for (let r = RAY_START[rays]; r < end; r++) {
    const target = RAYS[r] & 63;
    if (board[target] === 1 + side || (LINE[(target << 6) | otherKing] & 8) !== 0) continue;
    const takes = board[target] !== 0;
    // The squares on which the runner shields the target from every attack; all squares if there is none.
    let shieldLow = -1;
    let shieldHigh = -1;
    for (let i = 0; i < opposing.length; i++) {
      if (opposing[i] === runner) continue;
      const line = (squares[opposing[i]] << 6) | target;
      if (
        (LINE[line] & ATTACK_MASK[space.kindOf[opposing[i]]]) !== 0 &&
        ((BETWEEN_LOW[line] & low) | (BETWEEN_HIGH[line] & high)) === 0
      ) {
        shieldLow &= BETWEEN_LOW[line];
        shieldHigh &= BETWEEN_HIGH[line];
      }
    }
    const counts = takes ? kingTakes : kingMoves;
    if ((shieldLow & shieldHigh) === -1) {
      if (takes) c.kingTakesAll++;
      else {
        c.kingMovesAll++;
        kingMoves[target]--;
        if (!runnerOwn) kingTakes[target]++;
      }
      if (runnerOwn) continue;
      const runs = (runnerKind << 6) | target;
      const runsEnd = RAY_START[runs + 1];
      for (let q = RAY_START[runs]; q < runsEnd; ) {
        const x = RAYS[q] & 63;
        if (board[x] !== 0) {
          q += (RAYS[q] >> 6) & 7;
          continue;
        }
        counts[x]--;
        q++;
      }
    } else {
      while ((shieldLow | shieldHigh) !== 0) {
        let x: number;
        if (shieldLow !== 0) {
          x = 31 - Math.clz32(shieldLow);
          shieldLow ^= BIT_LOW[x];
        } else {
          x = 63 - Math.clz32(shieldHigh);
          shieldHigh ^= BIT_HIGH[x];
        }
        const line = (x << 6) | target;
        if (
          runnerOwn ||
          (LINE[line] & ATTACK_MASK[runnerKind]) === 0 ||
          ((BETWEEN_LOW[line] & low) | (BETWEEN_HIGH[line] & high)) !== 0
        ) {
          counts[x]++;
        }
      }
    }
  }
  board[king] = 1 + side;
}
