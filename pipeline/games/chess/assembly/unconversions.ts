/**
 * The kernel `unconvertSets`: captures taken back, of positions of an ending without one man. Suppose that the last
 * digit of that ending is the square of a single man. Then keys that differ in this digit only are a row, and the man
 * is the *runner*. A man that stands goes back from and to the same squares for a whole row. A set of the runner's
 * squares goes along with it.
 */
import { attacksOver } from './attacks-over';
import { fixed, groups, lastBits, men, rankOf } from './row';
import { DIAGONAL, imageOf, LOWER, reflect } from './sets';
import {
  BETWEEN,
  binomial,
  bit,
  COUNT,
  COUPLES,
  GROUP,
  image,
  KEYS,
  KIND,
  KING,
  MAJOR,
  MOBILITY,
  PAIR_BASE,
  PAIR_BLACK,
  PAIR_DIAGONAL,
  PAIR_OF,
  PAIR_PART,
  PAIR_SYMMETRY,
  PAIR_WHITE,
  putRow,
  putSet,
  putSquares,
  putWord,
  REFLECTION,
  ROWS,
  SIDE,
  STRIDE,
  setIn,
  squaresAt,
  word,
} from './tables';

/**
 * The ending without each man (i32, see Space): whether the colours are exchanged there, and its groups. At man * 8 + group stand
 * their sizes and strides, at man * 8 + i the man that is i-th there.
 */
export const WITHOUT_FLIPPED: usize = memory.data(8 * 4, 16);
export const WITHOUT_PLACEMENTS: usize = memory.data(8 * 4, 16);
export const WITHOUT_PAIRS: usize = memory.data(8 * 4, 16);
export const WITHOUT_GROUPS: usize = memory.data(8 * 4, 16);
export const WITHOUT_COUNT: usize = memory.data(8 * 8 * 4, 16);
export const WITHOUT_STRIDE: usize = memory.data(8 * 8 * 4, 16);
export const WITHOUT_MAN: usize = memory.data(8 * 8 * 4, 16);

const ALL: u64 = ~(0 as u64);
const NOBODY = -1;

// The captures.
let mover: i32 = 0;
/** The man that comes back, its group, and the weight of that group's digit. */
let taken: i32 = 0;
let takenGroup: i32 = 0;
let takenStride: i32 = 0;
/** The man whose square is the last digit there, or NOBODY; its group, and whether the man that comes back is of that group. */
let runner: i32 = NOBODY;
let runnerGroup: i32 = 0;
let runnerJoins: bool = false;

// The row, by the canonical squares of its kings here.
let pair: i32 = 0;
let diagonal: bool = false;
let white: i32 = 0;
let black: i32 = 0;
/** The symmetry that leads there. */
let symmetryHere: i32 = 0;
/** The kings and the men that stand. */
let standing: u64 = 0;
/** The image of the row under the reflection is the row; only asked if `diagonal`. */
let mirrored: bool = false;
/** i32: squares of the men that stand. */
const SQUARE: usize = memory.data(8 * 4, 16);
/** u64, of each group: the men that stand. */
const MEN: usize = memory.data(8 * 8, 16);
/** i32, of each group but that of the man that comes back: its term of the key. */
const TERM: usize = memory.data(8 * 4, 16);
/** Men of the mover that attack the other king over free squares: their numbers, and u64, the squares between. */
const ATTACKER: usize = memory.data(8 * 4, 16);
const FREE: usize = memory.data(8 * 8, 16);
let attackers: i32 = 0;

/** i32, by square of the runner: the terms of the key of the runner, and of the man that comes back into its group. */
const ADDED: usize = memory.data(64 * 4, 16);
let bias: i32 = 0;
let rows: i32 = 0;
/** Whether sets go out, of rows here: the runner is the last man here, too. */
let asSets: bool = false;

