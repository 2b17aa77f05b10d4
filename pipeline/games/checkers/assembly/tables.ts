/**
 * The linear memory of the kernels. It has the tables that all slices share, made when the module starts. It has what
 * gets of the slice at hand, and the buffers that keys and results pass through. Sets of squares are 32-bit words.
 * What depends on men is made when it is first needed (space.ts); all else has a fixed size.
 */

import { word } from '../../assembly/words';

export { putWord, word } from '../../assembly/words';

/** i32, at k * 33 + n: C(n, k). */
export const BINOMIAL: usize = memory.data(33 * 33 * 4, 16);
/** Bytes from k to k + 1. */
export const BINOMIAL_ROW: usize = 33 * 4;
/** Sets of up to so many squares are listed; greater ones are found by their greatest squares. */
export const MOST_LISTED: i32 = 3;
/** i32, at 4960 * (count - 1): the sets of `count` squares by rank. */
export const SETS: usize = memory.data(3 * 4960 * 4, 16);
/** i32, by square: the squares that a man, a king and a man going back may step to. */
export const MAN_STEPS: usize = memory.data(32 * 4, 16);
export const KING_STEPS: usize = memory.data(32 * 4, 16);
export const BACK_STEPS: usize = memory.data(32 * 4, 16);

/** Bytes of a space (space.ts). */
export const TARGET: usize = 80;
/** Spaces: of the positions that are read, and of the slice's other side. */
export const HERE: usize = memory.data(80, 16);
export const THERE: usize = memory.data(80, 16);
/** Spaces that conversions lead to, and i32, by the number of a kind of conversion: which of them. */
export const MOST_TARGETS: i32 = 2048;
export const TARGETS: usize = memory.data(2048 * 80, 16);
export const MOST_KINDS: i32 = 4096;
export const KINDS: usize = memory.data(4096 * 4, 16);
/** i32, at 2 * dependency + side: what is added to parts there. */
export const MOST_BIASES: i32 = 4096;
export const BIAS: usize = memory.data(4096 * 4, 16);

/** i32: keys in, at most so many at a time. */
export const MOST_KEYS: i32 = 2048;
export const KEYS: usize = memory.data(2048 * 4, 16);
/** i32: rows out, and how many the last call wrote. */
export const MOST_ROWS: i32 = 8192;
export const MINOR: usize = memory.data(8192 * 4, 16);
export const MAJOR: usize = memory.data(8192 * 4, 16);
export const SOURCE: usize = memory.data(8192 * 4, 16);
export const ROWS: usize = memory.data(4, 16);

/**
 * For at most so many indices at a time. u8: counts of moves, and of conversions or marks. Then a bit for each, and
 * i32: keys that are lost.
 */
export const MOST_INDICES: i32 = 4096;
export const COUNTS: usize = memory.data(4096, 16);
export const CONVERSIONS: usize = memory.data(4096, 16);
export const OPEN: usize = memory.data(512, 16);
export const LOST: usize = memory.data(4096 * 4, 16);

/** usize, as BIAS: the column of values of a table, or 0 if it is not held; and u8: whether it has 16 bits (resident.ts). */
export const VALUES: usize = memory.data(4096 * 4, 16);
export const WIDE: usize = memory.data(4096, 16);
/** u16, by code as an unsigned number: the rank of a move there. Tables of 8 bits, of 16, and the slice's own values. */
export const NARROW_RANKS: usize = memory.data(256 * 2, 16);
export const WIDE_RANKS: usize = memory.data(65536 * 2, 16);
export const OWN_RANKS: usize = memory.data(65536 * 2, 16);

export function binomial(n: i32, k: i32): i32 {
  return word(BINOMIAL, k * 33 + n);
}

/** Where the memory is that has no use yet. */
let free: usize = __heap_base;

/** Memory that stays in use, on a multiple of 16. */
export function allocate(bytes: usize): usize {
  const at = (free + 15) & ~15;
  free = at + bytes;
  const pages = ((free + 0xffff) >> 16) as i32;
  if (pages > memory.size() && memory.grow(pages - memory.size()) < 0) unreachable();
  return at;
}

/** Behind all that stays in use. */
export function allocated(): usize {
  return (free + 15) & ~15;
}
