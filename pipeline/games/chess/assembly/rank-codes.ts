/**
 * Codes of tables (pipeline/value.ts) as ranks of moves: more is better for who makes the move, 0 is no move.
 *
 * A move to a position lost in n plies, code -n - 1, has rank 255 - n; one to a drawn position 128; one to a position won in n plies,
 * code n, has rank n + 1. So a position's code says which rank the best of its moves has.
 */

const DRAWN: i32 = 128;
/** What a broken position expects: a rank that the values of no right table give. */
const BROKEN: i32 = 129;
/** The rank that a loss under `wdl` expects. */
const LOST: i32 = 2;

/** Codes of successors, as ranks, in place; those marked broken count as drawn. Returns whether a code has no rank of its own. */
export function rankCodes(count: i32, at: usize, plies: bool): bool {
  const zero = i8x16.splat(0);
  let wide = zero;
  for (const end = at + (count as usize); at < end; at += 16) {
    const codes = v128.load(at);
    wide = v128.or(wide, i8x16.eq(codes, i8x16.splat(127)));
    const won = i8x16.gt_s(codes, zero);
    const lost = v128.andnot(i8x16.lt_s(codes, zero), i8x16.eq(codes, i8x16.splat(-128)));
    const ranks = plies
      ? i8x16.sub(codes, won)
      : v128.bitselect(i8x16.splat(LOST as i8), v128.and(codes, lost), won);
    const best = plies ? ranks : v128.or(ranks, lost);
    const neither = v128.or(i8x16.eq(codes, zero), i8x16.eq(codes, i8x16.splat(-128)));
    v128.store(at, v128.bitselect(i8x16.splat(DRAWN as i8), best, neither));
  }
  return v128.any_true(wide);
}

/** Codes of positions, as the ranks that they expect, in place. */
export function expectRanks(count: i32, at: usize, plies: bool): void {
  const zero = i8x16.splat(0);
  for (const end = at + (count as usize); at < end; at += 16) {
    const codes = v128.load(at);
    const won = i8x16.gt_s(codes, zero);
    let expected: v128;
    if (plies) expected = v128.bitselect(i8x16.neg(codes), v128.not(codes), won);
    else expected = v128.bitselect(i8x16.splat(-1), i8x16.splat(LOST as i8), won);
    expected = v128.bitselect(i8x16.splat(DRAWN as i8), expected, i8x16.eq(codes, zero));
    expected = v128.bitselect(i8x16.splat(BROKEN as i8), expected, i8x16.eq(codes, i8x16.splat(-128)));
    // No position may have a code without a rank of its own.
    v128.store(at, v128.andnot(expected, i8x16.eq(codes, i8x16.splat(127))));
  }
}

/** What the last `countWrong` added up: moves. */
let moves: i32 = 0;

export function movesAdded(): i32 {
  return moves;
}

/**
 * How many positions do not have the best move that they expect, lost ones excepted, by the counts of a census: 0 is broken, 255
 * drawn without a move. `drawn` and `broken`: what such positions expect.
 */
export function countWrong(
  count: i32,
  best: usize,
  expected: usize,
  counts: usize,
  drawn: i32,
  broken: i32,
): i32 {
  const zero = i8x16.splat(0);
  let wrong = 0;
  let sum = i32x4.splat(0);
  for (let i: usize = 0; i < (count as usize); i += 16) {
    const found = v128.load(best + i);
    const wanted = v128.load(expected + i);
    const known = v128.load(counts + i);
    const noMove = i8x16.eq(found, zero);
    const isDrawn = i8x16.eq(known, i8x16.splat(-1));
    const isBroken = i8x16.eq(known, zero);
    const marked = i8x16.eq(wanted, i8x16.splat(broken as i8));
    const open = v128.andnot(v128.andnot(i8x16.eq(found, wanted), noMove), marked);
    const stale = v128.and(noMove, i8x16.eq(wanted, i8x16.splat(drawn as i8)));
    const right = v128.bitselect(marked, v128.bitselect(stale, open, isDrawn), isBroken);
    wrong += popcnt(~i8x16.bitmask(right) & 0xffff);
    const pairs = i16x8.extadd_pairwise_i8x16_u(v128.andnot(known, isDrawn));
    sum = i32x4.add(sum, i32x4.extadd_pairwise_i16x8_u(pairs));
  }
  moves =
    i32x4.extract_lane(sum, 0) +
    i32x4.extract_lane(sum, 1) +
    i32x4.extract_lane(sum, 2) +
    i32x4.extract_lane(sum, 3);
  return wrong;
}
