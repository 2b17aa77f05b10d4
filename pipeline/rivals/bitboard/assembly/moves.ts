/** Moves and mirror images of two sets of squares at once, each a word: a1 is the lowest bit. */
import { KNIGHT } from '../../../games/chess/assembly/tables';

// Kinds of men that slide.
export const ROOK: i32 = 1;
export const BISHOP: i32 = 2;

const WITHOUT_A: i64 = ((0xfefefefe as i64) << 32) | 0xfefefefe;
const WITHOUT_AB: i64 = ((0xfcfcfcfc as i64) << 32) | 0xfcfcfcfc;
const WITHOUT_H: i64 = ((0x7f7f7f7f as i64) << 32) | 0x7f7f7f7f;
const WITHOUT_GH: i64 = ((0x3f3f3f3f as i64) << 32) | 0x3f3f3f3f;
const ALL: i64 = -1;

/**
 * The squares that a man of `kind` reaches in one move from those of a set. A sliding man passes over `empty` squares only: fills
 * that double their length (the Kogge-Stone algorithm of chess programs). It may start on a square that is not empty.
 */
export function reach(kind: i32, sets: v128, empty: v128): v128 {
  if (kind === KNIGHT) return jump(sets);
  let reached = i64x2.splat(0);
  if (kind !== BISHOP) {
    reached = v128.or(slideUp(sets, empty, 1, WITHOUT_A), slideUp(sets, empty, 8, ALL));
    reached = v128.or(reached, slideDown(sets, empty, 1, WITHOUT_H));
    reached = v128.or(reached, slideDown(sets, empty, 8, ALL));
  }
  if (kind !== ROOK) {
    reached = v128.or(reached, slideUp(sets, empty, 9, WITHOUT_A));
    reached = v128.or(reached, slideUp(sets, empty, 7, WITHOUT_H));
    reached = v128.or(reached, slideDown(sets, empty, 9, WITHOUT_H));
    reached = v128.or(reached, slideDown(sets, empty, 7, WITHOUT_A));
  }
  return reached;
}

/** One direction towards higher squares; `board` cuts off what leaves the edge of the board. */
function slideUp(sets: v128, empty: v128, by: i32, board: i64): v128 {
  const onBoard = i64x2.splat(board);
  let open = v128.and(empty, onBoard);
  let passed = v128.or(sets, v128.and(open, i64x2.shl(sets, by)));
  open = v128.and(open, i64x2.shl(open, by));
  passed = v128.or(passed, v128.and(open, i64x2.shl(passed, 2 * by)));
  open = v128.and(open, i64x2.shl(open, 2 * by));
  passed = v128.or(passed, v128.and(open, i64x2.shl(passed, 4 * by)));
  return v128.and(i64x2.shl(passed, by), onBoard);
}

function slideDown(sets: v128, empty: v128, by: i32, board: i64): v128 {
  const onBoard = i64x2.splat(board);
  let open = v128.and(empty, onBoard);
  let passed = v128.or(sets, v128.and(open, i64x2.shr_u(sets, by)));
  open = v128.and(open, i64x2.shr_u(open, by));
  passed = v128.or(passed, v128.and(open, i64x2.shr_u(passed, 2 * by)));
  open = v128.and(open, i64x2.shr_u(open, 2 * by));
  passed = v128.or(passed, v128.and(open, i64x2.shr_u(passed, 4 * by)));
  return v128.and(i64x2.shr_u(passed, by), onBoard);
}

function jump(sets: v128): v128 {
  const near = v128.or(
    v128.and(i64x2.shl(sets, 1), i64x2.splat(WITHOUT_A)),
    v128.and(i64x2.shr_u(sets, 1), i64x2.splat(WITHOUT_H)),
  );
  const far = v128.or(
    v128.and(i64x2.shl(sets, 2), i64x2.splat(WITHOUT_AB)),
    v128.and(i64x2.shr_u(sets, 2), i64x2.splat(WITHOUT_GH)),
  );
  return v128.or(
    v128.or(i64x2.shl(near, 16), i64x2.shr_u(near, 16)),
    v128.or(i64x2.shl(far, 8), i64x2.shr_u(far, 8)),
  );
}

/**
 * The sets whose square x is square symmetry(x) of those given. They are mirrored by shuffles as in Koistinen 2001
 * ("Mirroring code"), instead of the 16-bit tables of Wendroff et al. 1993, section 7.
 */
export function mirrored(symmetry: i32, sets: v128): v128 {
  let image = sets;
  if (symmetry & 4) {
    let moved = v128.and(v128.xor(image, i64x2.shl(image, 28)), i64x2.splat((0x0f0f0f0f as i64) << 32));
    image = v128.xor(image, v128.xor(moved, i64x2.shr_u(moved, 28)));
    moved = v128.and(v128.xor(image, i64x2.shl(image, 14)), i32x4.splat(0x33330000));
    image = v128.xor(image, v128.xor(moved, i64x2.shr_u(moved, 14)));
    moved = v128.and(v128.xor(image, i64x2.shl(image, 7)), i32x4.splat(0x55005500));
    image = v128.xor(image, v128.xor(moved, i64x2.shr_u(moved, 7)));
  }
  if (symmetry & 2) {
    image = i8x16.swizzle(image, i8x16(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8));
  }
  if (symmetry & 1) {
    image = exchange(image, 1, i8x16.splat(0x55));
    image = exchange(image, 2, i8x16.splat(0x33));
    image = exchange(image, 4, i8x16.splat(0x0f));
  }
  return image;
}

/** Exchanges neighbouring groups of `by` bits; `lower` has the lower ones. */
function exchange(sets: v128, by: i32, lower: v128): v128 {
  return v128.or(v128.and(i64x2.shr_u(sets, by), lower), i64x2.shl(v128.and(sets, lower), by));
}

/** The mirror image of one set. */
export function mirror(symmetry: i32, set: u64): u64 {
  return i64x2.extract_lane(mirrored(symmetry, i64x2.splat(set as i64)), 0) as u64;
}
