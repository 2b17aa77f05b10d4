/**
 * Unmoves of whole rows. The last man is on any square of a set. Another man's unmove takes the set along, without the squares that
 * the man passes (Wendroff et al. 1993, section 3). They are those of moves.ts, with the same multiplicity: only pieces and
 * kings move in a slice. If both kings are on the diagonal of a board without pawns, positions and their mirror images are one.
 */
import { attacksOver } from './attacks';
import { GROUP_SLOT, GROUP_STRIDE } from './index-tables';
import { countDownBy, countStruck, losing, resetStruck, strikeSome, struck } from './labels';
import { unmoveKey } from './moves';
import {
  diagonal,
  digitOf,
  groups,
  hasTwins,
  imageRankOfRow,
  kingOf,
  kingRuns,
  listSteps,
  OF_GROUP,
  pairBase,
  placeStanding,
  ROW_STRIDE,
  rankWith,
  rowOccupied,
  STEP_BASE,
  STEP_IS_DIAGONAL,
  STEP_PART,
  STEP_SYMMETRY,
  STEP_TARGET,
  steps,
  taker,
  twins,
} from './position';
import { beyond, DIAGONAL, greatestOf, halfOf, imageOf, LOWER, rankOf, reflect } from './sets';
import {
  BEHIND,
  BETWEEN,
  bit,
  KEYS,
  KING,
  KNIGHT,
  MAJOR,
  MINOR,
  MOBILITY,
  putSet,
  putWord,
  REFLECTION,
  ROWS,
  setIn,
  squaresAt,
  word,
} from './tables';

/** Most sets that `unmoveRows` writes for a row: two a step of the king, of positions that are their own reflection or not. */
export const MOST_SETS: i32 = 32;
/** As `MOST_SETS`, where the runner has twins: two a step of the king and a position. */
export const MOST_SETS_OF_TWINS: i32 = 1024;

let mover: i32 = 0;

/** Strikes the positions that the pieces' unmoves lead to from the given sets, with `side` to move. Returns how many sets. */
export function strikeWithin(side: i32, part: i32, count: i32): i32 {
  mover = 1 - side;
  resetStruck();
  if (taker >= 0) return 0;
  for (let i = 0; i < count; i++) {
    const first = word(KEYS, i) << 6;
    const set = setIn(i);
    placeStanding(part, first);
    if (!diagonal) {
      unmovePieces(first, set);
      continue;
    }
    if (hasTwins) {
      for (let rest = set; rest; rest &= rest - 1) {
        const n = unmoveKey(mover, part, first | (ctz(rest) as i32), true, false, 0, 0);
        for (let row = 0; row < n; row++) {
          const key = word(MINOR, row);
          strikeSome(key & ~63, bit(key & 63));
        }
      }
      continue;
    }
    const reflected = pairBase + imageRankOfRow(REFLECTION);
    const alike = first === reflected ? set & DIAGONAL : 0;
    if (set !== alike) unmoveMirrored(first, reflected, set ^ alike, true);
    if (alike) unmoveMirrored(first, reflected, alike, false);
  }
  return struck;
}

/** The kings are not both on the diagonal. */
function unmovePieces(first: i32, set: u64): void {
  for (let g = 0; g < groups; g++) {
    const slot = word(GROUP_SLOT, g);
    const men = squaresAt(OF_GROUP, g);
    if (slot >> 3 !== mover || (slot & 7) >= KING || men === 0) continue;
    const stride = word(ROW_STRIDE, g);
    const isAlone = (men & (men - 1)) === 0 && g !== groups - 1;
    const base = first - (isAlone ? (ctz(men) as i32) : rankOf(men)) * stride;
    if (!isAlone) {
      unmoveLikeMen(slot & 7, men, base, g === groups - 1 ? 0 : stride, set);
      continue;
    }
    const lines = (ctz(men) as i32) << 6;
    for (let to = attacksOver(slot & 7, ctz(men) as i32, rowOccupied) & ~rowOccupied; to; to &= to - 1) {
      const target = ctz(to) as i32;
      strikeSome(base + target * stride, set & ~(squaresAt(BETWEEN, lines | target) | bit(target)));
    }
  }
  const slot = word(GROUP_SLOT, groups - 1);
  if (slot >> 3 === mover) unmoveRunner(slot & 7, first, set);
}

/** `base`: the key without the digit of the group. `stride`: its weight; 0 of the runner's twins. */
function unmoveLikeMen(kind: i32, men: u64, base: i32, stride: i32, set: u64): void {
  for (let rest = men; rest; rest &= rest - 1) {
    const square = ctz(rest) as i32;
    const others = men & ~bit(square);
    for (let to = attacksOver(kind, square, rowOccupied) & ~rowOccupied; to; to &= to - 1) {
      const target = ctz(to) as i32;
      const through = set & ~(squaresAt(BETWEEN, (square << 6) | target) | bit(target));
      if (stride === 0) strikeInOrder(base, others | bit(target), through);
      else strikeSome(base + rankOf(others | bit(target)) * stride, through);
    }
  }
}

