/** Squares and sets of them, as ../squares.ts and ../space.ts have them. */
import {
  BACK_STEPS,
  BINOMIAL,
  BINOMIAL_ROW,
  binomial,
  KING_STEPS,
  MAN_STEPS,
  MOST_LISTED,
  putWord,
  SETS,
  word,
} from './tables';

export const LAST_RANK: i32 = 0xf0000000;
const EVEN_RANKS: i32 = 0x0f0f0f0f;
const ODD_RANKS: i32 = 0xf0f0f0f0;
const EVEN_INNER: i32 = 0x0e0e0e0e;
const ODD_INNER: i32 = 0x70707070;
/** Sets of a size begin so far apart in SETS: C(32, 3). */
const LIST: i32 = 4960;

export function upLeft(squares: i32): i32 {
  return ((squares & EVEN_INNER) << 3) | ((squares & ODD_RANKS) << 4);
}
export function upRight(squares: i32): i32 {
  return ((squares & EVEN_RANKS) << 4) | ((squares & ODD_INNER) << 5);
}
export function downLeft(squares: i32): i32 {
  return ((squares & EVEN_INNER) >>> 5) | ((squares & ODD_RANKS) >>> 4);
}
export function downRight(squares: i32): i32 {
  return ((squares & EVEN_RANKS) >>> 4) | ((squares & ODD_INNER) >>> 3);
}

/** The squares as the other player sees them. */
export function turned(squares: i32): i32 {
  let v = ((squares >>> 1) & 0x55555555) | ((squares & 0x55555555) << 1);
  v = ((v >>> 2) & 0x33333333) | ((v & 0x33333333) << 2);
  v = ((v >>> 4) & 0x0f0f0f0f) | ((v & 0x0f0f0f0f) << 4);
  v = (rotl(v, 8) & 0x00ff00ff) | (rotl(v, 24) & 0xff00ff00);
  return v;
}

/** A square as the other player sees it, as a set. */
export function turnedBit(square: i32): i32 {
  return 1 << (31 - square);
}

/** The first `ranks` (0 to 7) ranks. */
export function ranksBelow(ranks: i32): i32 {
  return (1 << (4 * ranks)) - 1;
}

/** The rank of the leading man; 0 without men. */
export function leadingRank(men: i32): i32 {
  return men === 0 ? 0 : (31 - clz(men)) >>> 2;
}

/** Where jumps of men (moving up) and kings may land. */
export function landings(men: i32, kings: i32, enemies: i32, empty: i32): i32 {
  const movers = men | kings;
  let squares = upLeft(upLeft(movers) & enemies) | upRight(upRight(movers) & enemies);
  if (kings !== 0) squares |= downLeft(downLeft(kings) & enemies) | downRight(downRight(kings) & enemies);
  return squares & empty;
}

/** Where a man that jumps may come from. */
export function menOrigins(enemies: i32, empty: i32): i32 {
  return downRight(downRight(empty) & enemies) | downLeft(downLeft(empty) & enemies);
}

/** Where a king that jumps back may come from. */
export function backOrigins(enemies: i32, empty: i32): i32 {
  return upRight(upRight(empty) & enemies) | upLeft(upLeft(empty) & enemies);
}

/** Rank of a set of squares among the sets of as many squares of `free`. */
export function rankSet(squares: i32, free: i32): i32 {
  let rank = 0;
  let row = BINOMIAL + BINOMIAL_ROW;
  for (let rest = squares; rest !== 0; rest &= rest - 1) {
    const below = (rest & -rest) - 1;
    rank += word(row, popcnt(free & below));
    row += BINOMIAL_ROW;
  }
  return rank;
}

/** The set of `count` of 32 squares that has a rank. */
export function setAt(count: i32, rank: i32): i32 {
  let squares = 0;
  let square = 31;
  while (count > MOST_LISTED) {
    while (binomial(square, count) > rank) square--;
    squares |= 1 << square;
    rank -= binomial(square, count--);
  }
  return count === 0 ? squares : squares | word(SETS, LIST * (count - 1) + rank);
}

/** The set that has the numbers `numbers` (as bits) among the squares that `taken` leaves free. */
export function deposit(numbers: i32, taken: i32): i32 {
  let squares = numbers;
  // From each square that is taken on, all move up by one.
  for (let rest = taken; rest !== 0; rest &= rest - 1) squares += squares & (rest | -rest);
  return squares;
}

/** The next set of as many squares of `free` by rank; 0 after the last. */
export function setAfter(squares: i32, free: i32): i32 {
  // The carry runs over what is taken, as if those squares were not there.
  let next = ((squares | ~free) + (squares & -squares)) & free;
  if (next === 0) return 0;
  let rest = free;
  for (let left = popcnt(squares) - popcnt(next); left > 0; left--) {
    next |= rest & -rest;
    rest &= rest - 1;
  }
  return next;
}

/** The first `count` squares of `free`. */
export function firstSet(count: i32, free: i32): i32 {
  let rest = free;
  for (let left = count; left > 0; left--) rest &= rest - 1;
  return free ^ rest;
}

for (let n = 0; n <= 32; n++) {
  putWord(BINOMIAL, n, 1);
  for (let k = 1; k <= n; k++) {
    putWord(BINOMIAL, k * 33 + n, binomial(n - 1, k) + binomial(n - 1, k - 1));
  }
}
for (let count = 1; count <= MOST_LISTED; count++) {
  let squares = (1 << count) - 1;
  for (let rank = 0; squares !== 0; rank++) {
    putWord(SETS, LIST * (count - 1) + rank, squares);
    squares = setAfter(squares, -1);
  }
}
for (let square = 0; square < 32; square++) {
  const bit = 1 << square;
  putWord(MAN_STEPS, square, upLeft(bit) | upRight(bit));
  putWord(BACK_STEPS, square, downLeft(bit) | downRight(bit));
  putWord(KING_STEPS, square, upLeft(bit) | upRight(bit) | downLeft(bit) | downRight(bit));
}
