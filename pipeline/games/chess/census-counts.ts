/** Legal moves and captures of a row of the census: of the men, and of the king. */
import type { CensusRow } from './census-row.js';
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
import { restrict } from './legality.js';
import type { Workspace } from './workspace.js';

/** MOBILITY as bytes, four squares to a word, at kind * 16 + square / 4. */
const MOBILITY_WORDS = new Int32Array(Uint8Array.from(MOBILITY).buffer);

/** Counts the men of the side to move other than the king, for all x; the first of the counts to be made. */
export function countMen(w: Workspace, row: CensusRow, side: number, runner: number, king: number): void {
  const { space, squares, board, allowedLow, allowedHigh } = w;
  const { counts, takes, reached } = row;
  const own = space.menOf[side];
  const runnerOwn = space.sideOf[runner] === side;
  const enemy = 2 - side;
  row.takeWords.fill(0);
  row.countAll = 0;
  row.takesAll = 0;
  if (runnerOwn) countRunner(w, row, side, runner);
  else {
    row.countWords.fill(0);
    reached.fill(0);
  }
  for (let i = 0; i < own.length; i++) {
    const man = own[i];
    const low = allowedLow[man];
    const high = allowedHigh[man];
    if (man === runner || (low | high) === 0) continue;
    const rays = (space.kindOf[man] << 6) | squares[man];
    const end = RAY_START[rays + 1];
    for (let r = RAY_START[rays]; r < end; ) {
      const start = r;
      let stop = r;
      r += (RAYS[r] >> 6) & 7;
      while (stop < r && board[RAYS[stop] & 63] === 0) stop++;
      // Outwards in, so that at each step it is known what lies behind it.
      let behind = 0;
      if (stop < r) {
        const target = RAYS[stop] & 63;
        if (board[target] === enemy && (BIT_LOW[target] & low) | (BIT_HIGH[target] & high)) behind = 1;
      }
      const taken = behind;
      for (let step = stop - 1; step >= start; step--) {
        const x = RAYS[step] & 63;
        const here = (BIT_LOW[x] & low) | (BIT_HIGH[x] & high) ? 1 : 0;
        if (runnerOwn) {
          behind += here;
          counts[x] -= behind;
          takes[x] -= taken;
        } else {
          counts[x] -= behind;
          takes[x] += here - taken;
          reached[x] += here;
          behind += here;
        }
      }
      row.countAll += behind;
      row.takesAll += taken;
    }
  }
  if ((row.runnerLow | row.runnerHigh) !== 0) countAnswers(w, row, side, runner, king);
  countSingular(w, row, side, runner);
}

/** The runner, one of the side to move: what it may do on its x, as far as it is not pinned there. */
function countRunner(w: Workspace, row: CensusRow, side: number, runner: number): void {
  const { space, squares } = w;
  const kind = space.kindOf[runner];
  const { countWords } = row;
  if (row.checks === 0) {
    for (let i = 0; i < 16; i++) countWords[i] = MOBILITY_WORDS[(kind << 4) | i];
    hideFrom(w, row, kind << 6, w.white, 0);
    hideFrom(w, row, kind << 6, w.black, 0);
    for (let man = 0; man < space.men; man++) {
      if (man !== runner) hideFrom(w, row, kind << 6, squares[man], space.sideOf[man] === side ? 0 : 1);
    }
    return;
  }
  countWords.fill(0);
  for (let low = row.answerLow; low !== 0; low &= low - 1) answerOn(w, row, kind << 6, bitOf(low));
  for (let high = row.answerHigh; high !== 0; high &= high - 1) answerOn(w, row, kind << 6, 32 + bitOf(high));
}

/** The number of the lowest bit of a word that is not 0. */
export function bitOf(word: number): number {
  return 31 - Math.clz32(word & -word);
}

/** A man on `square` takes moves from the runner wherever it is seen by it, and gives a capture if `takes` is 1. */
function hideFrom(w: Workspace, row: CensusRow, kind: number, square: number, taken: number): void {
  const { board } = w;
  const { counts, takes } = row;
  const end = RAY_START[kind + square + 1];
  for (let r = RAY_START[kind + square]; r < end; ) {
    const hidden = (RAYS[r] >> 9) - taken;
    const next = r + ((RAYS[r] >> 6) & 7);
    for (; r < next; r++) {
      const x = RAYS[r] & 63;
      if (board[x] !== 0) break;
      counts[x] -= hidden;
      takes[x] += taken;
    }
    r = next;
  }
}

/** The runner may answer a check by going to `target`, from wherever it is seen from there. */
function answerOn(w: Workspace, row: CensusRow, kind: number, target: number): void {
  const { board } = w;
  const { counts, takes } = row;
  const taken = board[target] === 0 ? 0 : 1;
  const end = RAY_START[kind + target + 1];
  for (let r = RAY_START[kind + target]; r < end; ) {
    const x = RAYS[r] & 63;
    if (board[x] !== 0) {
      r += (RAYS[r] >> 6) & 7;
      continue;
    }
    counts[x]++;
    takes[x] += taken;
    r++;
  }
}