/** A position that several unmoves lead to has that many moves to won positions, and is won by any to a lost one. */
function unmoveRunner(kind: i32, first: i32, set: u64): void {
  let free = ~rowOccupied;
  if (kingRuns) free &= ~squaresAt(MOBILITY, (KING << 6) | kingOf(0));
  findHiders(kind);
  if (losing && !hasTwins) {
    countRunner(kind, first, set, free);
    return;
  }
  const base = first - (rankOf(twins) << 6);
  let all: u64 = 0;
  for (let rest = set; rest; rest &= rest - 1) {
    const targets = attacksOfRunner(kind, ctz(rest) as i32) & free;
    if (losing) strikeInOrder(base, twins, targets);
    else all |= targets;
  }
  strikeInOrder(base, twins, all);
}

/** Adds the unmoves to each square, and takes their number off its count. */
function countRunner(kind: i32, first: i32, set: u64, free: u64): void {
  // The binary digits of the numbers.
  let ones: u64 = 0;
  let twos: u64 = 0;
  let fours: u64 = 0;
  let eights: u64 = 0;
  let sixteens: u64 = 0;
  for (let rest = set; rest; rest &= rest - 1) {
    const targets = attacksOfRunner(kind, ctz(rest) as i32) & free;
    if (targets !== 0) countStruck();
    const two = ones & targets;
    ones ^= targets;
    const four = twos & two;
    twos ^= two;
    const eight = fours & four;
    fours ^= four;
    sixteens ^= eights & eight;
    eights ^= eight;
  }
  countDownBy(first, ones, twos, fours, eights, sixteens);
}

/** i32: of each man of the row, where BEHIND has what it hides from a square. */
const HIDERS: usize = memory.data(8 * 4, 16);
let hiders: i32 = 0;

/** Prepares `attacksOfRunner`. */
function findHiders(kind: i32): void {
  hiders = 0;
  if (kind >= KNIGHT) return;
  for (let men = rowOccupied; men; men &= men - 1) {
    putWord(HIDERS, hiders++, (BEHIND as i32) + ((ctz(men) as i32) << 9));
  }
}

/** The squares that the runner attacks: as `attacksOver`, which takes longer where there are few men, and many squares. */
function attacksOfRunner(kind: i32, square: i32): u64 {
  let hidden: u64 = 0;
  const at = (square << 3) as usize;
  for (let i = 0; i < hiders; i++) hidden |= load<u64>((word(HIDERS, i) as usize) + at);
  return squaresAt(MOBILITY, (kind << 6) | square) & ~hidden;
}

/**
 * Strikes positions with these twins and the runner on the squares of a set; `base` is the key without the last group's digit. Where the
 * greatest of the twins is beyond the runner, that man becomes the runner.
 */
function strikeInOrder(base: i32, like: u64, set: u64): void {
  const row = base + (rankOf(like) << 6);
  const ordered = beyond(like);
  strikeSome(row, set & ordered);
  if (like === 0) return;
  const greatest = bit(greatestOf(like));
  for (let rest = set & ~ordered; rest; rest &= rest - 1) {
    strikeSome(base + (rankOf((like ^ greatest) | (rest & (0 - rest))) << 6), greatest);
  }
}

/**
 * Both kings are on the diagonal. `twice`: the positions of the set are not their own reflections, so a predecessor that is comes
 * twice. Else predecessors come in mirrored couples, and one of each is struck.
 */
function unmoveMirrored(first: i32, reflected: i32, set: u64, twice: bool): void {
  for (let g = 0; g < groups - 1; g++) {
    const slot = word(GROUP_SLOT, g);
    if (slot >> 3 !== mover) continue;
    const all = squaresAt(OF_GROUP, g);
    const stride = word(GROUP_STRIDE, g);
    const base = first - digitOf(g, all) * stride;
    const reflectedBase = reflected - digitOf(g, reflect(all)) * stride;
    for (let men = all; men; men &= men - 1) {
      const square = ctz(men) as i32;
      const others = all & ~bit(square);
      let targets = attacksOver(slot & 7, square, rowOccupied) & ~rowOccupied;
      if (!twice) targets &= halfOf(square);
      for (; targets; targets &= targets - 1) {
        const target = ctz(targets) as i32;
        const after = others | bit(target);
        const through = set & ~(squaresAt(BETWEEN, (square << 6) | target) | bit(target));
        strikeEither(
          base + digitOf(g, after) * stride,
          reflectedBase + digitOf(g, reflect(after)) * stride,
          through,
          twice,
        );
      }
    }
  }
  const slot = word(GROUP_SLOT, groups - 1);
  if (slot >> 3 !== mover) return;
  for (let rest = set; rest; rest &= rest - 1) {
    const targets = attacksOver(slot & 7, ctz(rest) as i32, rowOccupied) & ~rowOccupied;
    if (first !== reflected) strikeSome(first, targets);
    else {
      strikeSome(first, targets & LOWER);
      if (twice) strikeSome(first, reflect(targets) & LOWER);
    }
  }
}

