/**
 * Ranks of rows: a byte for each of the 64 squares of the last man. What the mover likes better has more, what is no
 * move has 0. Rows lie a rank of the board in eight bytes, so that steps on the board are shifts of words and of
 * addresses.
 *
 * Where positions have numbers (numbers.ts), the number of a position lies behind its rank, as a byte. Moves of the best rank count: their numbers,
 * or one each, are added up behind it.
 */

import { attacksOver } from './attacks';
import { NO_NUMBERS, numbering, SUMS } from './numbers';
import { ALL, bytesOf, clearBytes } from './sets';
import { BISHOP, KING, KNIGHT, ROOK, word } from './tables';

/** i32, by major: where the ranks of a part are, 0 if they are not there. */
let ranksAt: usize = 0;

export function placeRanks(at: usize): void {
  ranksAt = at;
}

/** Where the ranks of the part with this major are, 0 if they are not there. */
export function ranksOf(major: i32): i32 {
  return word(ranksAt, major);
}

/** How far behind the ranks of a part its numbers lie: of the slice, of its dependencies, and of what is looked at. */
let ownStride: usize = 0;
let theirStride: usize = 0;
export let stride: usize = 0;
/** How far the numbers that are counted lie behind the best ranks. */
let bestStride: usize = 0;

export function placeNumbers(own: i32, theirs: i32, best: i32): void {
  ownStride = own as usize;
  theirStride = theirs as usize;
  bestStride = best as usize;
}

/** Looks at parts of the slice, or of its dependencies. */
export function lookAt(areOwn: bool): void {
  stride = areOwn ? ownStride : theirStride;
}

/**
 * Takes moves of 16 positions: those that are better than the best so far count anew, equally good ones are added. A rank of 0 is no move.
 */
function take16(at: usize, ranks: v128, numbers: v128): void {
  const before = v128.load(at);
  const best = i8x16.max_u(before, ranks);
  v128.store(at, best);
  const kept = v128.and(v128.load(at + bestStride), i8x16.eq(before, best));
  const isBest = v128.andnot(i8x16.eq(ranks, best), i8x16.eq(ranks, i8x16.splat(0)));
  v128.store(at + bestStride, i8x16.add_sat_u(kept, v128.and(numbers, isBest)));
}

/** The numbers that moves to 16 positions count. */
function numbers16(by: usize): v128 {
  return numbering === SUMS ? v128.load(by + stride) : i8x16.splat(1);
}

/** Takes the moves of a row to another. */
export function takeRow(at: usize, by: usize): void {
  if (numbering === NO_NUMBERS) raise(at, by);
  else for (let i: usize = 0; i < 64; i += 16) take16(at + i, v128.load(by + i), numbers16(by + i));
}

/** As `takeRow`, in a set only. */
export function takeIn(set: u64, at: usize, by: usize): void {
  if (numbering === NO_NUMBERS) {
    raiseIn(set, at, by);
    return;
  }
  spread(set, CHOSEN);
  for (let i: usize = 0; i < 64; i += 16)
    take16(at + i, v128.and(v128.load(by + i), v128.load(CHOSEN + i)), numbers16(by + i));
}

const CHOSEN: usize = memory.data(64, 16);

/** Takes moves of the squares of a set to one position. */
export function takeAll(set: u64, at: usize, by: usize): void {
  const rank = load<u8>(by);
  if (numbering === NO_NUMBERS) {
    raiseAll(set, at, rank);
    return;
  }
  if (rank === 0) return;
  spread(set, CHOSEN);
  const ranks = i8x16.splat(rank);
  const numbers = i8x16.splat(numbering === SUMS ? load<u8>(by + stride) : 1);
  for (let i: usize = 0; i < 64; i += 16) take16(at + i, v128.and(ranks, v128.load(CHOSEN + i)), numbers);
}

/** Takes the moves of a row to the images of another under a symmetry. */
export function takeByImages(at: usize, by: usize, symmetry: i32): void {
  if (numbering === NO_NUMBERS) raiseByImages(at, by, symmetry);
  else takeByImagesIn(ALL, at, by, symmetry);
}

/** As `takeByImages`, in a set only. */
export function takeByImagesIn(set: u64, at: usize, by: usize, symmetry: i32): void {
  clearBytes(IMAGES);
  raiseByImages(IMAGES, by, symmetry);
  if (numbering === NO_NUMBERS) {
    raiseIn(set, at, IMAGES);
    return;
  }
  if (numbering === SUMS) {
    clearBytes(NUMBER_IMAGES);
    raiseByImages(NUMBER_IMAGES, by + stride, symmetry);
  }
  spread(set, CHOSEN);
  for (let i: usize = 0; i < 64; i += 16) {
    const numbers = numbering === SUMS ? v128.load(NUMBER_IMAGES + i) : i8x16.splat(1);
    take16(at + i, v128.and(v128.load(IMAGES + i), v128.load(CHOSEN + i)), numbers);
  }
}

/** What a row's images are in, before some of them are taken, and their numbers. */
const IMAGES: usize = memory.data(64, 16);
const NUMBER_IMAGES: usize = memory.data(64, 16);

/** Takes the moves of a man of a kind in its row. A maximum along a line says nothing about sums, so with numbers each target is taken alone. */
export function takeByMoves(kind: i32, at: usize, ranks: usize, free: u64): void {
  if (numbering === NO_NUMBERS) {
    raiseByMoves(kind, at, ranks, free);
    return;
  }
  for (let rest = free; rest; rest &= rest - 1) {
    const to = ctz(rest) as usize;
    if (load<u8>(ranks + to) === 0) continue;
    takeAll(attacksOver(kind, to as i32, ~free) & free, at, ranks + to);
  }
}

