/**
 * The linear memory of the kernels. Its tables of the geometry and of the index space are written once, from those of
 * geometry.ts and index-space.ts. Keys come in and rows go out by its buffers. All sizes are fixed, so there is no
 * allocator. Sets of squares are 64-bit words, a1 the lowest bit.
 */

import { putWord, word } from '../../assembly/words';

export { putWord, word } from '../../assembly/words';

export const ROOK = 1;
export const BISHOP = 2;
export const KNIGHT = 3;
export const KING = 4;

/** u64, at m * 64 + from: the squares that a man on m hides from a man on `from`. */
export const BEHIND: usize = memory.data(65 * 64 * 8, 16);
/** u64, at from * 64 + to: the squares strictly between two squares of a line, else none. */
export const BETWEEN: usize = memory.data(64 * 64 * 8, 16);
/** u64, at kind * 64 + square: where a man reaches on an empty board. */
export const MOBILITY: usize = memory.data(5 * 64 * 8, 16);
/** u64, at (square * 4 + line) * 2: of the rank, file, diagonal and antidiagonal the squares below a square, and those above. */
export const LINES: usize = memory.data(64 * 4 * 2 * 8, 16);
/** i32, at square * 8 + symmetry: the square's image. */
export const IMAGE: usize = memory.data(65 * 8 * 4, 16);
/** i32, at k * 65 + n: C(n, k), k to 5. */
export const BINOMIAL: usize = memory.data(6 * 65 * 4, 16);
/** i32, by rank: the two squares of a couple, the lower in the low six bits. */
export const COUPLES: usize = memory.data(2016 * 4, 16);
/** i32: for any two squares of kings, at white * 64 + black, the canonical pair or -1, and the symmetry that leads to it. */
export const PAIR_OF: usize = memory.data(4096 * 4, 16);
export const PAIR_SYMMETRY: usize = memory.data(4096 * 4, 16);
/** i32, of each of the 462 pairs: squares of the kings. */
export const PAIR_WHITE: usize = memory.data(462 * 4, 16);
export const PAIR_BLACK: usize = memory.data(462 * 4, 16);

/** i32, of each man: see Space. The bit-parallel rival has them. */
export const KIND: usize = memory.data(8 * 4, 16);
export const SIDE: usize = memory.data(8 * 4, 16);

/** Parts of a slice at most: pairs of kings where there are pawns. */
export const MOST_PARTS: i32 = 1806;

/** i32: keys in, at most so many at a time. */
export const MOST_KEYS: i32 = 2048;
export const KEYS: usize = memory.data(2048 * 4, 16);
/** i32: rows out, and how many the last call wrote. What rows of a dependency are turned into may be more. */
export const MOST_ROWS: i32 = 8192;
export const MOST_BEHIND: i32 = 16384;
export const MINOR: usize = memory.data(16384 * 4, 16);
export const MAJOR: usize = memory.data(16384 * 4, 16);
export const SOURCE: usize = memory.data(8192 * 4, 16);
export const ROWS: usize = memory.data(4, 16);
/** u32: the halves of sets that come in, where KEYS is their rows. */
export const LOW_IN: usize = memory.data(2048 * 4, 16);
export const HIGH_IN: usize = memory.data(2048 * 4, 16);
/** u32: the halves of sets that go out, where MINOR is their rows. */
export const LOW: usize = memory.data(16384 * 4, 16);
export const HIGH: usize = memory.data(16384 * 4, 16);

export function squaresAt(table: usize, i: i32): u64 {
  return load<u64>(table + ((i as usize) << 3));
}

export function putSquares(table: usize, i: i32, value: u64): void {
  store<u64>(table + ((i as usize) << 3), value);
}

/** A half of a set. (A cast of an i32 to u32 and then to u64 would keep its sign.) */
export function half(table: usize, i: i32): u64 {
  return load<u32>(table + ((i as usize) << 2));
}

/** The i-th set that comes in. */
export function setIn(i: i32): u64 {
  return (half(HIGH_IN, i) << 32) | half(LOW_IN, i);
}

/** Puts a set, and its row, behind the n sets that go out. */
export function putSet(n: i32, row: i32, set: u64): void {
  putWord(MINOR, n, row);
  putWord(LOW, n, set as i32);
  putWord(HIGH, n, (set >> 32) as i32);
}

/** Puts a key, and its major, behind the n rows that go out. */
export function putRow(n: i32, major: i32, key: i32): void {
  putWord(MAJOR, n, major);
  putWord(MINOR, n, key);
}

/** The set {square}. */
export function bit(square: i32): u64 {
  return (1 as u64) << (square as u64);
}

export function binomial(n: i32, k: i32): i32 {
  return word(BINOMIAL, k * 65 + n);
}

export function image(square: i32, symmetry: i32): i32 {
  return word(IMAGE, (square << 3) | symmetry);
}
