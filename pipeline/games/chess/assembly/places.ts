/**
 * Tables of placements (placements.ts), which the caller writes to PLACES: the digit of a group of pawns in an index is the number of an entry.
 * A table has the men of one slot or several. The squares of an entry lie at its number; the number of given squares is found by a hash table
 * (multiplicative hashing, linear probing).
 */
import { putSquares, squaresAt, word } from './tables';

export const MOST_PLACES: i32 = 1 << 20;
export const PLACES: usize = memory.data(1 << 20, 16);

// A table in words: the number of slots, the number of placements, the bits of a hash, where restrictions are, and the slots. Then, in words of 64 bits, the squares
// that men of each slot may stand on, and the factors of the hash.
const SLOTS = 0;
const COUNT = 1;
const BITS = 2;
const NEVER = 3;
const SLOT = 4;
const REACH = 4;
const FACTORS = 8;
/** Bytes before the squares of each placement, slot by slot. Behind these are the numbers of the mirror images, then the hash table. */
const HEAD: usize = 96;

/** Bytes of the restrictions of a placement: u64, the squares never left, those never entered, and by kind those never captured on. */
const RESTRICTIONS: usize = 64;

/** Where the restrictions of a placement are; 0 if there are none in the table. */
export function restrictionsOf(table: usize, number: i32): usize {
  const at = (word(table, NEVER) & ~1) as usize;
  return at === 0 ? 0 : table + at + (number as usize) * RESTRICTIONS;
}

/** The side that they restrict. */
export function restrictedIn(table: usize): i32 {
  return word(table, NEVER) & 1;
}

/** u64, by slot of a table: the squares that {@link numberOf} looks for. */
const SOUGHT: usize = memory.data(4 * 8, 16);

export function slotsOf(table: usize): i32 {
  return word(table, SLOTS);
}

export function slotAt(table: usize, s: i32): i32 {
  return word(table, SLOT + s);
}

/** The squares of the men of a table's slot in a placement. */
export function placedAt(table: usize, number: i32, s: i32): u64 {
  return squaresAt(table + HEAD, number * word(table, SLOTS) + s);
}

function imagesAt(table: usize): usize {
  return table + HEAD + (((word(table, COUNT) * word(table, SLOTS)) as usize) << 3);
}

/** The number of the mirror image in the files. */
export function mirrorOf(table: usize, number: i32): i32 {
  return word(imagesAt(table), number);
}

/** Prepares the search for the men of a slot. @param men all of that slot, including those that belong to another table. */
export function seek(table: usize, s: i32, men: u64): void {
  putSquares(SOUGHT, s, men & squaresAt(table, REACH + s));
}

/** The number of the placement that {@link seek} prepared; -1 if the table has no such placement. */
export function numberOf(table: usize): i32 {
  const slots = word(table, SLOTS);
  const bits = word(table, BITS);
  let product: u64 = 0;
  for (let s = 0; s < slots; s++) product += squaresAt(SOUGHT, s) * squaresAt(table, FACTORS + s);
  const search = imagesAt(table) + ((word(table, COUNT) as usize) << 2);
  let at = (product >> ((64 - bits) as u64)) as i32;
  let number = word(search, at);
  while (number >= 0 && !isSought(table, number)) {
    at = (at + 1) & ((1 << bits) - 1);
    number = word(search, at);
  }
  return number;
}

function isSought(table: usize, number: i32): bool {
  for (let s = 0; s < word(table, SLOTS); s++)
    if (placedAt(table, number, s) !== squaresAt(SOUGHT, s)) return false;
  return true;
}
