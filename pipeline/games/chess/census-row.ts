import {
  ATTACK_MASK,
  BETWEEN_HIGH,
  BETWEEN_LOW,
  BIT_HIGH,
  BIT_LOW,
  LINE,
  RAY_START,
  RAYS,
} from './geometry.js';
import type { Workspace } from './workspace.js';

/**
 * The census classifies rows: the keys that differ only in the square x of one man, the *runner* (the last single man,
 * or the least of the last group). Sets of x are two words. Counts are a byte for each x: a part that all x share, and
 * corrections (modulo 256) for those where the runner stands in the way, is taken, gives check or answers one.
 */
export interface CensusRow {
  /** Corrections, by x: of the legal moves, and of those among them that are captures. */
  readonly counts: Uint8Array;
  readonly takes: Uint8Array;
  /** The same bytes, four to a word. */
  readonly countWords: Int32Array;
  readonly takeWords: Int32Array;
  /** Parts of these that all x share. */
  countAll: number;
  takesAll: number;
  /** How many men of the side to move, besides king and runner, may go to a square when there is no check. */
  readonly reached: Uint8Array;
  /** What is written of the row. */
  readonly bytes: Uint8Array;
  readonly words: Int32Array;
  /** Sets of x: no legal position; the side to move in check; in check by the runner. */
  brokenLow: number;
  brokenHigh: number;
  checkLow: number;
  checkHigh: number;
  runnerLow: number;
  runnerHigh: number;
  /** Those for which checks or pins by the other men are not what they are with the runner elsewhere. */
  singularLow: number;
  singularHigh: number;
  /** Checks by the other men with the runner elsewhere, and the squares that answer all of them. */
  checks: number;
  answerLow: number;
  answerHigh: number;
  /** What stands on the board besides the runner. */
  occupiedLow: number;
  occupiedHigh: number;
}

export function createCensusRow(): CensusRow {
  const counts = new Uint8Array(64);
  const takes = new Uint8Array(64);
  const bytes = new Uint8Array(64);
  return {
    counts,
    takes,
    countWords: new Int32Array(counts.buffer),
    takeWords: new Int32Array(takes.buffer),
    countAll: 0,
    takesAll: 0,
    reached: new Uint8Array(64),
    bytes,
    words: new Int32Array(bytes.buffer),
    brokenLow: 0,
    brokenHigh: 0,
    checkLow: 0,
    checkHigh: 0,
    runnerLow: 0,
    runnerHigh: 0,
    singularLow: 0,
    singularHigh: 0,
    checks: 0,
    answerLow: 0,
    answerHigh: 0,
    occupiedLow: 0,
    occupiedHigh: 0,
  };
}

/** Mark of the king that cannot be taken, on boards that otherwise hold 1 + side. */
export const OPPOSING_KING = 4;

/** Broken: x is occupied, or the side to move attacks the other king. */
export function findBroken(
  w: Workspace,
  row: CensusRow,
  side: number,
  runner: number,
  otherKing: number,
): void {
  const { space, squares, board } = w;
  let low = row.occupiedLow;
  let high = row.occupiedHigh;
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
      ((BETWEEN_LOW[line] & row.occupiedLow) | (BETWEEN_HIGH[line] & row.occupiedHigh)) === 0
    ) {
      low |= ~BETWEEN_LOW[line];
      high |= ~BETWEEN_HIGH[line];
    }
  }
  row.brokenLow = low;
  row.brokenHigh = high;
}

/**
 * Checks and pins: the sets of x, and for each man of the side to move other than the runner the squares that it may
 * go to (`allowedLow`, `allowedHigh` of the workspace), unless x is singular or the runner gives check.
 */
export function findChecks(w: Workspace, row: CensusRow, side: number, runner: number, king: number): void {
  const { space, squares, board, allowedLow, allowedHigh } = w;
  const own = space.menOf[side];
  const opposing = space.menOf[1 - side];
  let checkLow = 0;
  let checkHigh = 0;
  let singularLow = 0;
  let singularHigh = 0;
  row.checks = 0;
  row.answerLow = row.answerHigh = -1;
  row.runnerLow = row.runnerHigh = 0;
  for (let j = 0; j < own.length; j++) allowedLow[own[j]] = allowedHigh[own[j]] = -1;
  for (let i = 0; i < opposing.length; i++) {
    const man = opposing[i];
    if (man === runner) {
      const rays = (space.kindOf[man] << 6) | king;
      const end = RAY_START[rays + 1];
      for (let r = RAY_START[rays]; r < end; ) {
        let step = r;
        r += (RAYS[r] >> 6) & 7;
        for (; step < r && board[RAYS[step] & 63] === 0; step++) {
          row.runnerLow |= BIT_LOW[RAYS[step] & 63];
          row.runnerHigh |= BIT_HIGH[RAYS[step] & 63];
        }
        if (step === r || board[RAYS[step] & 63] !== 1 + side) continue;
        for (step++; step < r && board[RAYS[step] & 63] === 0; step++) {
          singularLow |= BIT_LOW[RAYS[step] & 63];
          singularHigh |= BIT_HIGH[RAYS[step] & 63];
        }
      }
      continue;
    }
    const line = (squares[man] << 6) | king;
    if ((LINE[line] & ATTACK_MASK[space.kindOf[man]]) === 0) continue;
    const low = BETWEEN_LOW[line];
    const high = BETWEEN_HIGH[line];
    const lineLow = low | BIT_LOW[squares[man]];
    const lineHigh = high | BIT_HIGH[squares[man]];
    const betweenLow = low & row.occupiedLow;
    const betweenHigh = high & row.occupiedHigh;
    if ((betweenLow | betweenHigh) === 0) {
      row.checks++;
      row.answerLow &= lineLow;
      row.answerHigh &= lineHigh;
      checkLow |= ~low;
      checkHigh |= ~high;
      singularLow |= low;
      singularHigh |= high;
      continue;
    }
    if (betweenLow === 0 ? betweenHigh & (betweenHigh - 1) : betweenHigh | (betweenLow & (betweenLow - 1)))
      continue;
    for (let j = 0; j < own.length; j++) {
      const square = squares[own[j]];
      if (own[j] === runner || !((BIT_LOW[square] & betweenLow) | (BIT_HIGH[square] & betweenHigh))) continue;
      allowedLow[own[j]] &= lineLow;
      allowedHigh[own[j]] &= lineHigh;
      singularLow |= low;
      singularHigh |= high;
    }
  }
  if (row.checks > 0) {
    for (let j = 0; j < own.length; j++) {
      allowedLow[own[j]] &= row.answerLow;
      allowedHigh[own[j]] &= row.answerHigh;
    }
  }
  row.checkLow = checkLow | row.runnerLow;
  row.checkHigh = checkHigh | row.runnerHigh;
  row.singularLow = singularLow;
  row.singularHigh = singularHigh;
}
