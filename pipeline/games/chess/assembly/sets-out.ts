/** Sets of rows on their way out of kernels that take moves back. */
import { strikeNumbered, strikeSome } from './labels';
import { EVEN, GIVEN, makeEven, NO_NUMBERS, numbering, putDigit } from './numbers';
import { beyond, greatestOf, rankOf } from './sets';
import { bit, MAJOR, putWord } from './tables';

/** How many rows, sets or keys, have been put out. */
export let written: i32 = 0;

export function beginOut(): void {
  written = 0;
}

/** The place of the next so many rows, which the caller puts out. */
export function takeRows(count: i32): i32 {
  const first = written;
  written += count;
  return first;
}

/** Puts out a set of the row whose first key is given, unless it is empty. */
export function emitSet(major: i32, first: i32, set: u64): void {
  if (set === 0) return;
  putWord(MAJOR, written, major);
  putDigit(written++, first >> 6, set);
}

/** Where {@link sendInOrder} sends sets: the labels of the part that is struck. */
export const STRUCK: i32 = -1;

/**
 * Sends the positions that have these twins and the runner on the squares of a set, as sets of their rows: out, with `major`, or to the labels if it is
 * `STRUCK`. `base` is the key without the last group's digit. Where the greatest of the twins is beyond the runner, that man becomes the runner.
 */
export function sendInOrder(major: i32, base: i32, like: u64, set: u64): void {
  const ordered = beyond(like);
  send(major, base + (rankOf(like) << 6), set & ordered);
  if (like === 0) return;
  const greatest = bit(greatestOf(like));
  const digits = weights;
  for (let rest = set & ~ordered; rest; rest &= rest - 1) {
    const square = rest & (0 - rest);
    if (numbering !== NO_NUMBERS && major === STRUCK) {
      makeEven(digits, square);
      weights = EVEN;
    }
    send(major, base + (rankOf((like ^ greatest) | square) << 6), greatest);
    weights = digits;
  }
}

/** Where the digits are of what is struck. */
let weights: usize = GIVEN;

export function weighBy(digits: usize): void {
  weights = digits;
}

function send(major: i32, first: i32, set: u64): void {
  if (major !== STRUCK) emitSet(major, first, set);
  else strikeThrough(first, set);
}

/** Strikes a set of a row, if it is not empty, by the numbers of its positions. */
export function strikeThrough(first: i32, set: u64): void {
  if (numbering === NO_NUMBERS) strikeSome(first, set);
  else strikeNumbered(first, set, weights);
}
