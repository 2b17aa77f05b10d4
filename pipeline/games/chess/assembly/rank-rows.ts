/**
 * Ranks of rows: a byte for each of the 64 squares of the last man. What the mover likes better has more, what is no
 * move has 0. Rows lie a rank of the board in eight bytes, so that steps on the board are shifts of words and of
 * addresses.
 */

import { bytesOf } from './sets';
import { KING, word } from './tables';

// Kinds of men besides queens.
const ROOK: i32 = 1;
const BISHOP: i32 = 2;
const KNIGHT: i32 = 3;

/** i32, by major: where the ranks of a part are, 0 if they are not there. */
let ranksAt: usize = 0;

export function placeRanks(at: usize): void {
  ranksAt = at;
}

/** Where the ranks of the part with this major are, 0 if they are not there. */
export function ranksOf(major: i32): i32 {
  return word(ranksAt, major);
}

/** Raises one position. */
export function raiseOne(at: usize, rank: u8): void {
  if (rank > load<u8>(at)) store<u8>(at, rank);
}

/** A row with as many zero bytes before and behind it, for what comes from beyond the edge of the board. */
const FOUND: usize = memory.data(3 * 64, 16) + 64;
const OPEN: usize = memory.data(3 * 64, 16) + 64;

function firstBytes(sets: v128): v128 {
  return bytesOf(sets, i8x16(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1));
}

function secondBytes(sets: v128): v128 {
  return bytesOf(sets, i8x16(2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3));
}

function thirdBytes(sets: v128): v128 {
  return bytesOf(sets, i8x16(4, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5, 5, 5, 5, 5));
}

function fourthBytes(sets: v128): v128 {
  return bytesOf(sets, i8x16(6, 6, 6, 6, 6, 6, 6, 6, 7, 7, 7, 7, 7, 7, 7, 7));
}

/** Writes the bytes of a set. */
export function spread(set: u64, at: usize): void {
  const sets = i64x2.splat(set as i64);
  v128.store(at, firstBytes(sets));
  v128.store(at + 16, secondBytes(sets));
  v128.store(at + 32, thirdBytes(sets));
  v128.store(at + 48, fourthBytes(sets));
}

/** Leaves the ranks of a set only. */
export function keepSet(at: usize, set: u64): void {
  const sets = i64x2.splat(set as i64);
  v128.store(at, v128.and(v128.load(at), firstBytes(sets)));
  v128.store(at + 16, v128.and(v128.load(at + 16), secondBytes(sets)));
  v128.store(at + 32, v128.and(v128.load(at + 32), thirdBytes(sets)));
  v128.store(at + 48, v128.and(v128.load(at + 48), fourthBytes(sets)));
}

/** Raises a row by another. */
export function raise(at: usize, by: usize): void {
  v128.store(at, i8x16.max_u(v128.load(at), v128.load(by)));
  v128.store(at + 16, i8x16.max_u(v128.load(at + 16), v128.load(by + 16)));
  v128.store(at + 32, i8x16.max_u(v128.load(at + 32), v128.load(by + 32)));
  v128.store(at + 48, i8x16.max_u(v128.load(at + 48), v128.load(by + 48)));
}

/** As `raise`, in a set only. */
export function raiseIn(set: u64, at: usize, by: usize): void {
  const sets = i64x2.splat(set as i64);
  v128.store(at, i8x16.max_u(v128.load(at), v128.and(v128.load(by), firstBytes(sets))));
  v128.store(at + 16, i8x16.max_u(v128.load(at + 16), v128.and(v128.load(by + 16), secondBytes(sets))));
  v128.store(at + 32, i8x16.max_u(v128.load(at + 32), v128.and(v128.load(by + 32), thirdBytes(sets))));
  v128.store(at + 48, i8x16.max_u(v128.load(at + 48), v128.and(v128.load(by + 48), fourthBytes(sets))));
}

/** Raises the squares of a set by one rank. */
export function raiseAll(set: u64, at: usize, rank: u8): void {
  const sets = i64x2.splat(set as i64);
  const ranks = i8x16.splat(rank);
  v128.store(at, i8x16.max_u(v128.load(at), v128.and(ranks, firstBytes(sets))));
  v128.store(at + 16, i8x16.max_u(v128.load(at + 16), v128.and(ranks, secondBytes(sets))));
  v128.store(at + 32, i8x16.max_u(v128.load(at + 32), v128.and(ranks, thirdBytes(sets))));
  v128.store(at + 48, i8x16.max_u(v128.load(at + 48), v128.and(ranks, fourthBytes(sets))));
}

