/** Sets of squares: their images under the symmetries of the board, and as a byte for each square. */

import { binomial } from './tables';

export const ALL: u64 = ~(0 as u64);

/** The mirror image at the a1-h8 diagonal: three exchanges of blocks. */
function reflect(set: u64): u64 {
  let moved = (set ^ (set << 28)) & ((0x0f0f0f0f as u64) << 32);
  let image = set ^ moved ^ (moved >> 28);
  moved = (image ^ (image << 14)) & (((0x33330000 as u64) << 32) | 0x33330000);
  image ^= moved ^ (moved >> 14);
  moved = (image ^ (image << 7)) & (((0x55005500 as u64) << 32) | 0x55005500);
  return image ^ moved ^ (moved >> 7);
}

/** The mirror image at the middle between the files d and e (Warren, Hacker's Delight, section 7-1). */
function mirrorFiles(set: u64): u64 {
  const ones = ((0x55555555 as u64) << 32) | 0x55555555;
  const twos = ((0x33333333 as u64) << 32) | 0x33333333;
  const fours = ((0x0f0f0f0f as u64) << 32) | 0x0f0f0f0f;
  let image = ((set >> 1) & ones) | ((set & ones) << 1);
  image = ((image >> 2) & twos) | ((image & twos) << 2);
  return ((image >> 4) & fours) | ((image & fours) << 4);
}

/** The set moved by a symmetry, as SYMMETRY in geometry.ts moves squares. */
export function imageOf(set: u64, symmetry: i32): u64 {
  let image = set;
  if (symmetry & 1) image = mirrorFiles(image);
  if (symmetry & 2) image = bswap<u64>(image);
  return symmetry & 4 ? reflect(image) : image;
}

/** Bytes of 255 where 16 squares are in a set; `quarter` picks the two bytes of the set that say so. */
export function bytesOf(sets: v128, quarter: v128): v128 {
  const bits = i8x16(1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128);
  return i8x16.eq(v128.and(i8x16.swizzle(sets, quarter), bits), bits);
}

/** The quarter of a set from square 16 * `i` on, for `bytesOf`. */
export function quarterOf(i: i32): v128 {
  return i8x16.add(i8x16(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1), i8x16.splat((i << 1) as i8));
}

/** Clears the 64 bytes of a row. `memory.fill` is a call out of WebAssembly, and rows are many. */
export function clearBytes(at: usize): void {
  const none = i64x2.splat(0);
  for (let i: usize = 0; i < 64; i += 16) v128.store(at + i, none);
}

/** Rank of a set of squares among those of its size. */
export function rankOf(squares: u64): i32 {
  let rank = 0;
  for (let place = 1; squares; place++) {
    rank += binomial(ctz(squares) as i32, place);
    squares &= squares - 1;
  }
  return rank;
}

/** The greatest square of a set. */
export function greatestOf(squares: u64): i32 {
  return 63 - (clz(squares) as i32);
}

/** The squares beyond all of a set. */
export function beyond(squares: u64): u64 {
  return squares === 0 ? ~(0 as u64) : (~(0 as u64) << (greatestOf(squares) as u64)) << 1;
}

/** The digit of the last group, if it is of pieces: the rank of the others, and the greatest square. */
export function lastDigit(squares: u64): i32 {
  const last = greatestOf(squares);
  return (rankOf(squares ^ ((1 as u64) << (last as u64))) << 6) | last;
}
