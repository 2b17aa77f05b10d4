/**
 * The best of the moves of whole rows, for verification. The last man is on any square of a row. Another man's move
 * leads to another row of ranks, from all squares but those that the man passes. A rank of 0 is no legal position.
 */
import { keepSet, raise, raiseByImages, raiseByMoves, raiseIn, ranksOf } from './rank-rows';
import {
  ATTACKS,
  begin,
  diagonal,
  digitOf,
  fixed,
  MEN,
  occupied,
  pairBase,
  RANKS,
  ready,
  SQUARES,
  STEP_BASE,
  STEP_PART,
  STEP_SYMMETRY,
  STEP_TARGET,
  STEPS,
  steps,
} from './row';
import { raiseByCaptures } from './row-captures';
import { legalSet } from './row-legality';
import { LOWER } from './sets';
import { BETWEEN, bit, GROUP, KIND, REFLECTION, SIDE, STRIDE, squaresAt, word } from './tables';

/**
 * Takes the ranks of positions that are not legal from those of a part with `side` to move. If both kings are on the
 * diagonal, positions that are not canonical get the ranks of their mirror images. So moves may lead to either.
 */
export function completeRanks(side: i32, part: i32, count: i32, ranks: usize): void {
  begin(part, side, 0);
  for (let first = 0; first < count; first += 64) {
    ready(first);
    const at = ranks + (first as usize);
    const reflected = diagonal ? pairBase + word(RANKS, REFLECTION) : first;
    if (reflected < first) {
      memory.fill(at, 0, 64);
      raiseByImages(at, ranks + (reflected as usize), REFLECTION);
      continue;
    }
    const legal = legalSet(side);
    if (!diagonal || reflected !== first) keepSet(at, legal);
    else {
      keepSet(at, legal & LOWER);
      raiseByImages(at, at, REFLECTION);
    }
  }
}

/** Raises `best`, a byte a position of a part, by the moves of `side` to all ranks that are there; majors are `bias` + part. */
export function raiseByRows(side: i32, part: i32, count: i32, bias: i32, captures: bool, best: usize): void {
  begin(part, side, MEN | STEPS);
  const own = ranksOf(bias + part);
  for (let first = 0; first < count; first += 64) {
    ready(first);
    if (legalSet(side) === 0) continue;
    if (diagonal && pairBase + word(RANKS, REFLECTION) < first) continue;
    const at = best + (first as usize);
    if (own !== 0) raiseByMen(first, at, own as usize, side);
    raiseByKing(at, bias);
    if (captures) raiseByCaptures(at, side);
  }
}

function raiseByMen(first: i32, at: usize, own: usize, side: i32): void {
  for (let man = 0; man < fixed; man++) {
    if (word(SIDE, man) !== side) continue;
    const square = word(SQUARES, man);
    const stride = word(STRIDE, word(GROUP, man));
    const base = first - digitOf(man, square) * stride;
    for (let targets = squaresAt(ATTACKS, man) & ~occupied; targets; targets &= targets - 1) {
      const target = ctz(targets) as i32;
      const there = own + ((base + digitOf(man, target) * stride) as usize);
      const passed = squaresAt(BETWEEN, (square << 6) | target);
      if (passed === 0) raise(at, there);
      else raiseIn(~passed, at, there);
    }
  }
  if (word(SIDE, fixed) === side) raiseByMoves(word(KIND, fixed), at, own + (first as usize), ~occupied);
}

function raiseByKing(at: usize, bias: i32): void {
  for (let step = 0; step < steps; step++) {
    const ranks = ranksOf(bias + word(STEP_PART, step));
    if (ranks === 0 || occupied & bit(word(STEP_TARGET, step))) continue;
    const symmetry = word(STEP_SYMMETRY, step);
    raiseByImages(at, (ranks + word(STEP_BASE, step) + word(RANKS, symmetry)) as usize, symmetry);
  }
}