/** Strikes the positions of a row, or their mirror images in another: the lesser key is canonical. */
function strikeEither(plain: i32, other: i32, set: u64, twice: bool): void {
  if (plain < other) strikeSome(plain, set);
  else if (plain > other) strikeSome(other, reflect(set));
  else {
    strikeSome(plain, set & LOWER);
    strikeSome(plain, reflect(twice ? set : set & ~LOWER) & LOWER);
  }
}

/**
 * Puts out the sets that the king's unmoves lead to, and MAJOR for each; their number goes to ROWS. Stops when more than `room`
 * are written; returns the number of sets done.
 */
export function unmoveRows(side: i32, part: i32, count: i32, bias: i32, room: i32): i32 {
  mover = 1 - side;
  let n = 0;
  let i = 0;
  if (taker >= 0) i = count;
  for (; i < count && n <= room; i++) {
    const first = word(KEYS, i) << 6;
    const set = setIn(i);
    placeStanding(part, first);
    if (diagonal && hasTwins) {
      for (let rest = set; rest; rest &= rest - 1) {
        const key = first | (ctz(rest) as i32);
        n = asSets(n, unmoveKey(mover, part, key, false, true, bias, n));
      }
      continue;
    }
    listSteps(mover);
    const reach = ~rowOccupied;
    const isMirrored = diagonal && first === pairBase + imageRankOfRow(REFLECTION);
    const alike = isMirrored ? set & DIAGONAL : 0;
    if (set !== alike) n = unmoveKing(first, set ^ alike, reach, bias, true, n);
    if (alike) n = unmoveKing(first, alike, reach & LOWER, bias, false, n);
  }
  putWord(ROWS, 0, n);
  return i;
}

/** Of the king's steps to squares in `reach`. `twice`: as in `unmoveMirrored`. */
function unmoveKing(first: i32, set: u64, reach: u64, bias: i32, twice: bool, n: i32): i32 {
  const rank = first - pairBase;
  for (let i = 0; i < steps; i++) {
    const target = word(STEP_TARGET, i);
    const to = bit(target);
    if ((reach & to) === 0) continue;
    const through = set & ~(kingRuns ? to | squaresAt(MOBILITY, (KING << 6) | target) : to);
    if (through === 0) continue;
    const symmetry = word(STEP_SYMMETRY, i);
    const base = word(STEP_BASE, i);
    const major = bias + word(STEP_PART, i);
    const isDiagonal = word(STEP_IS_DIAGONAL, i) !== 0;
    if (symmetry === 0 && !isDiagonal) n = emitSet(major, base + rank, through, n);
    else if (isDiagonal) n = emitDiagonal(major, base, symmetry, through, twice, n);
    else {
      const plain = base + imageRankOfRow(symmetry);
      const images = imageOf(through, symmetry);
      n = hasTwins
        ? emitInOrder(major, plain, imageOf(twins, symmetry), images, n)
        : emitSet(major, plain, images, n);
    }
  }
  return n;
}

/** The step has led to a pair of kings on the diagonal. */
function emitDiagonal(major: i32, base: i32, symmetry: i32, set: u64, twice: bool, n: i32): i32 {
  if (hasTwins) {
    for (let rest = set; rest; rest &= rest - 1) {
      const square = ctz(rest) as i32;
      const key = base + rankWith(square, symmetry);
      const reflected = base + rankWith(square, symmetry ^ REFLECTION);
      const least = min(key, reflected);
      n = emitSet(major, least & ~63, bit(least & 63), n);
      if (key === reflected) n = emitSet(major, least & ~63, bit(least & 63), n);
    }
    return n;
  }
  const images = imageOf(set, symmetry);
  const plain = base + imageRankOfRow(symmetry);
  const other = base + imageRankOfRow(symmetry ^ REFLECTION);
  if (plain < other) return emitSet(major, plain, images, n);
  if (plain > other) return emitSet(major, other, reflect(images), n);
  n = emitSet(major, plain, images & LOWER, n);
  return emitSet(major, plain, reflect(twice ? images : images & ~LOWER) & LOWER, n);
}

/** As `strikeInOrder`: `row` is the key of the row whose twins these are. */
function emitInOrder(major: i32, row: i32, like: u64, set: u64, n: i32): i32 {
  const ordered = beyond(like);
  n = emitSet(major, row, set & ordered, n);
  const base = row - (rankOf(like) << 6);
  const greatest = bit(greatestOf(like));
  for (let rest = set & ~ordered; rest; rest &= rest - 1) {
    n = emitSet(major, base + (rankOf((like ^ greatest) | (rest & (0 - rest))) << 6), greatest, n);
  }
  return n;
}

/** Makes sets of the keys [from, to) that went out. */
function asSets(from: i32, to: i32): i32 {
  for (let row = from; row < to; row++) {
    const key = word(MINOR, row);
    putSet(row, key >> 6, bit(key & 63));
  }
  return to;
}

function emitSet(major: i32, first: i32, set: u64, n: i32): i32 {
  if (set === 0) return n;
  putWord(MAJOR, n, major);
  putSet(n, first >> 6, set);
  return n + 1;
}