/**
 * Takes back captures by `side` of a man that comes back as number `takenMan`. It starts from the sets [0, count) of a part of the ending
 * without that man, whatever its rows are. Positions must be legal. Keys go out, or `sets` of rows if `keepsRows` says so: to MINOR and
 * MAJOR, and their number to ROWS. Stops when more than `room` went out; returns the number of sets done.
 */
export function unconvertSets(
  side: i32,
  takenMan: i32,
  part: i32,
  count: i32,
  firstMajor: i32,
  room: i32,
  sets: bool,
): i32 {
  turnTo(side, takenMan, firstMajor);
  asSets = sets;
  let i = 0;
  for (; i < count && rows <= room; i++) {
    const first = word(KEYS, i) << 6;
    const set = setIn(i);
    if (runner !== NOBODY) {
      placeRow(part, first);
      uncapture(imageOf(set, symmetryHere));
      continue;
    }
    for (let rest = set; rest; rest &= rest - 1) {
      placeRow(part, first | (ctz(rest) as i32));
      uncapture(ALL);
    }
  }
  putWord(ROWS, 0, rows);
  return i;
}

/** Whether rows of the ending without a man are rows here. */
export function keepsRows(takenMan: i32): bool {
  turnTo(0, takenMan, 0);
  return runner !== NOBODY && lastBits !== 0 && runner === fixed;
}

function turnTo(side: i32, takenMan: i32, firstMajor: i32): void {
  mover = side;
  taken = takenMan;
  takenGroup = word(GROUP, taken);
  takenStride = word(STRIDE, takenGroup);
  bias = firstMajor;
  rows = 0;
  findRunner();
}

function findRunner(): void {
  const groupsThere = word(WITHOUT_GROUPS, taken);
  const last = (taken << 3) + groupsThere - 1;
  runner = NOBODY;
  if (groupsThere === 0 || word(WITHOUT_COUNT, last) !== 1) return;
  runner = word(WITHOUT_MAN, (taken << 3) + men - 2);
  runnerGroup = word(GROUP, runner);
  runnerJoins = runnerGroup === takenGroup;
  if (runnerJoins) return;
  const stride = word(STRIDE, runnerGroup);
  for (let square = 0; square < 64; square++) putWord(ADDED, square, square * stride);
}

/** Puts up the men of a key there but the runner, with the kings on their canonical squares here. */
function placeRow(part: i32, key: i32): void {
  const placements = word(WITHOUT_PLACEMENTS, taken);
  const pairInPart = key / placements;
  const pairThere = part * word(WITHOUT_PAIRS, taken) + pairInPart;
  symmetryHere = 0;
  pair = pairThere;
  if (word(WITHOUT_FLIPPED, taken)) {
    const kings = (word(PAIR_BLACK, pairThere) << 6) | word(PAIR_WHITE, pairThere);
    pair = word(PAIR_OF, kings);
    symmetryHere = word(PAIR_SYMMETRY, kings);
  }
  diagonal = word(PAIR_DIAGONAL, pair) !== 0;
  white = word(PAIR_WHITE, pair);
  black = word(PAIR_BLACK, pair);
  placeMen(key - pairInPart * placements);
  standing = bit(white) | bit(black);
  mirrored = diagonal;
  for (let g = 0; g < groups; g++) {
    const squares = squaresAt(MEN, g);
    standing |= squares;
    if (diagonal && reflect(squares) !== squares) mirrored = false;
    if (g !== takenGroup) putWord(TERM, g, rankOf(squares) * word(STRIDE, g));
  }
  findAttackers();
}

/** Decodes the rank of a placement there. */
function placeMen(rank: i32): void {
  for (let g = 0; g < groups; g++) putSquares(MEN, g, 0);
  let rest = rank;
  let i = taken << 3;
  for (let g = taken << 3; g < (taken << 3) + word(WITHOUT_GROUPS, taken); g++) {
    const stride = word(WITHOUT_STRIDE, g);
    const size = word(WITHOUT_COUNT, g);
    let digit = rest / stride;
    rest -= digit * stride;
    if (size === 1) placeMan(word(WITHOUT_MAN, i++), digit);
    else if (size === 2) {
      const couple = word(COUPLES, digit);
      placeMan(word(WITHOUT_MAN, i++), couple & 63);
      placeMan(word(WITHOUT_MAN, i++), couple >> 6);
    } else {
      let square = 63;
      for (let place = size; place > 0; place--) {
        while (binomial(square, place) > digit) square--;
        digit -= binomial(square, place);
        placeMan(word(WITHOUT_MAN, i++), square);
      }
    }
  }
}

