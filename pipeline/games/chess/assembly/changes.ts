/**
 * What a move that leaves the slice does. A *change* is what it does to material and ranks of pawns; it decides the slice that the move
 * leads to, whose groups take the men of some slots here.
 */

import { mover } from './census';
import { PAWN } from './index-tables';
import { mirrorOf, numberOf, seek, slotAt, slotsOf } from './places';
import { MEN } from './position';
import { lastDigit, rankOf } from './sets';
import { bit, image, putSquares, squaresAt, word } from './tables';

/** i32, at 2 * dependency + side to move there: what to add to the part. */
export const MOST_BIASES: i32 = 512;
export const BIAS: usize = memory.data(512 * 4, 16);

/**
 * i32, at (side * 11 + taken) * 13 + moved: the number of the change. `taken`: 0 nothing, 1 to 4 a queen to knight, 4
 * + r a pawn on rank r + 1. `moved`: 0 is a piece or king, r a pawn from rank r + 1, 7 a pawn by two steps. 8 is the
 * same if it may be captured en passant, 9 to 12 a pawn that becomes a queen to knight.
 */
export const CHANGE_OF: usize = memory.data(288 * 4, 16);
/** The place of the change that a move makes which the slice's restrictions forbid (places.ts). */
export const FORBIDDEN = 286;
export const DOUBLE = 7;
export const PASSING = 8;
export const PROMOTED = 9;
/**
 * i32, of each change. First the number of the slice among the dependencies, whether the colours are exchanged there,
 * and how it has the kings. Then its placements, pairs of kings in a part, and groups. Of the group g, at change * 8
 * + g: the slot here whose men it holds; of pawns the address of their table there, else 0; and the weight of its digit.
 */
export const TO_DEPENDENCY: usize = memory.data(288 * 4, 16);
export const TO_FLIPPED: usize = memory.data(288 * 4, 16);
export const TO_KINGS: usize = memory.data(288 * 4, 16);
export const TO_PLACEMENTS: usize = memory.data(288 * 4, 16);
export const TO_PAIRS: usize = memory.data(288 * 4, 16);
export const TO_GROUPS: usize = memory.data(288 * 4, 16);
/** i32, of each change: whether it leads to an assumed slice, which has the index of the slice here: to the same key. */
export const TO_ASSUMED: usize = memory.data(288 * 4, 16);
export const TO_SLOT: usize = memory.data(288 * 8 * 4, 16);
export const TO_PLACES: usize = memory.data(288 * 8 * 4, 16);
export const TO_STRIDE: usize = memory.data(288 * 8 * 4, 16);

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

/** Rank of the image of the men in the slice that a change leads to, without the digit of a group; -1: with all. */
export function rankThere(change: i32, symmetry: i32, without: i32): i32 {
  const end = (change << 3) + word(TO_GROUPS, change);
  let rank = 0;
  for (let g = change << 3; g < end; g++) {
    if (g === without) continue;
    const table = word(TO_PLACES, g) as usize;
    const digit =
      table !== 0 ? placedThere(change, table, symmetry) : digitThere(g, menThere(change, g, symmetry));
    rank += digit * word(TO_STRIDE, g);
  }
  return rank;
}

/** The number there of the placement of pawns, by its table. A pawn that the mover could have taken en passant is like others then. */
function placedThere(change: i32, table: usize, symmetry: i32): i32 {
  const flipped = word(TO_FLIPPED, change) !== 0;
  for (let s = 0; s < slotsOf(table); s++) {
    const slot = slotThere(change, table, s);
    let men = squaresAt(MEN, slot);
    if ((slot & 7) === PAWN && slot >> 3 !== mover) men |= squaresAt(MEN, slot + 1);
    seek(table, s, flipped ? bswap(men) : men);
  }
  const number = numberOf(table);
  return symmetry === 0 ? number : mirrorOf(table, number);
}

/** The slot here of the men of a table's slot there. */
export function slotThere(change: i32, table: usize, s: i32): i32 {
  return slotAt(table, s) ^ (word(TO_FLIPPED, change) << 3);
}

/** The digit there of a group of pieces (change * 8 + group): the last one is that of a runner. */
export function digitThere(g: i32, men: u64): i32 {
  return word(TO_STRIDE, g) === 1 ? lastDigit(men) : rankOf(men);
}

/** The image of the pieces of a group (change * 8 + group) there. */
export function menThere(change: i32, g: i32, symmetry: i32): u64 {
  let men = squaresAt(MEN, word(TO_SLOT, g));
  if (word(TO_FLIPPED, change)) men = bswap(men);
  if (symmetry === 0) return men;
  let squares: u64 = 0;
  for (; men; men &= men - 1) squares |= bit(image(ctz(men) as i32, symmetry));
  return squares;
}