/** Where the runner gives check: the men may take it, or go between, unless there is another check. */
function countAnswers(w: Workspace, row: CensusRow, side: number, runner: number, king: number): void {
  const { board } = w;
  const { counts, takes, reached, countAll, takesAll } = row;
  const rays = (w.space.kindOf[runner] << 6) | king;
  const end = RAY_START[rays + 1];
  for (let r = RAY_START[rays]; r < end; ) {
    let step = r;
    let stop = r;
    r += (RAYS[r] >> 6) & 7;
    while (stop < r && board[RAYS[stop] & 63] === 0) stop++;
    // A man that reaches these squares along the ray itself cannot pass the runner.
    const beyond = stop < r && slidesTo(w, side, RAYS[stop] & 63, king) ? 1 : 0;
    let between = 0;
    for (; step < stop; step++) {
      const x = RAYS[step] & 63;
      const here = row.checks === 0 ? reached[x] : 0;
      counts[x] = here + between - countAll;
      takes[x] = here - takesAll;
      if (row.checks === 0) between += here - beyond;
    }
  }
}

/** Whether on `square` stands a man of `side` that goes along the line to `target`. */
function slidesTo(w: Workspace, side: number, square: number, target: number): boolean {
  const { space, squares } = w;
  const own = space.menOf[side];
  for (let i = 0; i < own.length; i++) {
    if (squares[own[i]] === square) {
      return (LINE[(square << 6) | target] & ATTACK_MASK[space.kindOf[own[i]]]) !== 0;
    }
  }
  return false;
}

/** The few x for which checks and pins have to be looked at anew. */
function countSingular(w: Workspace, row: CensusRow, side: number, runner: number): void {
  const { squares, board } = w;
  const mark = 1 + w.space.sideOf[runner];
  let low = row.singularLow & ~row.brokenLow;
  let high = row.singularHigh & ~row.brokenHigh;
  while ((low | high) !== 0) {
    let x: number;
    if (low !== 0) {
      x = bitOf(low);
      low &= low - 1;
    } else {
      x = 32 + bitOf(high);
      high &= high - 1;
    }
    squares[runner] = x;
    board[x] = mark;
    const found = restrictedCounts(w, side);
    board[x] = 0;
    row.counts[x] = (found & 255) - row.countAll;
    row.takes[x] = (found >> 8) - row.takesAll;
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
  return (moves + takes) | (takes << 8);
}

/** Adds the legal moves of the king. */
export function countKing(
  w: Workspace,
  row: CensusRow,
  side: number,
  runner: number,
  king: number,
  otherKing: number,
): void {
  const { space, squares, board } = w;
  const { counts, takes } = row;
  const opposing = space.menOf[1 - side];
  const runnerOwn = space.sideOf[runner] === side;
  const runnerKind = space.kindOf[runner];
  const low = row.occupiedLow & ~BIT_LOW[king];
  const high = row.occupiedHigh & ~BIT_HIGH[king];
  board[king] = 0;
  const rays = (Kind.king << 6) | king;
  const end = RAY_START[rays + 1];
  for (let r = RAY_START[rays]; r < end; r++) {
    const target = RAYS[r] & 63;
    if (board[target] === 1 + side || (LINE[(target << 6) | otherKing] & 8) !== 0) continue;
    const taken = board[target] !== 0 ? 1 : 0;
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
    if ((shieldLow & shieldHigh) === -1) {
      row.countAll++;
      row.takesAll += taken;
      if (runnerOwn) {
        counts[target]--;
        continue;
      }
      takes[target]++;
      const runs = (runnerKind << 6) | target;
      const runsEnd = RAY_START[runs + 1];
      for (let q = RAY_START[runs]; q < runsEnd; ) {
        const x = RAYS[q] & 63;
        if (board[x] !== 0) {
          q += (RAYS[q] >> 6) & 7;
          continue;
        }
        counts[x]--;
        takes[x] -= taken;
        q++;
      }
    } else {
      while ((shieldLow | shieldHigh) !== 0) {
        let x: number;
        if (shieldLow !== 0) {
          x = bitOf(shieldLow);
          shieldLow &= shieldLow - 1;
        } else {
          x = 32 + bitOf(shieldHigh);
          shieldHigh &= shieldHigh - 1;
        }
        const line = (x << 6) | target;
        if (
          runnerOwn ||
          (LINE[line] & ATTACK_MASK[runnerKind]) === 0 ||
          ((BETWEEN_LOW[line] & low) | (BETWEEN_HIGH[line] & high)) !== 0
        ) {
          counts[x]++;
          takes[x] += taken;
        }
      }
    }
  }
  board[king] = 1 + side;
}