function placeMan(man: i32, squareThere: i32): void {
  if (man === runner) return;
  const square = image(squareThere, symmetryHere);
  const group = word(GROUP, man);
  putWord(SQUARE, man, square);
  putSquares(MEN, group, squaresAt(MEN, group) | bit(square));
}

function findAttackers(): void {
  attackers = 0;
  const king = mover === 0 ? black : white;
  for (let man = 0; man < men; man++) {
    if (man === runner || man === taken || word(SIDE, man) !== mover) continue;
    const square = word(SQUARE, man);
    if ((squaresAt(MOBILITY, (word(KIND, man) << 6) | square) & bit(king)) === 0) continue;
    const between = squaresAt(BETWEEN, (square << 6) | king);
    if (between & standing) continue;
    putWord(ATTACKER, attackers, man);
    putSquares(FREE, attackers++, between);
  }
}

/** Squares that a man goes to from a square if the squares `occupied` are taken. */
function reach(kind: i32, square: i32, occupied: u64): u64 {
  return attacksOver(kind, square, occupied) & ~occupied;
}

/** Where `man` may go back to without a runner: nothing shields the other king then but what stands, and that man. */
function allowed(man: i32): u64 {
  let set = ALL;
  for (let i = 0; i < attackers; i++) if (word(ATTACKER, i) !== man) set &= squaresAt(FREE, i);
  const king = mover === 0 ? black : white;
  return man === NOBODY ? set : set & ~reach(word(KIND, man), king, standing);
}

/** Where the runner may stand so that none of the mover's men attacks the other king once `man` is back on `target`. */
function unattacked(man: i32, target: i32): u64 {
  let set = ALL;
  for (let i = 0; i < attackers; i++) {
    const between = squaresAt(FREE, i);
    if (word(ATTACKER, i) !== man && (between & bit(target)) === 0) set &= between;
  }
  const king = mover === 0 ? black : white;
  if (man !== NOBODY && squaresAt(MOBILITY, (word(KIND, man) << 6) | target) & bit(king)) {
    const between = squaresAt(BETWEEN, (target << 6) | king);
    if ((between & standing) === 0) set &= between;
  }
  if (word(SIDE, runner) === mover) set &= ~reach(word(KIND, runner), king, standing | bit(target));
  return set;
}

/** Takes back the captures of the row, with the runner on the squares of a set. */
function uncapture(set: u64): void {
  if (!diagonal) {
    uncaptureByMen(set, false);
    uncaptureByKing(set, false);
    return;
  }
  let alike: u64 = 0;
  if (mirrored) alike = runner === NOBODY ? set : set & DIAGONAL;
  if (set !== alike) {
    uncaptureByMen(set & ~alike, false);
    uncaptureByKing(set & ~alike, false);
  }
  if (alike) {
    uncaptureByMen(alike, true);
    uncaptureByKing(alike, true);
  }
}

/** `alike`: the positions are their own reflections, so that captures come in mirrored couples, and one of each is taken back. */
function uncaptureByMen(set: u64, alike: bool): void {
  for (let man = 0; man < men; man++) {
    if (man === taken || word(SIDE, man) !== mover) continue;
    if (man !== runner) uncaptureBy(man, word(SQUARE, man), set, alike);
    else for (let rest = set; rest; rest &= rest - 1) uncaptureByRunner(ctz(rest) as i32, alike);
  }
}