/** Takes a move of one position. */
export function takeOne(at: usize, by: usize): void {
  const rank = load<u8>(by);
  const best = load<u8>(at);
  if (rank === 0 || rank < best) return;
  store<u8>(at, rank);
  if (numbering === NO_NUMBERS) return;
  const more: i32 = numbering === SUMS ? (load<u8>(by + stride) as i32) : 1;
  const before: i32 = rank === best ? (load<u8>(at + bestStride) as i32) : 0;
  store<u8>(at + bestStride, min(255, before + more) as u8);
}

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
function raise(at: usize, by: usize): void {
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
function raiseAll(set: u64, at: usize, rank: u8): void {
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

/** The free squares, as bytes of 255. */
const FREE: usize = memory.data(64, 16);

/**
 * Raises each square of a row by what a queen, rook or bishop reaches from it: in each direction what a step leads to and, if that square
 * is free, what is reached from there. Ranks of occupied squares are 0.
 */
function slide(kind: i32, at: usize, ranks: usize, free: u64): void {
  spread(free, FREE);
  if (kind !== BISHOP) slideAlongRanks(at, ranks);
  // From rank to rank of the board, upwards in the lower half of a vector, downwards in its upper half.
  let straight = i8x16.splat(0);
  let right = straight;
  let left = straight;
  for (let lower: usize = 0, upper: usize = 56; upper > 0; lower += 8, upper -= 8) {
    const next = halves(ranks + upper, ranks + lower);
    const open = halves(FREE + upper, FREE + lower);
    const from = halves(at + upper - 8, at + lower + 8);
    let best = from;
    if (kind !== BISHOP) {
      straight = i8x16.max_u(next, v128.and(straight, open));
      best = i8x16.max_u(best, straight);
    }
    if (kind !== ROOK) {
      right = i64x2.shr_u(i8x16.max_u(next, v128.and(right, open)), 8);
      left = i64x2.shl(i8x16.max_u(next, v128.and(left, open)), 8);
      best = i8x16.max_u(best, i8x16.max_u(right, left));
    }
    v128.store_lane<u64>(at + upper - 8, best, 0);
    v128.store_lane<u64>(at + lower + 8, best, 1);
  }
}

/** Two ranks of the board in one vector. */
function halves(lower: usize, upper: usize): v128 {
  return v128.load_lane<u64>(upper, v128.load_zero<u64>(lower), 1);
}

/** By steps of one, two and four squares (Kogge and Stone 1973). */
function slideAlongRanks(at: usize, ranks: usize): void {
  for (let q: usize = 0; q < 64; q += 16) {
    const there = v128.load(ranks + q);
    const open = v128.load(FREE + q);
    let right = i8x16.max_u(there, v128.and(open, i64x2.shr_u(there, 8)));
    let left = i8x16.max_u(there, v128.and(open, i64x2.shl(there, 8)));
    const openRight = v128.and(open, i64x2.shr_u(open, 8));
    const openLeft = v128.and(open, i64x2.shl(open, 8));
    right = i8x16.max_u(right, v128.and(openRight, i64x2.shr_u(right, 16)));
    left = i8x16.max_u(left, v128.and(openLeft, i64x2.shl(left, 16)));
    const farRight = v128.and(openRight, i64x2.shr_u(openRight, 16));
    const farLeft = v128.and(openLeft, i64x2.shl(openLeft, 16));
    right = i8x16.max_u(right, v128.and(farRight, i64x2.shr_u(right, 32)));
    left = i8x16.max_u(left, v128.and(farLeft, i64x2.shl(left, 32)));
    const best = i8x16.max_u(i64x2.shr_u(right, 8), i64x2.shl(left, 8));
    v128.store(at + q, i8x16.max_u(v128.load(at + q), best));
  }
}

/** A row of ranks with as many zero bytes before and behind it, for what comes from beyond the edge of the board. */
const STEPS: usize = memory.data(3 * 64, 16) + 64;

/** Raises each square by what a step leads to: `offset` bytes behind it, `right` or `left` bits in its rank of the board. */
function step(at: usize, offset: i32, right: i32, left: i32): void {
  for (let q = 0; q < 64; q += 16) {
    const there = i64x2.shl(i64x2.shr_u(v128.load(STEPS + q + offset), right), left);
    v128.store(at + q, i8x16.max_u(v128.load(at + q), there));
  }
}

/** Raises each square by what a man of a kind reaches from it in the row. */
export function raiseByMoves(kind: i32, at: usize, ranks: usize, free: u64): void {
  if (kind < KNIGHT) {
    slide(kind, at, ranks, free);
    return;
  }
  for (let q: usize = 0; q < 64; q += 16) v128.store(STEPS + q, v128.load(ranks + q));
  const most = kind === KNIGHT ? 2 : 1;
  for (let rows = -most; rows <= most; rows++) {
    if (kind === KNIGHT && rows === 0) continue;
    const bits = kind === KNIGHT ? 24 - 8 * abs(rows) : 8;
    step(at, 8 * rows, bits, 0);
    step(at, 8 * rows, 0, bits);
    if (kind === KING && rows !== 0) step(at, 8 * rows, 0, 0);
  }
}
