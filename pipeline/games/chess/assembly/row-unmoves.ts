/**
 * Unmoves of whole rows. The last man is on any square of a set. Another man's unmove takes the set along, without
 * the squares that the man passes (Wendroff et al. 1993, section 3). They are those of moves.ts, with the same
 * multiplicity.
 */
import { losing, resetStruck, strikeSome, struck } from './labels';
import {
  ATTACKS,
  attacksFrom,
  begin,
  diagonal,
  digitOf,
  fixed,
  MEN,
  mover,
  occupied,
  pairBase,
  plainSteps,
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
import { DIAGONAL, imageOf, LOWER, reflect } from './sets';
import {
  BETWEEN,
  bit,
  COUNT,
  GROUP,
  image,
  KEYS,
  KIND,
  MAJOR,
  putSet,
  putWord,
  REFLECTION,
  ROWS,
  SIDE,
  STRIDE,
  setIn,
  squaresAt,
  word,
} from './tables';

/** Most sets that `unmoveRows` writes for a row: two a step of the king, of positions that are their own reflection or not. */
export const MOST_SETS: i32 = 32;

/** Strikes the positions that the men's unmoves lead to from the given sets, with `side` to move. Returns how many sets. */
export function strikeWithin(side: i32, part: i32, count: i32): i32 {
  begin(part, 1 - side, MEN);
  resetStruck();
  for (let i = 0; i < count; i++) {
    const set = setIn(i);
    const first = word(KEYS, i) << 6;
    ready(first);
    if (!diagonal) {
      unmoveMen(first, set);
      continue;
    }
    const reflected = pairBase + word(RANKS, REFLECTION);
    const alike = first === reflected ? set & DIAGONAL : 0;
    if (set !== alike) unmoveMirrored(first, reflected, set ^ alike, true);
    if (alike) unmoveMirrored(first, reflected, alike, false);
  }
  return struck;
}

/** The kings are not both on the diagonal. */
function unmoveMen(first: i32, set: u64): void {
  for (let man = 0; man < fixed; man++) {
    if (word(SIDE, man) !== mover) continue;
    const square = word(SQUARES, man);
    const group = word(GROUP, man);
    const stride = word(STRIDE, group);
    const isSingle = word(COUNT, group) === 1;
    const base = first - (isSingle ? square : digitOf(man, square)) * stride;
    for (let targets = squaresAt(ATTACKS, man) & ~occupied; targets; targets &= targets - 1) {
      const target = ctz(targets) as i32;
      const through = set & ~(squaresAt(BETWEEN, (square << 6) | target) | bit(target));
      strikeSome(base + (isSingle ? target : digitOf(man, target)) * stride, through);
    }
  }
  if (word(SIDE, fixed) === mover) unmoveLast(first, set);
}

/** A position that several unmoves lead to has that many moves to won positions, and is won by any to a lost one. */
function unmoveLast(first: i32, set: u64): void {
  const kind = word(KIND, fixed);
  let all: u64 = 0;
  for (let rest = set; rest; rest &= rest - 1) {
    const targets = attacksFrom(kind, ctz(rest) as i32) & ~occupied;
    if (losing) strikeSome(first, targets);
    else all |= targets;
  }
  strikeSome(first, all);
}

/**
 * Both kings are on the diagonal. `twice`: the positions of the set are not their own reflections, so a predecessor that is comes
 * twice. Else predecessors come in mirrored couples, and one of each is struck.
 */
function unmoveMirrored(first: i32, reflected: i32, set: u64, twice: bool): void {
  for (let man = 0; man < fixed; man++) {
    if (word(SIDE, man) !== mover) continue;
    const square = word(SQUARES, man);
    const mirror = image(square, REFLECTION);
    let targets = squaresAt(ATTACKS, man) & ~occupied;
    if (!twice) {
      if (square > mirror) continue;
      if (square === mirror) targets &= LOWER;
    }
    const stride = word(STRIDE, word(GROUP, man));
    const base = first - digitOf(man, square) * stride;
    const reflectedBase = reflected - digitOf(8 + man, mirror) * stride;
    for (; targets; targets &= targets - 1) {
      const target = ctz(targets) as i32;
      const through = set & ~(squaresAt(BETWEEN, (square << 6) | target) | bit(target));
      const plain = base + digitOf(man, target) * stride;
      const other = reflectedBase + digitOf(8 + man, image(target, REFLECTION)) * stride;
      if (plain < other) strikeSome(plain, through);
      else if (plain > other) strikeSome(other, reflect(through));
      else {
        strikeSome(plain, through & LOWER);
        strikeSome(plain, reflect(twice ? through : through & ~LOWER) & LOWER);
      }
    }
  }
  if (word(SIDE, fixed) !== mover) return;
  const kind = word(KIND, fixed);
  for (let rest = set; rest; rest &= rest - 1) {
    const targets = attacksFrom(kind, ctz(rest) as i32) & ~occupied;
    if (first !== reflected) strikeSome(first, targets);
    else {
      strikeSome(first, targets & LOWER);
      if (twice) strikeSome(first, reflect(targets) & LOWER);
    }
  }
}

/**
 * Puts out the sets that the king's unmoves lead to, and MAJOR for each; their number goes to ROWS. Stops when more than `room`
 * are written; returns the number of sets done.
 */
export function unmoveRows(side: i32, part: i32, count: i32, bias: i32, room: i32): i32 {
  begin(part, 1 - side, STEPS);
  let n = 0;
  let i = 0;
  for (; i < count && n <= room; i++) {
    const set = setIn(i);
    const first = word(KEYS, i) << 6;
    ready(first);
    const isMirrored = diagonal && first === pairBase + word(RANKS, REFLECTION);
    const alike = isMirrored ? set & DIAGONAL : 0;
    if (set !== alike) n = unmoveKing(set ^ alike, occupied, bias, true, n);
    if (alike) n = unmoveKing(alike, occupied | ~LOWER, bias, false, n);
  }
  putWord(ROWS, 0, n);
  return i;
}

/** `twice`: as in `unmoveMirrored`. */
function unmoveKing(set: u64, forbidden: u64, bias: i32, twice: bool, n: i32): i32 {
  for (let step = 0; step < steps; step++) {
    const target = bit(word(STEP_TARGET, step));
    if (target & forbidden) continue;
    const symmetry = word(STEP_SYMMETRY, step);
    const images = imageOf(set & ~target, symmetry);
    const major = bias + word(STEP_PART, step);
    const plain = word(STEP_BASE, step) + word(RANKS, symmetry);
    if (step < plainSteps) {
      n = emitSet(major, plain, images, n);
      continue;
    }
    const other = word(STEP_BASE, step) + word(RANKS, symmetry ^ REFLECTION);
    if (plain < other) n = emitSet(major, plain, images, n);
    else if (plain > other) n = emitSet(major, other, reflect(images), n);
    else {
      n = emitSet(major, plain, images & LOWER, n);
      n = emitSet(major, plain, reflect(twice ? images : images & ~LOWER) & LOWER, n);
    }
  }
  return n;
}

function emitSet(major: i32, first: i32, set: u64, n: i32): i32 {
  if (set === 0) return n;
  putWord(MAJOR, n, major);
  putSet(n, first >> 6, set);
  return n + 1;
}
