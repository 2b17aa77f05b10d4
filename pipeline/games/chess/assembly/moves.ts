/** The kernels `moves` and `unmoves`, by keys: moves of pieces and kings that take nothing. */

import { attacksOver } from './attacks';
import { answersTo, attackedByPieces, kingLines, preparePosition, reachOfKing } from './census';
import { GROUP_SLOT, GROUP_STRIDE } from './index-tables';
import {
  black,
  boards,
  digitOf,
  groups,
  imageRank,
  kingOf,
  kingRuns,
  OF_GROUP,
  occupied,
  pairBase,
  place,
  stepImages,
  stepKey,
  stepPair,
  stepPart,
  taker,
} from './position';
import { neverFrom, neverTo, restrict } from './restrictions';
import {
  bit,
  KEYS,
  KING,
  MAJOR,
  MINOR,
  MOBILITY,
  putRow,
  putWord,
  ROWS,
  SOURCE,
  squaresAt,
  word,
} from './tables';

/** Writes the keys of the positions after a piece of group g has gone to each of the targets; returns the next row. */
function emitPiece(g: i32, square: i32, key: i32, targets: u64, n: i32): i32 {
  const stride = word(GROUP_STRIDE, g);
  const men = squaresAt(OF_GROUP, g);
  const others = men & ~bit(square);
  const base = key - digitOf(g, men) * stride;
  if (others === 0)
    for (; targets; targets &= targets - 1) putWord(MINOR, n++, base + (ctz(targets) as i32) * stride);
  for (; targets; targets &= targets - 1)
    putWord(MINOR, n++, base + digitOf(g, others | (targets & (0 - targets))) * stride);
  return n;
}

/** The king of `side` goes to each of the targets: to the lowest of the images, or back to those that are among `boards`. */
function emitKing(side: i32, key: i32, targets: u64, bias: i32, isBack: bool, n: i32): i32 {
  for (; targets; targets &= targets - 1) {
    const target = ctz(targets) as i32;
    if (!stepPair(side, target)) continue;
    let images = isBack ? stepImages & boards : stepImages & -stepImages;
    for (; images; images &= images - 1) {
      const symmetry = ctz(images);
      let rank = symmetry !== 0 ? imageRank(symmetry) : key - pairBase;
      if (kingRuns && side === 1) rank += target - black;
      putRow(n++, bias + stepPart, stepKey + rank);
    }
  }
  return n;
}

/**
 * The in-slice moves of the keys[0..count) at KEYS, to MINOR, MAJOR and, counted from `source`, SOURCE. Stops when more than
 * `room` rows are written, whose number goes to ROWS; returns the number of keys done.
 */
export function moves(side: i32, part: i32, count: i32, bias: i32, room: i32, source: i32): i32 {
  let n = 0;
  let i = 0;
  // A right to capture en passant lapses with every move, so there all moves leave the slice.
  if (taker >= 0) i = count;
  for (; i < count && n <= room; i++) {
    const key = word(KEYS, i);
    preparePosition(side, part, key);
    const answers = answersTo(occupied);
    const first = n;
    for (let g = 0; g < groups; g++) {
      const slot = word(GROUP_SLOT, g);
      if (slot >> 3 !== side || (slot & 7) >= KING) continue;
      for (let men = squaresAt(OF_GROUP, g) & ~neverFrom; men; men &= men - 1) {
        const square = ctz(men) as i32;
        // Without a pinned man, the king is in check.
        const permitted = kingLines & bit(square) ? answersTo(occupied ^ bit(square)) : answers;
        const targets = attacksOver(slot & 7, square, occupied) & ~(occupied | neverTo) & permitted;
        n = emitPiece(g, square, key, targets, n);
      }
    }
    for (let row = first; row < n; row++) putWord(MAJOR, row, bias + part);
    const own = bit(kingOf(side));
    const steps =
      own & neverFrom ? 0 : reachOfKing() & ~(occupied | neverTo | attackedByPieces(occupied ^ own));
    n = emitKing(side, key, steps, bias, false, n);
    for (let row = first; row < n; row++) putWord(SOURCE, row, source + i);
  }
  putWord(ROWS, 0, n);
  return i;
}

/** The retractions of positions with `side` to move, as the Game contract has them. */
export function unmoves(
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
    restrict(mover);
    const first = n;
    for (let g = ofMen ? 0 : groups; g < groups; g++) {
      const slot = word(GROUP_SLOT, g);
      if (slot >> 3 !== mover || (slot & 7) >= KING) continue;
      for (let men = squaresAt(OF_GROUP, g) & ~neverTo; men; men &= men - 1) {
        const square = ctz(men) as i32;
        n = emitPiece(g, square, key, attacksOver(slot & 7, square, occupied) & ~(occupied | neverFrom), n);
      }
    }
    if (!ofKing) continue;
    for (let row = first; row < n; row++) putWord(MAJOR, row, bias + part);
    if (bit(kingOf(mover)) & neverTo) continue;
    const origins = squaresAt(MOBILITY, (KING << 6) | kingOf(mover)) & ~(occupied | neverFrom);
    n = emitKing(mover, key, origins, bias, true, n);
  }
  putWord(ROWS, 0, n);
  return i;
}
