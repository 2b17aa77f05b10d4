/** Sets of squares under the symmetries of the board. */

/** Squares on the a1-h8 diagonal, and those on or below it. */
export const DIAGONAL: u64 = ((0x80402010 as u64) << 32) | 0x08040201;
export const LOWER: u64 = ((0x80c0e0f0 as u64) << 32) | 0xf8fcfeff;

/** The mirror image at the a1-h8 diagonal: three exchanges of blocks. */
export function reflect(set: u64): u64 {
  let moved = (set ^ (set << 28)) & ((0x0f0f0f0f as u64) << 32);
  let image = set ^ moved ^ (moved >> 28);
  moved = (image ^ (image << 14)) & (((0x33330000 as u64) << 32) | 0x33330000);
  image ^= moved ^ (moved >> 14);
  moved = (image ^ (image << 7)) & (((0x55005500 as u64) << 32) | 0x55005500);
  return image ^ moved ^ (moved >> 7);
}

/** Files a to h become h to a. */
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
