/**
 * Positions that follow each other share all but the square of the last man, if the last group is a single man. They
 * are the *row* of 64 keys. What depends on the row alone is prepared once; *fixed* men are those of the row. Without
 * a last man every key is a row of its own.
 */
import {
  BEHIND,
  BINOMIAL,
  binomial,
  bit,
  COUNT,
  COUPLES,
  FIRST,
  GROUP,
  image,
  KIND,
  KING,
  MOBILITY,
  PAIR_BASE,
  PAIR_BLACK,
  PAIR_DIAGONAL,
  PAIR_OF,
  PAIR_PART,
  PAIR_SYMMETRY,
  PAIR_WHITE,
  putSquares,
  putWord,
  REFLECTION,
  SIDE,
  STRIDE,
  squaresAt,
  word,
} from './tables';

// The index space.
export let men: i32 = 0;
export let fixed: i32 = 0;
/** Bits of the key that are the last man's square: 6, or 0 without one. */
export let lastBits: i32 = 0;
export let groups: i32 = 0;
let composite: i32 = 0;
let singleBits: i32 = 0;
let leadingRadix: i32 = 0;
let pairsPerPart: i32 = 0;

/** What may be prepared, as bits: moves of the mover's men, and steps of its king. */
export const MEN: i32 = 1;
export const STEPS: i32 = 2;
let needs: i32 = 0;

// The pair of kings, and the side whose moves are wanted.
export let mover: i32 = 0;
let part: i32 = -1;
let pair: i32 = -1;
/** Leading digits (those of the pair and of groups of several) of the pair's first key. */
let pairStart: i32 = 0;
export let white: i32 = 0;
export let black: i32 = 0;
/** Both kings are on the diagonal: the reflection maps the pair to itself. */
export let diagonal: bool = false;
/** First key of the pair. */
export let pairBase: i32 = 0;
/** Symmetries under which the ranks of rows are wanted, as bits. */
let symmetries: i32 = 0;

/**
 * Steps of the mover's king to where it does not touch the other, those to a pair on the diagonal last. Each is words
 * of 32 bits: its target, and the symmetry that follows. Then the part and the first key there of the pair that it
 * leads to.
 */
export const STEP_TARGET: usize = memory.data(8 * 4, 16);
export const STEP_SYMMETRY: usize = memory.data(8 * 4, 16);
export const STEP_PART: usize = memory.data(8 * 4, 16);
export const STEP_BASE: usize = memory.data(8 * 4, 16);
export let steps: i32 = 0;
export let plainSteps: i32 = 0;

// The row.
let row: i32 = -1;
/** i32: squares of the men by number. */
export const SQUARES: usize = memory.data(8 * 4, 16);
/** The kings and the fixed men. */
export let occupied: u64 = 0;
/** i32, by symmetry: rank of the fixed men's image. */
export const RANKS: usize = memory.data(8 * 4, 16);
/** u64, of each fixed man: what it attacks if only the kings and the fixed men stand. */
export const ATTACKS: usize = memory.data(8 * 8, 16);

/**
 * By man, then by its image under the reflection (at 8 + man): the other men of its group as a set. At man * 8 + p,
 * the term that they add to the group's rank if p of them are below the man.
 */
const OTHERS: usize = memory.data(16 * 8, 16);
const ADDED: usize = memory.data(16 * 8 * 4, 16);

export function configure(
  manCount: i32,
  groupCount: i32,
  compositeCount: i32,
  placements: i32,
  pairsInPart: i32,
): void {
  men = manCount;
  groups = groupCount;
  composite = compositeCount;
  singleBits = 6 * (groups - composite);
  leadingRadix = placements >> singleBits;
  lastBits = composite < groups ? 6 : 0;
  fixed = lastBits !== 0 ? men - 1 : men;
  pairsPerPart = pairsInPart;
  part = -1;
  // The digit of a single man is its square: nothing is added to it.
  memory.fill(OTHERS, 0, 16 * 8);
  memory.fill(ADDED, 0, 16 * 8 * 4);
}

/** Selects a part, the side whose moves are wanted, and the sets to be prepared for them. */
export function begin(newPart: i32, side: i32, needed: i32): void {
  if (newPart === part && side === mover && needed === needs) return;
  part = newPart;
  mover = side;
  needs = needed;
  pair = -1;
  row = -1;
}

/** Prepares the row of a key if it is not the one prepared last. */
export function ready(key: i32): void {
  if (key >> lastBits !== row) prepare(key);
}

function prepare(key: i32): void {
  row = key >> lastBits;
  placeMen(key);
  occupied = bit(white) | bit(black);
  for (let man = 0; man < fixed; man++) occupied |= bit(word(SQUARES, man));
  for (let wanted = symmetries; wanted; wanted &= wanted - 1) {
    const symmetry = ctz(wanted);
    putWord(RANKS, symmetry, rankUnder(symmetry));
  }
  if ((needs & MEN) === 0) return;
  for (let man = 0; man < fixed; man++) if (word(SIDE, man) === mover) prepareOwn(man);
}

function prepareOwn(man: i32): void {
  const square = word(SQUARES, man);
  putSquares(ATTACKS, man, attacksFrom(word(KIND, man), square));
  if (word(COUNT, word(GROUP, man)) === 1) return;
  splitGroup(man, 0);
  if (diagonal) splitGroup(man, REFLECTION);
}

