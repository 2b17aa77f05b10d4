/**
 * The kernel `conversions`: captures, moves of pawns, and where there is a right to capture en passant all moves. A *change* is what a move does to material and ranks of pawns; it decides the slice that the move leads to.
 */

import { ahead, findChecks, kingTargets, passantTakers, pawnCaptures, pawnSteps, permitted } from './attacks';
import { attacksOver } from './attacks-over';
import { ALL_PAIRS, GROUP_SLOT, kingsSymmetry, kingsTable, PASSANT, PAWN } from './index-tables';
import {
  black,
  groups,
  MEN,
  menAt,
  menOf,
  OF_GROUP,
  occupied,
  pawnsOf,
  place,
  taker,
  white,
} from './position';
import { lastDigit, rankOf } from './sets';
import {
  bit,
  image,
  KEYS,
  KING,
  MAJOR,
  MINOR,
  PAIR_DIAGONAL,
  putSquares,
  putWord,
  REFLECTION,
  ROWS,
  SOURCE,
  squaresAt,
  word,
} from './tables';

/** i32, at 2 * dependency + side to move there: what to add to the part. */
export const MOST_BIASES: i32 = 512;
export const BIAS: usize = memory.data(512 * 4, 16);

/**
 * i32, at (side * 11 + taken) * 13 + moved: the number of the change. `taken`: 0 nothing, 1 to 4 a queen to knight, 4
 * + r a pawn on rank r + 1. `moved`: 0 is a piece or king, r a pawn from rank r + 1, 7 a pawn by two steps. 8 is the
 * same if it may be captured en passant, 9 to 12 a pawn that becomes a queen to knight.
 */
export const CHANGE_OF: usize = memory.data(286 * 4, 16);
export const DOUBLE = 7;
export const PASSING = 8;
export const PROMOTED = 9;
/**
 * i32, of each change. First the number of the slice among the dependencies, whether the colours are exchanged there,
 * and how it has the kings. Then its placements, pairs of kings in a part, and groups. Of the group g, at change * 8
 * + g: the slots here whose men it holds, as bits. Then the square of the rank of pawns on the a-file, else -1, and
 * the weight of its digit.
 */
export const TO_DEPENDENCY: usize = memory.data(286 * 4, 16);
export const TO_FLIPPED: usize = memory.data(286 * 4, 16);
export const TO_KINGS: usize = memory.data(286 * 4, 16);
export const TO_PLACEMENTS: usize = memory.data(286 * 4, 16);
export const TO_PAIRS: usize = memory.data(286 * 4, 16);
export const TO_GROUPS: usize = memory.data(286 * 4, 16);
export const TO_SLOTS: usize = memory.data(286 * 8 * 4, 16);
export const TO_RANK: usize = memory.data(286 * 8 * 4, 16);
export const TO_STRIDE: usize = memory.data(286 * 8 * 4, 16);

let rows: i32 = 0;
let mover: i32 = 0;

/** As `moves`, to the positions in dependencies. */
export function conversions(side: i32, part: i32, count: i32, room: i32, source: i32): i32 {
  rows = 0;
  mover = side;
  let i = 0;
  for (; i < count && rows <= room; i++) {
    place(part, word(KEYS, i));
    findChecks(side);
    const first = rows;
    const theirs = menOf(1 - side);
    // Pieces stay in the slice unless they take something, or the right to capture en passant lapses.
    const wanted = taker >= 0 ? ~(0 as u64) : theirs;
    for (let g = 0; g < groups; g++) {
      const slot = word(GROUP_SLOT, g);
      if (slot >> 3 !== side || (slot & 7) >= KING) continue;
      for (let men = squaresAt(OF_GROUP, g); men; men &= men - 1) {
        const square = ctz(men) as i32;
        const reach = attacksOver(slot & 7, square, occupied) & ~menOf(side) & wanted;
        if (reach) movePiece(slot, square, reach & permitted(square), theirs);
      }
    }
    moveKing(kingTargets(side) & wanted, theirs);
    for (let men = pawnsOf(side); men; men &= men - 1) movePawn(ctz(men) as i32);
    if (taker >= 0) takePassant();
    for (let row = first; row < rows; row++) putWord(SOURCE, row, source + i);
  }
  putWord(ROWS, 0, rows);
  return i;
}

export function toggle(slot: i32, squares: u64): void {
  putSquares(MEN, slot, squaresAt(MEN, slot) ^ squares);
}

/** The slot of the man of a side on a square. */
export function slotOn(side: i32, square: i32): i32 {
  let slot = side << 3;
  while ((squaresAt(MEN, slot) & bit(square)) === 0) slot++;
  return slot;
}

/** The number `taken` of a capture of the man of a slot on a square. */
export function takenOf(slot: i32, square: i32): i32 {
  const kind = slot & 7;
  return kind >= PAWN ? 4 + (square >> 3) : kind + 1;
}

function movePiece(slot: i32, square: i32, targets: u64, theirs: u64): void {
  for (; targets; targets &= targets - 1) {
    const target = ctz(targets) as i32;
    toggle(slot, bit(square) | bit(target));
    emitTaking(target, theirs, 0, white, black);
    toggle(slot, bit(square) | bit(target));
  }
}

function moveKing(targets: u64, theirs: u64): void {
  for (; targets; targets &= targets - 1) {
    const target = ctz(targets) as i32;
    if (mover === 0) emitTaking(target, theirs, 0, target, black);
    else emitTaking(target, theirs, 0, white, target);
  }
}

