/**
 * Values of a part while its table is put together: from the bits of what is not won, and from the sets that were labelled.
 * A value is a byte, or two if `wide`; a row is 64 of them.
 */
import { digit, FULL, firstKeyIn, MOVES, NO_NUMBERS, numbering, WHOLE } from './numbers';
import { bytesOf, quarterOf } from './sets';
import { putWord, ROWS, setIn } from './tables';

/** Sets of fewer positions are written one by one. */
const FEW: i32 = 8;

/** A bit a position of the part: whether it is legal and not won. */
let unwon: usize = 0;

/** Puts the bits to an address, where the caller writes them. */
export function placeUnwon(at: usize): void {
  unwon = at;
}

/** Writes 0 for positions that have a bit, else the code of broken ones. Returns how many have one. */
export function settle(values: usize, rows: i32, wide: bool): i32 {
  let positions: i64 = 0;
  for (let row = 0; row < rows; row++) {
    const set = load<u64>(unwon + ((row as usize) << 3));
    positions += popcnt(set) as i64;
    if (wide) {
      const to = values + ((row as usize) << 7);
      const broken = i16x8.splat(-32768);
      for (let eighth = 0; eighth < 8; eighth++) {
        v128.store(to + ((eighth as usize) << 4), v128.andnot(broken, wideMask(set, eighth)));
      }
    } else {
      const to = values + ((row as usize) << 6);
      const broken = i8x16.splat(-128);
      for (let quarter = 0; quarter < 4; quarter++) {
        v128.store(
          to + ((quarter as usize) << 4),
          v128.andnot(broken, bytesOf(i64x2.splat(set as i64), quarterOf(quarter))),
        );
      }
    }
  }
  return positions as i32;
}

/** As `bytesOf`, of 8 positions of two bytes. */
function wideMask(set: u64, eighth: i32): v128 {
  const bits = i16x8(1, 2, 4, 8, 16, 32, 64, 128);
  const spread = i16x8.splat(((set >> ((eighth as u64) << 3)) & 255) as i16);
  return i16x8.eq(v128.and(spread, bits), bits);
}

/**
 * Writes a code for the sets that came in, and adds to the numbers, bytes from `numbers` on, if there are any. ROWS gets how many positions;
 * returns how many of them were broken before.
 */
export function writeSets(values: usize, numbers: usize, count: i32, code: i32, wide: bool): i32 {
  let positions: i32 = 0;
  let broken: i32 = 0;
  for (let i = 0; i < count; i++) {
    const first = firstKeyIn(i);
    let set = setIn(i);
    if (numbering !== NO_NUMBERS) {
      if (digit <= FULL) addToBytes(numbers + (first as usize), set);
      if (numbering === MOVES && digit !== WHOLE) continue;
      // A position comes once for each digit.
      set &= ~havingCode(values, first, code, wide);
    }
    const many = popcnt(set) as i32;
    positions += many;
    if (wide) broken += writeWide(values + ((first as usize) << 1), set, many, code);
    else broken += writeNarrow(values + (first as usize), set, many, code);
  }
  putWord(ROWS, 0, positions);
  return broken;
}

/** Adds 2 ** `digit` to the bytes of a set, or makes them 255. */
function addToBytes(row: usize, set: u64): void {
  const more = digit === FULL ? 255 : 1 << digit;
  for (let quarter = 0; quarter < 4; quarter++) {
    const at = row + ((quarter as usize) << 4);
    const chosen = bytesOf(i64x2.splat(set as i64), quarterOf(quarter));
    v128.store(at, i8x16.add_sat_u(v128.load(at), v128.and(chosen, i8x16.splat(more as i8))));
  }
}

/** The positions of a row that have a code. */
function havingCode(values: usize, first: i32, code: i32, wide: bool): u64 {
  let set: u64 = 0;
  if (wide) {
    const codes = i16x8.splat(code as i16);
    for (let eighth = 0; eighth < 8; eighth++) {
      const at = values + ((first as usize) << 1) + ((eighth as usize) << 4);
      set |= (i16x8.bitmask(i16x8.eq(v128.load(at), codes)) as u32 as u64) << ((eighth as u64) << 3);
    }
    return set;
  }
  const codes = i8x16.splat(code as i8);
  for (let quarter = 0; quarter < 4; quarter++) {
    const at = values + (first as usize) + ((quarter as usize) << 4);
    set |= (i8x16.bitmask(i8x16.eq(v128.load(at), codes)) as u32 as u64) << ((quarter as u64) << 4);
  }
  return set;
}

function writeNarrow(row: usize, set: u64, many: i32, code: i32): i32 {
  let broken: i32 = 0;
  if (many < FEW) {
    for (; set; set &= set - 1) {
      const at = row + (ctz(set) as usize);
      broken += (load<i8>(at) === -128) as i32;
      store<i8>(at, code as i8);
    }
    return broken;
  }
  const codes = i8x16.splat(code as i8);
  const none = i8x16.splat(-128);
  for (let quarter = 0; quarter < 4; quarter++) {
    const at = row + ((quarter as usize) << 4);
    const chosen = bytesOf(i64x2.splat(set as i64), quarterOf(quarter));
    const before = v128.load(at);
    broken += popcnt(i8x16.bitmask(v128.and(chosen, i8x16.eq(before, none))));
    v128.store(at, v128.bitselect(codes, before, chosen));
  }
  return broken;
}

function writeWide(row: usize, set: u64, many: i32, code: i32): i32 {
  let broken: i32 = 0;
  if (many < FEW) {
    for (; set; set &= set - 1) {
      const at = row + ((ctz(set) as usize) << 1);
      broken += (load<i16>(at) === -32768) as i32;
      store<i16>(at, code as i16);
    }
    return broken;
  }
  const codes = i16x8.splat(code as i16);
  const none = i16x8.splat(-32768);
  for (let eighth = 0; eighth < 8; eighth++) {
    const at = row + ((eighth as usize) << 4);
    const chosen = wideMask(set, eighth);
    const before = v128.load(at);
    broken += popcnt(i16x8.bitmask(v128.and(chosen, i16x8.eq(before, none))));
    v128.store(at, v128.bitselect(codes, before, chosen));
  }
  return broken;
}
