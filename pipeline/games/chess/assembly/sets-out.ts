/** The output of kernels that take moves back: sets of rows. */
import { strikeNumbered, strikeSome } from './labels';
import { EVEN, GIVEN, makeEven, NO_NUMBERS, numbering, putDigit } from './numbers';
import { beyond, greatestOf, rankOf } from './sets';
import { bit, MAJOR, MOST_PARTS, putWord, word } from './tables';

/** Rows of output so far: sets or keys. */
export let written: i32 = 0;

export function beginOut(): void {
  written = 0;
  unlabelled = 0;
}

/** i32, by side and part: where the bits of its positions are that are not labelled; 0 of a part whose bits are not in memory. */
export const UNLABELLED: usize = memory.data(2 * MOST_PARTS * 4, 16);
/** Where the addresses of a side are, less 4 bytes for each major before those of its parts; 0: nothing is left out. */
let unlabelled: usize = 0;
/** Sets that were left out since the last `resetLeftOut`: all of their positions are labelled. */
export let leftOut: i32 = 0;

export function resetLeftOut(): void {
  leftOut = 0;
}

/** Leaves out labelled positions of a side, whose parts have majors from `bias` on. */
export function leaveOut(side: i32, bias: i32): void {
  unlabelled = UNLABELLED + ((side * MOST_PARTS - bias) << 2);
}

/** Reserves the next `count` rows of output, which the caller writes. Returns the place of the first. */
export function takeRows(count: i32): i32 {
  const first = written;
  written += count;
  return first;
}

/** Writes a set to the output unless it is empty, or nothing is left of it. @param first key of its row. */
export function emitSet(major: i32, first: i32, set: u64): void {
  if (set === 0) return;
  let sent = set;
  if (unlabelled !== 0) {
    const bits = word(unlabelled, major) as usize;
    if (bits !== 0) {
      sent &= load<u64>(bits + ((first as usize) >> 3));
      if (sent === 0) {
        leftOut++;
        return;
      }
    }
  }
  putWord(MAJOR, written, major);
  putDigit(written++, first >> 6, sent);
}

/** In place of `major` in {@link sendInOrder}: the labels of the part get the sets, not the output. */
export const STRUCK: i32 = -1;

/**
 * Sends the positions with the twins on `like` and the runner on a square of `set`, as sets of their rows: to the output, with `major`, or to the
 * labels if that is `STRUCK`. `base` is the key without the last group's digit. Twins are men like the runner, and the runner is the last of
 * them, so where a twin stands beyond it, the two change roles.
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

/** Where the numbers are by which positions are struck. */
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
