/**
 * A row of placements for audits (rows.ts): where its men stand, but for the row man, and where that man may stand. *Lanes* are squares of
 * the row man.
 */
import { greatestAlike, waysAlike } from './alike';
import { BOARD } from './numbers';
import { word } from './tables';

/** u8, by man: its kind, its side; whether squares of it are counted from 8. */
export const MAN_KIND: usize = memory.data(8, 16);
export const MAN_SIDE: usize = memory.data(8, 16);
/**
 * i32: men by weight in the placement, like men that are one number first, the row man last. Then how many values
 * each has, and its least square.
 */
export const DIGIT_MAN: usize = memory.data(8 * 4, 16);
export const DIGIT_VALUES: usize = memory.data(8 * 4, 16);
export const DIGIT_LEAST: usize = memory.data(8 * 4, 16);
/** u8, at direction * 64 + square: the next square, 64 off the board. Directions: four straight, four oblique, eight jumps. */
export const NEXT: usize = memory.data(16 * 64, 16);

/** i8: the man on a square, the row man left out; -1. */
const MAN_AT: usize = memory.data(64, 16);

/** All squares. */
const EVERY: u64 = ~(0 as u64);
export const PAWN = 1;
export const KNIGHT = 2;
export const BISHOP = 3;
export const ROOK = 4;
export const QUEEN = 5;

export let men: i32 = 0;
/** The row man. */
export let row: i32 = 0;
let digits: i32 = 0;
/** The like men that are one number, the first of the digits; 0 of none. */
let alike: i32 = 0;

export function setMen(count: i32, rowMan: i32, alikeMen: i32): void {
  men = count;
  row = rowMan;
  digits = count - 2;
  alike = alikeMen;
}

export function at(man: i32): i32 {
  return load<u8>(BOARD + man) as i32;
}

export function put(man: i32, square: i32): void {
  store<u8>(BOARD + man, square as u8);
}

export function kind(man: i32): i32 {
  return load<u8>(MAN_KIND + man) as i32;
}

export function sideOf(man: i32): i32 {
  return load<u8>(MAN_SIDE + man) as i32;
}

export function manAt(square: i32): i32 {
  return load<i8>(MAN_AT + square) as i32;
}

export function next(direction: i32, square: i32): i32 {
  return load<u8>(NEXT + (direction << 6) + square) as i32;
}

/** Puts all men but the row man where a row of these kings has them. False if two are on one square. */
export function placeRow(white: i32, black: i32, number: i32): bool {
  memory.fill(MAN_AT, 0xff, 64);
  put(0, white);
  put(1, black);
  store<u8>(MAN_AT + white, 0);
  store<u8>(MAN_AT + black, 1);
  let rest = number as u32;
  for (let digit = digits - 2; digit >= alike; digit--) {
    const values = word(DIGIT_VALUES, digit) as u32;
    if (!placeDigit(digit, (rest % values) as i32)) return false;
    rest /= values;
  }
  for (let left = alike; left > 0; left--) {
    const greatest = greatestAlike(left, rest as i32);
    if (!placeDigit(left - 1, greatest)) return false;
    rest -= waysAlike(left, greatest) as u32;
  }
  return true;
}

/** False if another man is there. */
function placeDigit(digit: i32, value: i32): bool {
  const man = word(DIGIT_MAN, digit);
  const square = value + word(DIGIT_LEAST, digit);
  if (manAt(square) >= 0) return false;
  store<u8>(MAN_AT + square, man as u8);
  put(man, square);
  return true;
}

/** The squares where the row man may stand, other men aside. */
export function firstLane(): i32 {
  return kind(row) === PAWN ? 8 : 0;
}

export function endLane(): i32 {
  return kind(row) === PAWN ? 56 : 64;
}

export function freeLanes(): u64 {
  let free: u64 = kind(row) === PAWN ? (EVERY >> 16) << 8 : EVERY;
  for (let man = 0; man < men; man++) if (man !== row) free &= ~((1 as u64) << at(man));
  return free;
}

/** The squares of the row man with which the king of a side is attacked. */
export function attackedLanes(side: i32): u64 {
  const king = at(side);
  const isRowFoe = sideOf(row) !== side;
  const rowKind = kind(row);
  let lanes: u64 = 0;
  for (let direction = 0; direction < 8; direction++) {
    const slider = direction < 4 ? ROOK : BISHOP;
    let passed: u64 = 0;
    for (let to = next(direction, king); to < 64; to = next(direction, to)) {
      const man = manAt(to);
      if (man < 0) {
        passed |= (1 as u64) << to;
        continue;
      }
      if (sideOf(man) !== side && (kind(man) === slider || kind(man) === QUEEN)) lanes |= ~passed;
      break;
    }
    if (isRowFoe && (rowKind === slider || rowKind === QUEEN)) lanes |= passed;
  }
  for (let direction = 8; direction < 16; direction++) {
    const from = next(direction, king);
    if (from < 64) lanes |= lanesOf(from, KNIGHT, side);
  }
  const rank = king + (side === 0 ? 8 : -8);
  if (rank >= 0 && rank < 64) {
    if ((king & 7) > 0) lanes |= lanesOf(rank - 1, PAWN, side);
    if ((king & 7) < 7) lanes |= lanesOf(rank + 1, PAWN, side);
  }
  return lanes;
}

/** The squares of the row man with which a foe of this kind stands on a square. */
function lanesOf(square: i32, is: i32, side: i32): u64 {
  const man = manAt(square);
  if (man >= 0) return sideOf(man) !== side && kind(man) === is ? EVERY : 0;
  return sideOf(row) !== side && kind(row) === is ? (1 as u64) << square : 0;
}
