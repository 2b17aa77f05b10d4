/** Sets of rows on their way out of kernels that take moves back. */
import { strikeSome } from './labels';
import { beyond, greatestOf, rankOf } from './sets';
import { bit, MAJOR, putSet, putWord } from './tables';

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
  putSet(written++, first >> 6, set);
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
  for (let rest = set & ~ordered; rest; rest &= rest - 1) {
    send(major, base + (rankOf((like ^ greatest) | (rest & (0 - rest))) << 6), greatest);
  }
}

function send(major: i32, first: i32, set: u64): void {
  if (major === STRUCK) strikeSome(first, set);
  else emitSet(major, first, set);
}
