/**
 * The kernels `moves` and `unmoves`, by keys: moves of pieces and kings that take nothing. If both kings are on the diagonal of a board
 * without pawns, a position and its mirror image are one: the lesser key is canonical.
 */

import { attacksOver } from './attacks';
import { answersTo, attackedByPieces, kingLines, preparePosition, reachOfKing } from './census';
import { GROUP_SLOT, GROUP_STRIDE } from './index-tables';
import {
  black,
  diagonal,
  digitOf,
  groups,
  imageRank,
  kingOf,
  kingRuns,
  OF_GROUP,
  occupied,
  pairBase,
  place,
  stepIsDiagonal,
  stepKey,
  stepPair,
  stepPart,
  stepSymmetry,
  taker,
} from './position';
import { halfOf, LOWER, reflect } from './sets';
import {
  bit,
  KEYS,
  KING,
  MAJOR,
  MINOR,
  MOBILITY,
  putRow,
  putWord,
  REFLECTION,
  ROWS,
  SOURCE,
  squaresAt,
  word,
} from './tables';

/**
 * Writes the keys of the positions after a piece of group g has gone to each of the targets; returns the next row. `reflected`: the key
 * of the mirror image of the position if both kings are on the diagonal. With `twice` a position that is its own mirror image is
 * written twice.
 */
function emitPiece(g: i32, square: i32, key: i32, reflected: i32, targets: u64, twice: bool, n: i32): i32 {
  const stride = word(GROUP_STRIDE, g);
  const men = squaresAt(OF_GROUP, g);
  const others = men & ~bit(square);
  const base = key - digitOf(g, men) * stride;
  if (!diagonal) {
    if (others === 0)
      for (; targets; targets &= targets - 1) putWord(MINOR, n++, base + (ctz(targets) as i32) * stride);
    for (; targets; targets &= targets - 1)
      putWord(MINOR, n++, base + digitOf(g, others | (targets & (0 - targets))) * stride);
    return n;
  }
  const reflectedBase = reflected - digitOf(g, reflect(men)) * stride;
  for (; targets; targets &= targets - 1) {
    const after = others | (targets & (0 - targets));
    const plain = base + digitOf(g, after) * stride;
    const other = reflectedBase + digitOf(g, reflect(after)) * stride;
    putWord(MINOR, n++, min(plain, other));
    if (twice && plain === other) putWord(MINOR, n++, plain);
  }
  return n;
}

/** The king of `side` goes to each of the targets; `twice` as in `emitPiece`. */
function emitKing(side: i32, key: i32, targets: u64, bias: i32, twice: bool, n: i32): i32 {
  for (; targets; targets &= targets - 1) {
    const target = ctz(targets) as i32;
    if (!stepPair(side, target)) continue;
    let plain = stepKey + (stepSymmetry !== 0 ? imageRank(stepSymmetry) : key - pairBase);
    if (kingRuns && side === 1) plain += target - black;
    const other = stepIsDiagonal ? stepKey + imageRank(stepSymmetry ^ REFLECTION) : plain;
    putRow(n++, bias + stepPart, min(plain, other));
    if (twice && stepIsDiagonal && plain === other) putRow(n++, bias + stepPart, plain);
  }
  return n;
}

/** The key of the mirror image at the diagonal, of the position that stands. */
function reflectedKey(): i32 {
  return pairBase + imageRank(REFLECTION);
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
    const reflected = diagonal ? reflectedKey() : -1;
    const first = n;
    for (let g = 0; g < groups; g++) {
      const slot = word(GROUP_SLOT, g);
      if (slot >> 3 !== side || (slot & 7) >= KING) continue;
      for (let men = squaresAt(OF_GROUP, g); men; men &= men - 1) {
        const square = ctz(men) as i32;
        // Without a pinned man, the king is in check.
        const permitted = kingLines & bit(square) ? answersTo(occupied ^ bit(square)) : answers;
        const targets = attacksOver(slot & 7, square, occupied) & ~occupied & permitted;
        n = emitPiece(g, square, key, reflected, targets, false, n);
      }
    }
    for (let row = first; row < n; row++) putWord(MAJOR, row, bias + part);
    const steps = reachOfKing() & ~(occupied | attackedByPieces(occupied ^ bit(kingOf(side))));
    n = emitKing(side, key, steps, bias, false, n);
    for (let row = first; row < n; row++) putWord(SOURCE, row, source + i);
  }
  putWord(ROWS, 0, n);
  return i;
}

/**
 * The retractions of positions with `side` to move, as the Game contract has them: as many as there are moves of the predecessor. A
 * predecessor that is its own mirror image has two moves here, unless this position is its own mirror image, too: then
 * predecessors come in mirrored couples, and one of each is written.
 */
export function unmoves(
  side: i32,
  part: i32,
  count: i32,
  ofMen: bool,
  ofKing: bool,
  bias: i32,
  room: i32,
): i32 {
  let n = 0;
  let i = 0;
  if (taker >= 0) i = count;
  for (; i < count && n <= room; i++) n = unmoveKey(1 - side, part, word(KEYS, i), ofMen, ofKing, bias, n);
  putWord(ROWS, 0, n);
  return i;
}

/** As `unmoves` by `mover`, of one key; returns the next row. */
export function unmoveKey(
  mover: i32,
  part: i32,
  key: i32,
  ofMen: bool,
  ofKing: bool,
  bias: i32,
  first: i32,
): i32 {
  let n = first;
  place(part, key);
  const reflected = diagonal ? reflectedKey() : -1;
  const isOwnImage = key === reflected;
  if (ofMen) {
    for (let g = 0; g < groups; g++) {
      const slot = word(GROUP_SLOT, g);
      if (slot >> 3 !== mover || (slot & 7) >= KING) continue;
      for (let men = squaresAt(OF_GROUP, g); men; men &= men - 1) {
        const square = ctz(men) as i32;
        let targets = attacksOver(slot & 7, square, occupied) & ~occupied;
        if (isOwnImage) targets &= halfOf(square);
        n = emitPiece(g, square, key, reflected, targets, !isOwnImage, n);
      }
    }
    if (ofKing) for (let row = first; row < n; row++) putWord(MAJOR, row, bias + part);
  }
  if (ofKing) {
    let reach = squaresAt(MOBILITY, (KING << 6) | kingOf(mover)) & ~occupied;
    if (isOwnImage) reach &= LOWER;
    n = emitKing(mover, key, reach, bias, !isOwnImage, n);
  }
  return n;
}