/** Writes the row of a move that has been made, but for the capture on its target. */
function emitTaking(target: i32, theirs: u64, moved: i32, whiteKing: i32, blackKing: i32): void {
  if ((theirs & bit(target)) === 0) {
    emit(0, moved, whiteKing, blackKing);
    return;
  }
  const slot = slotOn(1 - mover, target);
  toggle(slot, bit(target));
  emit(takenOf(slot, target), moved, whiteKing, blackKing);
  toggle(slot, bit(target));
}

function movePawn(square: i32): void {
  const side = mover;
  const theirs = menOf(1 - side);
  const pawns = (side << 3) | PAWN;
  let targets = (pawnSteps(side, square) | pawnCaptures(side, square)) & permitted(square);
  for (; targets; targets &= targets - 1) {
    const target = ctz(targets) as i32;
    if (target < 8 || target >= 56) {
      toggle(pawns, bit(square));
      for (let kind = 0; kind < KING; kind++) {
        toggle((side << 3) | kind, bit(target));
        emitTaking(target, theirs, PROMOTED + kind, white, black);
        toggle((side << 3) | kind, bit(target));
      }
      toggle(pawns, bit(square));
    } else if (abs(target - square) === 16) {
      toggle(pawns, bit(square));
      const passing = passantTakers(1 - side, target, occupied & ~bit(square)) !== 0;
      const slot = passing ? (side << 3) | PASSANT : pawns;
      toggle(slot, bit(target));
      emit(0, passing ? PASSING : DOUBLE, white, black);
      toggle(slot, bit(target));
      toggle(pawns, bit(square));
    } else {
      toggle(pawns, bit(square) | bit(target));
      emitTaking(target, theirs, square >> 3, white, black);
      toggle(pawns, bit(square) | bit(target));
    }
  }
}

/** The captures of the pawn that has just made a double step. */
function takePassant(): void {
  const pawn = ctz(menAt(1 - mover, PASSANT)) as i32;
  const to = ahead(mover, pawn);
  const passant = ((1 - mover) << 3) | PASSANT;
  const pawns = (mover << 3) | PAWN;
  for (let men = passantTakers(mover, pawn, occupied); men; men &= men - 1) {
    const from = ctz(men) as i32;
    toggle(passant, bit(pawn));
    toggle(pawns, bit(from) | bit(to));
    emit(takenOf(passant, pawn), from >> 3, white, black);
    toggle(pawns, bit(from) | bit(to));
    toggle(passant, bit(pawn));
  }
}

/** Writes the row of the position that MEN holds, with these kings. */
function emit(taken: i32, moved: i32, whiteKing: i32, blackKing: i32): void {
  const change = word(CHANGE_OF, (mover * 11 + taken) * 13 + moved);
  const flipped = word(TO_FLIPPED, change);
  const kinds = word(TO_KINGS, change);
  const kings = flipped ? ((blackKing ^ 56) << 6) | (whiteKing ^ 56) : (whiteKing << 6) | blackKing;
  const pair = word(kingsTable(kinds), kings);
  const symmetry = word(kingsSymmetry(kinds), kings);
  putSquares(MEN, KING, bit(whiteKing));
  putSquares(MEN, 8 | KING, bit(blackKing));
  let rank = rankThere(change, symmetry, -1);
  if (kinds === ALL_PAIRS && word(PAIR_DIAGONAL, pair))
    rank = min(rank, rankThere(change, symmetry ^ REFLECTION, -1));
  const pairs = word(TO_PAIRS, change);
  const part = pair / pairs;
  const sideThere = flipped ? mover : 1 - mover;
  putWord(MAJOR, rows, word(BIAS, 2 * word(TO_DEPENDENCY, change) + sideThere) + part);
  putWord(MINOR, rows++, (pair - part * pairs) * word(TO_PLACEMENTS, change) + rank);
}

/** Rank of the image of the men in the slice that a change leads to, without the digit of a group; -1: with all. */
export function rankThere(change: i32, symmetry: i32, without: i32): i32 {
  const end = (change << 3) + word(TO_GROUPS, change);
  let rank = 0;
  for (let g = change << 3; g < end; g++) {
    if (g !== without) rank += digitThere(g, menThere(change, g, symmetry)) * word(TO_STRIDE, g);
  }
  return rank;
}

/** The digit there of a group (change * 8 + group): its last group is that of a runner if it is of pieces. */
export function digitThere(g: i32, men: u64): i32 {
  return word(TO_STRIDE, g) === 1 && word(TO_RANK, g) < 0 ? lastDigit(men) : rankOf(men);
}

/** The image of the men of a group (change * 8 + group) there: as squares, of pawns as files. */
export function menThere(change: i32, g: i32, symmetry: i32): u64 {
  const row = word(TO_RANK, g);
  let men: u64 = 0;
  for (let slots = word(TO_SLOTS, g); slots; slots &= slots - 1) men |= squaresAt(MEN, ctz(slots));
  if (word(TO_FLIPPED, change)) men = bswap(men);
  if (row >= 0) men = (men >> (row as u64)) & 255;
  if (symmetry === 0) return men;
  let squares: u64 = 0;
  for (; men; men &= men - 1) squares |= bit(image(ctz(men) as i32, symmetry));
  return squares;
}
