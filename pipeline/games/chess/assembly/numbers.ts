/**
 * Numbers of positions (pipeline/game/rows.ts): how many shortest solutions they have, or how many best moves. The 64 numbers of a row are
 * eight words, one for each binary digit, so an addition of 64 numbers is a few operations on words (bit slicing). A number stays at 255 once
 * it gets there.
 *
 * Kernels with numbers take and return sets under `row << 4 | digit` in place of `row`. Such a set adds 2 ** digit to the number of each of its
 * positions. Digit 8, {@link FULL}, stands for 255 or more. {@link WHOLE} in place of a digit stands for the positions, whatever their numbers.
 */
import { KEYS, putSet, setIn, squaresAt, word } from './tables';

/** No numbers; numbers of solutions, which are sums over the moves; numbers of best moves, each of which counts one. */
export const NO_NUMBERS: i32 = 0;
export const SUMS: i32 = 1;
export const MOVES: i32 = 2;
export let numbering: i32 = NO_NUMBERS;
/** Bits behind the row that hold the digit: 4, or 0 without numbers. */
export let digitBits: i32 = 0;

export const DIGITS: i32 = 8;
export const ALL_DIGITS: i32 = 15;
/** The digit that saturates. */
export const FULL: i32 = 8;
/** In place of a digit: labelled positions, whatever their numbers. They add one where moves are counted. */
export const WHOLE: i32 = 15;

/** Chooses what all kernels count from now on. */
export function countNumbers(how: i32): void {
  numbering = how;
  digitBits = how === NO_NUMBERS ? 0 : 4;
}

/** The digit of the set that is sent. */
export let digit: i32 = 0;

export function sendDigit(sent: i32): void {
  digit = sent;
}

/** The first key of the i-th row that came in; `digit` becomes that of its set. */
export function firstKeyIn(i: i32): i32 {
  const row = word(KEYS, i);
  if (numbering === NO_NUMBERS) return row << 6;
  digit = row & ALL_DIGITS;
  return (row >> digitBits) << 6;
}

/** As `putSet`, with the digit of the set that is sent. */
export function putDigit(n: i32, row: i32, set: u64): void {
  putSet(n, numbering === NO_NUMBERS ? row : (row << digitBits) | digit, set);
}

/** u64, by digit up to FULL: which positions of a row add 2 ** digit. GIVEN is for moves that shift all positions of a row alike. */
export const GIVEN: usize = memory.data(9 * 8, 16);
/** The same: SUM where each position gets a sum of its own, EVEN where all get the same number. */
export const SUM: usize = memory.data(9 * 8, 16);
export const EVEN: usize = memory.data(9 * 8, 16);

export function clearDigits(digits: usize): void {
  for (let k: usize = 0; k < 72; k += 8) store<u64>(digits + k, 0);
}

/** Adds 2 ** from to the number of each position of a set. */
export function addTo(digits: usize, set: u64, from: i32): void {
  let carry = set;
  for (let k = digits + ((from as usize) << 3); carry !== 0 && k < digits + 64; k += 8) {
    const bits = load<u64>(k);
    store<u64>(k, bits ^ carry);
    carry &= bits;
  }
  if (carry !== 0) saturate(digits, carry);
}

function saturate(digits: usize, set: u64): void {
  for (let k = digits; k < digits + 64; k += 8) store<u64>(k, load<u64>(k) | set);
}

/** Adds the numbers in `others` to those in `digits`, for the positions of a set: a full adder, digit by digit. */
export function addDigits(digits: usize, others: usize, set: u64): void {
  let carry: u64 = 0;
  for (let k: usize = 0; k < 64; k += 8) {
    const bits = load<u64>(digits + k);
    const more = load<u64>(others + k) & set;
    const both = bits ^ more;
    store<u64>(digits + k, both ^ carry);
    carry = (bits & more) | (carry & both);
  }
  carry |= load<u64>(others + 64) & set;
  if (carry !== 0) saturate(digits, carry);
}

/** Gives all positions of EVEN the number that one position has in `digits`. */
export function makeEven(digits: usize, position: u64): void {
  for (let k: usize = 0; k < 72; k += 8) {
    const has = load<u64>(digits + k) & position;
    store<u64>(EVEN + k, has === 0 ? 0 : ~(0 as u64));
  }
}

/** Adds the number that one position has in GIVEN to the sums of all positions of a set. */
export function addEven(position: u64, set: u64): void {
  let carry: u64 = 0;
  for (let k: usize = 0; k < 64; k += 8) {
    const bits = load<u64>(SUM + k);
    const more: u64 = load<u64>(GIVEN + k) & position ? set : 0;
    if ((more | carry) === 0) continue;
    const both = bits ^ more;
    store<u64>(SUM + k, both ^ carry);
    carry = (bits & more) | (carry & both);
  }
  if (load<u64>(GIVEN + 64) & position) carry |= set;
  if (carry !== 0) saturate(SUM, carry);
}

/**
 * Reads the sets that came in for the row of the i-th set, and writes their numbers to GIVEN. Returns the index of the first set of another
 * row. `given` becomes the positions of the row that have a number.
 */
export function takeRow(i: i32, count: i32): i32 {
  const row = word(KEYS, i) >> digitBits;
  clearDigits(GIVEN);
  given = 0;
  let next = i;
  for (; next < count && word(KEYS, next) >> digitBits === row; next++) {
    const k = word(KEYS, next) & ALL_DIGITS;
    const set = setIn(next);
    if (numbering === MOVES) {
      if (k !== WHOLE) continue;
      addGiven(0, set);
    } else addGiven(k, set);
    given |= set;
  }
  return next;
}

/** A row may come in several sets of one digit: where a batch of keys ended within it. */
function addGiven(k: i32, set: u64): void {
  const at = GIVEN + ((k as usize) << 3);
  store<u64>(at, load<u64>(at) | set);
}

/** The positions of the row that `takeRow` took. */
export let given: u64 = 0;

/** Which of the positions have the greatest number, 255. */
export function fullOf(digits: usize, set: u64): u64 {
  let full = set;
  for (let k: usize = 0; k < 64; k += 8) full &= load<u64>(digits + k);
  return full;
}

/** Appends the digits of a row's positions to the n sets of output, and, where moves are counted, the positions. Returns the new n. */
export function putNumbers(n: i32, row: i32, set: u64, digits: usize): i32 {
  const full = fullOf(digits, set);
  for (let k = 0; k < DIGITS; k++) {
    const some = squaresAt(digits, k) & set & ~full;
    if (some !== 0) putSet(n++, (row << digitBits) | k, some);
  }
  if (full !== 0) putSet(n++, (row << digitBits) | FULL, full);
  if (numbering === MOVES) putSet(n++, (row << digitBits) | WHOLE, set);
  return n;
}

/** Most sets of output for one row. */
export const MOST_DIGIT_SETS: i32 = 10;