/** A man that stands goes back; the one that it took comes to stand on its square. */
function uncaptureBy(man: i32, square: i32, set: u64, alike: bool): void {
  const mirror = image(square, REFLECTION);
  if (alike && square > mirror) return;
  let targets = reach(word(KIND, man), square, standing);
  if (alike && square === mirror) targets &= LOWER;
  if (runner === NOBODY) targets &= allowed(man);
  if (targets === 0) return;
  const group = word(GROUP, man);
  const stride = word(STRIDE, group);
  const others = squaresAt(MEN, group) ^ bit(square);
  const back = squaresAt(MEN, takenGroup);
  putSquares(MEN, takenGroup, back | bit(square));
  const base = keyWithout(group, set);
  for (; targets; targets &= targets - 1) {
    const target = ctz(targets) as i32;
    const through = set & beside(man, square, target);
    if (through === 0) continue;
    if (diagonal) {
      putSquares(MEN, group, others | bit(target));
      emitCanonical(pair, 0, through, alike);
    } else emitRow(base + digitOf(others, target) * stride, through);
  }
  putSquares(MEN, group, others | bit(square));
  putSquares(MEN, takenGroup, back);
}

/** Where the runner may stand while a man goes back to `target`: neither in its way, nor so that the other king is attacked. */
function beside(man: i32, square: i32, target: i32): u64 {
  if (runner === NOBODY) return ALL;
  return unattacked(man, target) & ~(squaresAt(BETWEEN, (square << 6) | target) | bit(target));
}

/** Rank of a group after a man of it comes to a square. */
function digitOf(others: u64, square: i32): i32 {
  return others === 0 ? square : rankOf(others | bit(square));
}

/** The key here, without what a group and, if it has another group than the man that comes back, the runner add to it. */
function keyWithout(group: i32, set: u64): i32 {
  let key = word(PAIR_BASE, pair);
  for (let g = 0; g < groups; g++) if (g !== group && g !== takenGroup) key += word(TERM, g);
  const back = squaresAt(MEN, takenGroup);
  if (runner === NOBODY || !runnerJoins) return key + rankOf(back) * takenStride;
  for (let rest = set; rest; rest &= rest - 1) {
    const square = ctz(rest) as i32;
    putWord(ADDED, square, rankOf(back | bit(square)) * takenStride);
  }
  return key;
}

function emitRow(key: i32, set: u64): void {
  const major = bias + word(PAIR_PART, pair);
  if (runner === NOBODY) {
    putRow(rows++, major, key);
    return;
  }
  if (asSets) {
    emitSet(major, key, set);
    return;
  }
  for (let rest = set; rest; rest &= rest - 1) {
    putRow(rows++, major, key + word(ADDED, ctz(rest) as i32));
  }
}

/** Emits a set of the row whose first key is given, unless it is empty. */
function emitSet(major: i32, first: i32, set: u64): void {
  if (set === 0) return;
  putWord(MAJOR, rows, major);
  putSet(rows++, first >> 6, set);
}

/** The runner goes back from `square`, where the man that it took comes to stand. */
function uncaptureByRunner(square: i32, alike: bool): void {
  const occupied = standing | bit(square);
  const king = mover === 0 ? black : white;
  const kind = word(KIND, runner);
  let targets = reach(kind, square, occupied) & ~reach(kind, king, occupied);
  if (alike) targets &= LOWER;
  for (let i = 0; i < attackers; i++) {
    const between = squaresAt(FREE, i);
    if ((between & bit(square)) === 0) targets &= between;
  }
  if (targets === 0) return;
  const back = squaresAt(MEN, takenGroup);
  putSquares(MEN, takenGroup, back | bit(square));
  if (diagonal) emitCanonical(pair, 0, targets, alike);
  else emitRow(keyWithout(runnerGroup, 0), targets);
  putSquares(MEN, takenGroup, back);
}

