/** The kernels `moves` and `unmoves` of slices with pawns: moves of pieces and kings that take nothing. */
import { attacksOver } from './attacks-over';
import { findChecks, kingTargets, permitted } from './pawn-attacks';
import {
  digitOf,
  groups,
  kingOf,
  OF_GROUP,
  occupied,
  place,
  stepKey,
  stepKing,
  stepPart,
  taker,
} from './pawn-position';
import { GROUP_COUNT, GROUP_SLOT, GROUP_STRIDE, PAWN } from './pawn-tables';
import { KEYS, KING, MAJOR, MINOR, MOBILITY, putWord, ROWS, SOURCE, squaresAt, word } from './tables';

/** Writes the keys of the positions after a piece of group g has gone to each of the targets; returns the next row. */
function emitPiece(g: i32, square: i32, key: i32, targets: u64, n: i32): i32 {
  const stride = word(GROUP_STRIDE, g);
  if (word(GROUP_COUNT, g) === 1) {
    const base = key - square * stride;
    for (; targets; targets &= targets - 1) putWord(MINOR, n++, base + (ctz(targets) as i32) * stride);
    return n;
  }
  const men = squaresAt(OF_GROUP, g);
  const others = men & ~((1 as u64) << (square as u64));
  const base = key - digitOf(g, men) * stride;
  for (; targets; targets &= targets - 1) {
    putWord(MINOR, n++, base + digitOf(g, others | (targets & (0 - targets))) * stride);
  }
  return n;
}

function emitKing(side: i32, key: i32, targets: u64, bias: i32, n: i32): i32 {
  for (; targets; targets &= targets - 1) {
    if (!stepKing(side, ctz(targets) as i32, key)) continue;
    putWord(MINOR, n, stepKey);
    putWord(MAJOR, n++, bias + stepPart);
  }
  return n;
}

/**
 * The in-slice moves of the keys[0..count) at KEYS, to MINOR, MAJOR and, counted from `source`, SOURCE. Stops when more than
 * `room` rows are written, whose number goes to ROWS; returns the number of keys done.
 */
export function pawnMoves(side: i32, part: i32, count: i32, bias: i32, room: i32, source: i32): i32 {
  let n = 0;
  let i = 0;
  // A right to capture en passant lapses with every move, so there all moves leave the slice.
  if (taker >= 0) i = count;
  for (; i < count && n <= room; i++) {
    const key = word(KEYS, i);
    place(part, key);
    findChecks(side);
    const first = n;
    for (let g = 0; g < groups; g++) {
      const slot = word(GROUP_SLOT, g);
      if (slot >> 3 !== side || (slot & 7) >= PAWN) continue;
      for (let men = squaresAt(OF_GROUP, g); men; men &= men - 1) {
        const square = ctz(men) as i32;
        const targets = attacksOver(slot & 7, square, occupied) & ~occupied & permitted(square);
        n = emitPiece(g, square, key, targets, n);
      }
    }
    for (let row = first; row < n; row++) putWord(MAJOR, row, bias + part);
    n = emitKing(side, key, kingTargets(side) & ~occupied, bias, n);
    for (let row = first; row < n; row++) putWord(SOURCE, row, source + i);
  }
  putWord(ROWS, 0, n);
  return i;
}

/**
 * The retractions of positions with `side` to move, as the Game contract has them. Every canonical position stands for two
 * boards. So a retraction of one is as many as there are moves of its predecessor: nothing is emitted twice.
 */
export function pawnUnmoves(
  side: i32,
  part: i32,
  count: i32,
  ofMen: bool,
  ofKing: bool,
  bias: i32,
  room: i32,
): i32 {
  const mover = 1 - side;
  let n = 0;
  let i = 0;
  if (taker >= 0) i = count;
  for (; i < count && n <= room; i++) {
    const key = word(KEYS, i);
    place(part, key);
    if (ofMen) {
      const first = n;
      for (let g = 0; g < groups; g++) {
        const slot = word(GROUP_SLOT, g);
        if (slot >> 3 !== mover || (slot & 7) >= PAWN) continue;
        for (let men = squaresAt(OF_GROUP, g); men; men &= men - 1) {
          const square = ctz(men) as i32;
          n = emitPiece(g, square, key, attacksOver(slot & 7, square, occupied) & ~occupied, n);
        }
      }
      if (ofKing) for (let row = first; row < n; row++) putWord(MAJOR, row, bias + part);
    }
    if (ofKing) {
      const reach = squaresAt(MOBILITY, (KING << 6) | kingOf(mover)) & ~occupied;
      n = emitKing(mover, key, reach, bias, n);
    }
  }
  putWord(ROWS, 0, n);
  return i;
}