/** Raises each square by the rank that its image under a symmetry has in another row. */
export function raiseByImages(at: usize, by: usize, symmetry: i32): void {
  let a = v128.load(by);
  let b = v128.load(by + 16);
  let c = v128.load(by + 32);
  let d = v128.load(by + 48);
  if (symmetry & 4) {
    // Three perfect shuffles exchange the file's three bits of the square with those of the rank.
    for (let i = 0; i < 3; i++) {
      const e = i8x16.shuffle(a, c, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
      const f = i8x16.shuffle(a, c, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
      const g = i8x16.shuffle(b, d, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
      d = i8x16.shuffle(b, d, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
      a = e;
      b = f;
      c = g;
    }
  }
  if (symmetry & 2) {
    const e = i64x2.shuffle(d, d, 1, 0);
    const f = i64x2.shuffle(c, c, 1, 0);
    c = i64x2.shuffle(b, b, 1, 0);
    d = i64x2.shuffle(a, a, 1, 0);
    a = e;
    b = f;
  }
  if (symmetry & 1) {
    const files = i8x16(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8);
    a = i8x16.swizzle(a, files);
    b = i8x16.swizzle(b, files);
    c = i8x16.swizzle(c, files);
    d = i8x16.swizzle(d, files);
  }
  v128.store(at, i8x16.max_u(v128.load(at), a));
  v128.store(at + 16, i8x16.max_u(v128.load(at + 16), b));
  v128.store(at + 32, i8x16.max_u(v128.load(at + 32), c));
  v128.store(at + 48, i8x16.max_u(v128.load(at + 48), d));
}

/** What a row's images are in, before some of them are taken. */
const IMAGES: usize = memory.data(64, 16);

/** As `raiseByImages`, in a set only. */
export function raiseByImagesIn(set: u64, at: usize, by: usize, symmetry: i32): void {
  memory.fill(IMAGES, 0, 64);
  raiseByImages(IMAGES, by, symmetry);
  raiseIn(set, at, IMAGES);
}

/**
 * The bytes a step further on the board than each of 16 squares: `offset` bytes behind the row, `right` or `left` bits in its
 * rank. At most one of `right` and `left` is not 0.
 */
function further(at: usize, offset: i32, right: i32, left: i32): v128 {
  return i64x2.shl(i64x2.shr_u(v128.load(at + offset), right), left);
}

/** FOUND raised by what is a step further, as far as OPEN says that nothing stands there or between. */
function findFurther(offset: i32, right: i32, left: i32): void {
  for (let q = 0; q < 64; q += 16) {
    const found = v128.and(further(FOUND + q, offset, right, left), v128.load(OPEN + q));
    v128.store(FOUND + q, i8x16.max_u(v128.load(FOUND + q), found));
  }
}

/** OPEN where it is open a step further, too. */
function openFurther(offset: i32, right: i32, left: i32): void {
  const a = further(OPEN, offset, right, left);
  const b = further(OPEN + 16, offset, right, left);
  const c = further(OPEN + 32, offset, right, left);
  const d = further(OPEN + 48, offset, right, left);
  v128.store(OPEN, v128.and(v128.load(OPEN), a));
  v128.store(OPEN + 16, v128.and(v128.load(OPEN + 16), b));
  v128.store(OPEN + 32, v128.and(v128.load(OPEN + 32), c));
  v128.store(OPEN + 48, v128.and(v128.load(OPEN + 48), d));
}

/**
 * Raises each square of a row by what is reached from it in a direction. It takes steps of one, two and four squares
 * (Kogge and Stone 1973). Ranks of occupied squares are 0.
 */
function slide(at: usize, ranks: usize, free: u64, files: i32, rows: i32): void {
  const offset = 8 * rows;
  const right = files > 0 ? 8 : 0;
  const left = files < 0 ? 8 : 0;
  memory.copy(FOUND, ranks, 64);
  spread(free, OPEN);
  findFurther(offset, right, left);
  openFurther(offset, right, left);
  findFurther(2 * offset, 2 * right, 2 * left);
  openFurther(2 * offset, 2 * right, 2 * left);
  findFurther(4 * offset, 4 * right, 4 * left);
  jump(at, offset, right, left);
}

/** Raises each square by what FOUND has a step further. */
function jump(at: usize, offset: i32, right: i32, left: i32): void {
  for (let q = 0; q < 64; q += 16) {
    v128.store(at + q, i8x16.max_u(v128.load(at + q), further(FOUND + q, offset, right, left)));
  }
}

/** Raises each square by what a man of a kind reaches from it in the row. */
export function raiseByMoves(kind: i32, at: usize, ranks: usize, free: u64): void {
  if (kind === KNIGHT) {
    memory.copy(FOUND, ranks, 64);
    for (let rows = -2; rows <= 2; rows++) {
      if (rows === 0) continue;
      const bits = 24 - 8 * abs(rows);
      jump(at, 8 * rows, bits, 0);
      jump(at, 8 * rows, 0, bits);
    }
    return;
  }
  if (kind === KING) {
    memory.copy(FOUND, ranks, 64);
    for (let rows = -1; rows <= 1; rows++) {
      jump(at, 8 * rows, 8, 0);
      jump(at, 8 * rows, 0, 8);
      if (rows !== 0) jump(at, 8 * rows, 0, 0);
    }
    return;
  }
  if (kind !== BISHOP) {
    slide(at, ranks, free, 1, 0);
    slide(at, ranks, free, -1, 0);
    slide(at, ranks, free, 0, 1);
    slide(at, ranks, free, 0, -1);
  }
  if (kind === ROOK) return;
  slide(at, ranks, free, 1, 1);
  slide(at, ranks, free, 1, -1);
  slide(at, ranks, free, -1, 1);
  slide(at, ranks, free, -1, -1);
}
