/**
 * Shifts and shuffles of the 64 squares in a word of two 32-bit halves (`low`: ranks 1 to 4). Results are put
 * in `out[0]` and `out[1]`.
 *
 * Many parameters: a set of squares is two numbers, which stay in registers; an object a call would be made millions of times.
 */
import { Kind } from '../../games/chess/geometry.js';

const NOT_A = 0xfefefefe | 0;
const NOT_AB = 0xfcfcfcfc | 0;
const NOT_H = 0x7f7f7f7f;
const NOT_GH = 0x3f3f3f3f;

/** Squares a man of `kind` reaches in one move from those of a word; sliding men pass over `empty` squares only. */
export function reach(
  kind: number,
  low: number,
  high: number,
  emptyLow: number,
  emptyHigh: number,
  out: Int32Array,
): void {
  out[0] = 0;
  out[1] = 0;
  if (kind === Kind.knight) {
    jump(low, high, out);
    return;
  }
  if (kind !== Kind.bishop) {
    slideUp(low, high, emptyLow, emptyHigh, 1, NOT_A, out);
    slideUp(low, high, emptyLow, emptyHigh, 8, -1, out);
    slideDown(low, high, emptyLow, emptyHigh, 1, NOT_H, out);
    slideDown(low, high, emptyLow, emptyHigh, 8, -1, out);
  }
  if (kind !== Kind.rook) {
    slideUp(low, high, emptyLow, emptyHigh, 9, NOT_A, out);
    slideUp(low, high, emptyLow, emptyHigh, 7, NOT_H, out);
    slideDown(low, high, emptyLow, emptyHigh, 9, NOT_H, out);
    slideDown(low, high, emptyLow, emptyHigh, 7, NOT_A, out);
  }
}

function jump(low: number, high: number, out: Int32Array): void {
  const nearLow = ((low << 1) & NOT_A) | ((low >>> 1) & NOT_H);
  const nearHigh = ((high << 1) & NOT_A) | ((high >>> 1) & NOT_H);
  const farLow = ((low << 2) & NOT_AB) | ((low >>> 2) & NOT_GH);
  const farHigh = ((high << 2) & NOT_AB) | ((high >>> 2) & NOT_GH);
  out[0] =
    (nearLow << 16) | (nearLow >>> 16) | (nearHigh << 16) | (farLow << 8) | (farLow >>> 8) | (farHigh << 24);
  out[1] =
    (nearHigh << 16) |
    (nearHigh >>> 16) |
    (nearLow >>> 16) |
    (farHigh << 8) |
    (farHigh >>> 8) |
    (farLow >>> 24);
}

/** One direction towards higher squares; `board` cuts off what leaves the board's edge. */
function slideUp(
  low: number,
  high: number,
  emptyLow: number,
  emptyHigh: number,
  by: number,
  board: number,
  out: Int32Array,
): void {
  while ((low | high) !== 0) {
    high = ((high << by) | (low >>> (32 - by))) & board;
    low = (low << by) & board;
    out[0] |= low;
    out[1] |= high;
    low &= emptyLow;
    high &= emptyHigh;
  }
}

function slideDown(
  low: number,
  high: number,
  emptyLow: number,
  emptyHigh: number,
  by: number,
  board: number,
  out: Int32Array,
): void {
  while ((low | high) !== 0) {
    low = ((low >>> by) | (high << (32 - by))) & board;
    high = (high >>> by) & board;
    out[0] |= low;
    out[1] |= high;
    low &= emptyLow;
    high &= emptyHigh;
  }
}

/**
 * The word whose bit x is bit symmetry(x) of the given word: mirrored by shuffles as in Koistinen 2001 ("Mirroring
 * code"), instead of the 16-bit tables of Wendroff et al. 1993, section 7.
 */
export function mirror(symmetry: number, low: number, high: number, out: Int32Array): void {
  if (symmetry & 4) {
    let t = (high ^ (low >>> 4)) & 0x0f0f0f0f;
    high ^= t;
    low ^= t << 4;
    t = (low ^ (low << 14)) & 0x33330000;
    low ^= t ^ (t >>> 14);
    t = (high ^ (high << 14)) & 0x33330000;
    high ^= t ^ (t >>> 14);
    t = (low ^ (low << 7)) & 0x55005500;
    low ^= t ^ (t >>> 7);
    t = (high ^ (high << 7)) & 0x55005500;
    high ^= t ^ (t >>> 7);
  }
  if (symmetry & 2) {
    const t = mirrorRanks(low);
    low = mirrorRanks(high);
    high = t;
  }
  if (symmetry & 1) {
    low = mirrorFiles(low);
    high = mirrorFiles(high);
  }
  out[0] = low;
  out[1] = high;
}

function mirrorRanks(half: number): number {
  const swapped = ((half >>> 8) & 0x00ff00ff) | ((half & 0x00ff00ff) << 8);
  return (swapped >>> 16) | (swapped << 16);
}

function mirrorFiles(half: number): number {
  let x = ((half >>> 1) & 0x55555555) | ((half & 0x55555555) << 1);
  x = ((x >>> 2) & 0x33333333) | ((x & 0x33333333) << 2);
  return ((x >>> 4) & 0x0f0f0f0f) | ((x & 0x0f0f0f0f) << 4);
}