function uncaptureByKing(set: u64, alike: bool): void {
  const square = mover === 0 ? white : black;
  const back = squaresAt(MEN, takenGroup);
  putSquares(MEN, takenGroup, back | bit(square));
  let targets = squaresAt(MOBILITY, (KING << 6) | square) & ~standing;
  if (alike) targets &= LOWER;
  if (runner === NOBODY) targets &= allowed(NOBODY);
  for (; targets; targets &= targets - 1) {
    const target = ctz(targets) as i32;
    const kings = mover === 0 ? (target << 6) | black : (white << 6) | target;
    const to = word(PAIR_OF, kings);
    if (to < 0) continue;
    const through = set & beside(NOBODY, square, target);
    if (through === 0) continue;
    const symmetry = word(PAIR_SYMMETRY, kings);
    if (word(PAIR_DIAGONAL, to)) emitCanonical(to, symmetry, through, alike);
    else emitMoved(to, symmetry, through);
  }
  putSquares(MEN, takenGroup, back);
}

/** Emits the image of the row under a symmetry, with kings that are not both on the diagonal. */
function emitMoved(to: i32, symmetry: i32, set: u64): void {
  const major = bias + word(PAIR_PART, to);
  let key = word(PAIR_BASE, to);
  for (let g = 0; g < groups; g++) {
    if (runner === NOBODY || g !== runnerGroup) key += termOf(g, squaresAt(MEN, g), symmetry);
  }
  if (runner === NOBODY) {
    putRow(rows++, major, key);
    return;
  }
  if (asSets) {
    emitSet(major, key, imageOf(set, symmetry));
    return;
  }
  const others = squaresAt(MEN, runnerGroup);
  for (let rest = set; rest; rest &= rest - 1) {
    putRow(rows++, major, key + termOf(runnerGroup, others | (rest & -rest), symmetry));
  }
}

/** Emits positions with both kings on the diagonal: twice if a position is its own reflection and came from one that is not. */
function emitCanonical(to: i32, symmetry: i32, set: u64, alike: bool): void {
  const major = bias + word(PAIR_PART, to);
  if (asSets) {
    emitCanonicalSets(major, to, symmetry, set, alike);
    return;
  }
  const others = runner === NOBODY ? 0 : squaresAt(MEN, runnerGroup);
  for (let rest = set; rest; rest &= rest - 1) {
    if (runner !== NOBODY) putSquares(MEN, runnerGroup, others | (rest & -rest));
    let plain = word(PAIR_BASE, to);
    let other = plain;
    for (let g = 0; g < groups; g++) {
      plain += termOf(g, squaresAt(MEN, g), symmetry);
      other += termOf(g, squaresAt(MEN, g), symmetry ^ REFLECTION);
    }
    putRow(rows++, major, min(plain, other));
    if (plain === other && !alike) {
      putRow(rows++, major, plain);
    }
    if (runner === NOBODY) return;
  }
  if (runner !== NOBODY) putSquares(MEN, runnerGroup, others);
}

/**
 * As `emitCanonical`: the lesser of the two images of a row is canonical. If the image under the reflection is the
 * row itself, half of each is.
 */
function emitCanonicalSets(major: i32, to: i32, symmetry: i32, set: u64, alike: bool): void {
  let plain = word(PAIR_BASE, to);
  let other = plain;
  for (let g = 0; g < groups; g++) {
    if (g === runnerGroup) continue;
    plain += termOf(g, squaresAt(MEN, g), symmetry);
    other += termOf(g, squaresAt(MEN, g), symmetry ^ REFLECTION);
  }
  const images = imageOf(set, symmetry);
  if (plain < other) emitSet(major, plain, images);
  else if (plain > other) emitSet(major, other, reflect(images));
  else {
    emitSet(major, plain, images & LOWER);
    emitSet(major, plain, reflect(alike ? images & ~LOWER : images) & LOWER);
  }
}

/** The term that a group whose men stand on the image of a set adds to the key. */
function termOf(group: i32, squares: u64, symmetry: i32): i32 {
  if (word(COUNT, group) === 1) return image(ctz(squares) as i32, symmetry) * word(STRIDE, group);
  return rankOf(imageOf(squares, symmetry)) * word(STRIDE, group);
}
