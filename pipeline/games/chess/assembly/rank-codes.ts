/**
 * Codes of tables (pipeline/game/value.ts) as ranks of moves: more is better for the player who makes the move, 0 is no move.
 *
 * A move to a position lost in n plies, code -n - 1, has rank 255 - n. One to a drawn position 128. One to a position won in n plies,
 * code n, has rank n + 1. So a position's code says which rank the best of its moves has.
 */

const DRAWN: i32 = 128;
/** The rank that a broken position expects: the values of no right table give it. */
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

// A scale for codes of 16 bits, see pipeline/game/rows.ts: in words, what `setScale` was given, of the player who moves.
const WIN_PLIES: usize = memory.data(16, 16);
const LOSS_PLIES: usize = memory.data(16, 16);
const MOST_WIN: usize = memory.data(16, 16);
const MOST_LOSS: usize = memory.data(16, 16);
const FIRST: usize = memory.data(16, 16);
/** By how many bits an ordinal is shifted: neighbours share one. */
let shift: i32 = 0;

export function setScale(
  winPlies: i32,
  lossPlies: i32,
  mostWin: i32,
  mostLoss: i32,
  first: i32,
  step: i32,
): void {
  v128.store(WIN_PLIES, i16x8.splat(winPlies as i16));
  v128.store(LOSS_PLIES, i16x8.splat(lossPlies as i16));
  v128.store(MOST_WIN, i16x8.splat(mostWin as i16));
  v128.store(MOST_LOSS, i16x8.splat(mostLoss as i16));
  v128.store(FIRST, i16x8.splat(first as i16));
  shift = step - 1;
}

/**
 * Codes, of eight, that the scale does not have: too many plies, or a number of plies that its values do not have. `wins`, `losses`: the
 * most plies of the player whose codes these are, in words.
 */
function untold(codes: v128, wins: v128, losses: v128): v128 {
  const least = i16x8.sub(i16x8.splat(-2), losses);
  let beyond = v128.or(i16x8.gt_s(codes, wins), i16x8.lt_s(codes, least));
  if (shift !== 0) {
    const even = i16x8.eq(v128.and(codes, i16x8.splat(1)), i16x8.splat(0));
    beyond = v128.or(beyond, v128.andnot(even, i16x8.eq(codes, i16x8.splat(0))));
  }
  return v128.andnot(beyond, i16x8.eq(codes, i16x8.splat(-32768)));
}

/** The ranks of what moves leave their maker with, in words. */
function ranksOf(outcomes: v128): v128 {
  const zero = i16x8.splat(0);
  const mostWin = v128.load(MOST_WIN);
  const mostLoss = v128.load(MOST_LOSS);
  const lost = i16x8.sub(i16x8.min_s(i16x8.neg(outcomes), mostLoss), i16x8.splat(1));
  const best = i16x8.add(i16x8.add(mostLoss, mostWin), i16x8.splat((6 + shift) as i16));
  const won = i16x8.sub(best, i16x8.min_s(outcomes, mostWin));
  let ordinals = i16x8.add(mostLoss, i16x8.splat(3));
  ordinals = v128.bitselect(lost, ordinals, i16x8.lt_s(outcomes, zero));
  ordinals = i16x8.shr_s(v128.bitselect(won, ordinals, i16x8.gt_s(outcomes, zero)), shift);
  const ranks = i16x8.add(i16x8.sub(ordinals, v128.load(FIRST)), i16x8.splat(2));
  return i16x8.max_s(i16x8.min_s(ranks, i16x8.splat(254)), i16x8.splat(1));
}

function rankSuccessors(codes: v128): v128 {
  const zero = i16x8.splat(0);
  const lost = i16x8.sub(i16x8.splat(-2), codes);
  let outcomes = v128.bitselect(lost, zero, i16x8.gt_s(codes, zero));
  outcomes = v128.bitselect(i16x8.neg(codes), outcomes, i16x8.lt_s(codes, zero));
  // Broken positions count as drawn.
  return ranksOf(v128.andnot(outcomes, i16x8.eq(codes, i16x8.splat(-32768))));
}

function rankPositions(codes: v128): v128 {
  const ranks = v128.andnot(ranksOf(codes), i16x8.eq(codes, i16x8.splat(-1)));
  return v128.bitselect(i16x8.splat(255), ranks, i16x8.eq(codes, i16x8.splat(-32768)));
}

/**
 * As `rankCodes` and, if `expects`, `expectRanks`, for codes of 16 bits and by the scale that was set. Codes that the
 * scale does not have become 0. Returns whether there were any.
 */
export function rankWords(count: i32, from: usize, to: usize, expects: bool): bool {
  let found = i16x8.splat(0);
  // A successor's wins are losses of the player who moves there.
  const wins = v128.load(expects ? WIN_PLIES : LOSS_PLIES);
  const losses = v128.load(expects ? LOSS_PLIES : WIN_PLIES);
  for (const end = to + (count as usize); to < end; to += 16, from += 32) {
    const a = v128.load(from);
    const b = v128.load(from + 16);
    const noneA = untold(a, wins, losses);
    const noneB = untold(b, wins, losses);
    found = v128.or(found, v128.or(noneA, noneB));
    const ranksA = expects ? rankPositions(a) : rankSuccessors(a);
    const ranksB = expects ? rankPositions(b) : rankSuccessors(b);
    v128.store(to, i8x16.narrow_i16x8_u(v128.andnot(ranksA, noneA), v128.andnot(ranksB, noneB)));
  }
  return v128.any_true(found);
}

/** Moves that the last `countWrong` added up. */
let moves: i32 = 0;

export function movesAdded(): i32 {
  return moves;
}

/**
 * How many positions, except lost ones, do not have the best move that they expect. Counts are those of a census: 0
 * is broken, 255 drawn without a move. `drawn` and `broken`: what such positions expect.
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