/** Squares that the fixed men hide from a man on `square`. */
function hiddenByFixed(square: i32): u64 {
  let hidden: u64 = 0;
  for (let man = 0; man < fixed; man++) hidden |= squaresAt(BEHIND, (word(SQUARES, man) << 6) | square);
  return hidden;
}

/** Squares that a man attacks on a board with the kings and the fixed men. */
export function attacksFrom(kind: i32, square: i32): u64 {
  const hidden = squaresAt(BEHIND, (white << 6) | square) | squaresAt(BEHIND, (black << 6) | square);
  return squaresAt(MOBILITY, (kind << 6) | square) & ~(hidden | hiddenByFixed(square));
}

/** Decodes the squares of the kings and the fixed men. */
function placeMen(key: i32): void {
  let rest = (key >> singleBits) - pairStart;
  if (pair < 0 || (rest as u32) >= (leadingRadix as u32)) {
    const pairInPart = (key >> singleBits) / leadingRadix;
    pairStart = pairInPart * leadingRadix;
    rest = (key >> singleBits) - pairStart;
    preparePair(part * pairsPerPart + pairInPart);
  }
  let man = 0;
  for (let g = 0; g < composite; g++) {
    const count = word(COUNT, g);
    let digit = rest;
    if (g < composite - 1) {
      const stride = word(STRIDE, g) >> singleBits;
      digit = rest / stride;
      rest -= digit * stride;
    }
    if (count === 2) {
      const couple = word(COUPLES, digit);
      putWord(SQUARES, man++, couple & 63);
      putWord(SQUARES, man++, couple >> 6);
      continue;
    }
    // The greatest square first. Keys ascend: it is mostly that of the row before, or the next.
    for (let place = count; place > 0; place--) {
      let square = word(SQUARES, man + place - 1);
      while (binomial(square, place) > digit) square--;
      while (binomial(square + 1, place) <= digit) square++;
      digit -= binomial(square, place);
      putWord(SQUARES, man + place - 1, square);
    }
    man += count;
  }
  for (let shift = singleBits - 6; man < fixed; man++, shift -= 6) putWord(SQUARES, man, (key >> shift) & 63);
}

function preparePair(newPair: i32): void {
  pair = newPair;
  white = word(PAIR_WHITE, pair);
  black = word(PAIR_BLACK, pair);
  diagonal = word(PAIR_DIAGONAL, pair) !== 0;
  pairBase = word(PAIR_BASE, pair);
  symmetries = diagonal ? 1 | (1 << REFLECTION) : 0;
  steps = 0;
  if ((needs & STEPS) === 0) return;
  addSteps(0);
  plainSteps = steps;
  addSteps(1);
}

/** Adds the king's steps to pairs on the diagonal, or to others. */
function addSteps(toDiagonal: i32): void {
  for (
    let targets = squaresAt(MOBILITY, (KING << 6) | (mover === 0 ? white : black));
    targets;
    targets &= targets - 1
  ) {
    const target = ctz(targets) as i32;
    const kings = mover === 0 ? (target << 6) | black : (white << 6) | target;
    const to = word(PAIR_OF, kings);
    if (to < 0 || word(PAIR_DIAGONAL, to) !== toDiagonal) continue;
    const symmetry = word(PAIR_SYMMETRY, kings);
    putWord(STEP_TARGET, steps, target);
    putWord(STEP_SYMMETRY, steps, symmetry);
    putWord(STEP_PART, steps, word(PAIR_PART, to));
    putWord(STEP_BASE, steps, word(PAIR_BASE, to));
    symmetries |= 1 << symmetry;
    if (toDiagonal) symmetries |= 1 << (symmetry ^ REFLECTION);
    steps++;
  }
}

/** Rank of the fixed men's image. */
function rankUnder(symmetry: i32): i32 {
  let rank = 0;
  let man = 0;
  for (let g = 0; man < fixed; g++) {
    let squares: u64 = 0;
    const count = word(COUNT, g);
    if (count === 1) rank += image(word(SQUARES, man++), symmetry) * word(STRIDE, g);
    else {
      for (let i = 0; i < count; i++) squares |= bit(image(word(SQUARES, man++), symmetry));
      rank += rankOf(squares) * word(STRIDE, g);
    }
  }
  return rank;
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

/** Prepares `digitOf` for a fixed man of the mover, or for its image under the reflection. */
function splitGroup(man: i32, symmetry: i32): void {
  const at = symmetry === 0 ? man : 8 + man;
  const group = word(GROUP, man);
  const first = word(FIRST, group);
  const count = word(COUNT, group);
  let others: u64 = 0;
  for (let i = first; i < first + count; i++) {
    if (i !== man) others |= bit(image(word(SQUARES, i), symmetry));
  }
  putSquares(OTHERS, at, others);
  for (let below = 0; below < count; below++) {
    let added = 0;
    let place = 1;
    for (let rest = others; rest; rest &= rest - 1) {
      added += binomial(ctz(rest) as i32, place > below ? place + 1 : place);
      place++;
    }
    putWord(ADDED, (at << 3) | below, added);
  }
}

/**
 * Rank of the group of a man of the mover if the man stands on `square`. `at` is the man, or 8 + man for the
 * reflected position. (Nothing is ever written for the last man: its rank is its square.)
 */
export function digitOf(at: i32, square: i32): i32 {
  const below = popcnt(squaresAt(OTHERS, at) & (bit(square) - 1)) as i32;
  return word(BINOMIAL, (below + 1) * 65 + square) + word(ADDED, (at << 3) | below);
}
