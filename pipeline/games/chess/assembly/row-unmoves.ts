/**
 * Unmoves of whole rows. The last man is on any square of a set. Another man's unmove takes the set along, without the squares that
 * the man passes (Wendroff et al. 1993, section 3). They are those of moves.ts, equally often: only pieces and kings move in a slice.
 */
import { attacksOver } from './attacks';
import { GROUP_SLOT } from './index-tables';
import { countDownBy, countStruck, losing, resetStruck, struck } from './labels';
import {
  addEven,
  clearDigits,
  digit,
  firstKeyIn,
  GIVEN,
  given,
  MOVES,
  NO_NUMBERS,
  numbering,
  SUM,
  sendDigit,
  takeRow,
  WHOLE,
} from './numbers';
import {
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
  row,
  STEP_BASE,
  STEP_PART,
  STEP_SYMMETRY,
  STEP_TARGET,
  steps,
  taker,
  twins,
} from './position';
import { neverFrom, neverTo, restrict } from './restrictions';
import { imageOf, rankOf } from './sets';
import {
  beginOut,
  emitSet,
  leaveOut,
  STRUCK,
  sendInOrder,
  strikeThrough,
  weighBy,
  written,
} from './sets-out';
import {
  BEHIND,
  BETWEEN,
  bit,
  KING,
  KNIGHT,
  MOBILITY,
  putWord,
  ROWS,
  setIn,
  squaresAt,
  word,
} from './tables';

/** Most sets that `unmoveRows` writes for a row: eight steps of the king, of which two may lead to kings with two images. */
export const MOST_SETS: i32 = 10;
/** As `MOST_SETS`, where the runner has twins: one for each position, too. */
export const MOST_SETS_OF_TWINS: i32 = 640;

let mover: i32 = 0;

/** Strikes the positions that the pieces' unmoves lead to from the given sets, with `side` to move. Returns how many sets. */
export function strikeWithin(side: i32, part: i32, count: i32): i32 {
  mover = 1 - side;
  resetStruck();
  if (taker >= 0) return 0;
  for (let i = 0; i < count; ) {
    const first = firstKeyIn(i);
    let set = setIn(i);
    if (numbering === NO_NUMBERS) i++;
    else {
      i = takeRow(i, count);
      set = given;
    }
    if (set === 0) continue;
    placeStanding(part, first);
    restrict(mover);
    unmovePieces(first, set);
  }
  return struck;
}

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
    if (men & neverTo) continue;
    const lines = (ctz(men) as i32) << 6;
    for (
      let to = attacksOver(slot & 7, ctz(men) as i32, row.occupied) & ~(row.occupied | neverFrom);
      to;
      to &= to - 1
    ) {
      const target = ctz(to) as i32;
      strikeThrough(base + target * stride, set & ~(squaresAt(BETWEEN, lines | target) | bit(target)));
    }
  }
  const slot = word(GROUP_SLOT, groups - 1);
  if (slot >> 3 === mover) unmoveRunner(slot & 7, first, set & ~neverTo);
}

/** `base`: the key without the digit of the group. `stride`: its weight; 0 of the runner's twins. */
function unmoveLikeMen(kind: i32, men: u64, base: i32, stride: i32, set: u64): void {
  for (let rest = men & ~neverTo; rest; rest &= rest - 1) {
    const square = ctz(rest) as i32;
    const others = men & ~bit(square);
    for (let to = attacksOver(kind, square, row.occupied) & ~(row.occupied | neverFrom); to; to &= to - 1) {
      const target = ctz(to) as i32;
      const through = set & ~(squaresAt(BETWEEN, (square << 6) | target) | bit(target));
      if (stride === 0) sendInOrder(STRUCK, base, others | bit(target), through);
      else strikeThrough(base + rankOf(others | bit(target)) * stride, through);
    }
  }
}

/** A position that several unmoves lead to has that many moves to won positions, and is won by any to a lost one. */
function unmoveRunner(kind: i32, first: i32, set: u64): void {
  let free = ~(row.occupied | neverFrom);
  if (kingRuns) free &= ~squaresAt(MOBILITY, (KING << 6) | kingOf(0));
  findHiders(kind);
  if (losing && !hasTwins) {
    countRunner(kind, first, set, free);
    return;
  }
  const base = first - (rankOf(twins) << 6);
  if (numbering !== NO_NUMBERS) {
    addRunner(kind, base, set, free);
    return;
  }
  let all: u64 = 0;
  for (let rest = set; rest; rest &= rest - 1) {
    const targets = attacksOfRunner(kind, ctz(rest) as i32) & free;
    if (losing) sendInOrder(STRUCK, base, twins, targets);
    else all |= targets;
  }
  sendInOrder(STRUCK, base, twins, all);
}

/** Adds the numbers of the squares that the runner comes from to those that it goes back to. */
function addRunner(kind: i32, base: i32, set: u64, free: u64): void {
  clearDigits(SUM);
  let all: u64 = 0;
  for (let rest = set; rest; rest &= rest - 1) {
    const square = rest & (0 - rest);
    const targets = attacksOfRunner(kind, ctz(rest) as i32) & free;
    // Each unmove by itself takes one off a count.
    if (losing) sendInOrder(STRUCK, base, twins, targets);
    else addEven(square, targets);
    all |= targets;
  }
  if (losing) return;
  weighBy(SUM);
  sendInOrder(STRUCK, base, twins, all);
  weighBy(GIVEN);
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

/** i32: of each man of the row, where BEHIND has what it hides from a square. A root has up to 32 men. */
const HIDERS: usize = memory.data(32 * 4, 16);
let hiders: i32 = 0;

/** Prepares `attacksOfRunner`. */
function findHiders(kind: i32): void {
  hiders = 0;
  if (kind >= KNIGHT) return;
  for (let men = row.occupied; men; men &= men - 1) {
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
 * Puts out the sets that the king's unmoves lead to, and MAJOR for each; their number goes to ROWS. Stops when more than `room`
 * are written; returns the number of sets done. `leaves`: labelled positions are left out, of parts whose bits are in memory.
 */
export function unmoveRows(side: i32, part: i32, count: i32, bias: i32, room: i32, leaves: bool): i32 {
  mover = 1 - side;
  beginOut();
  if (leaves) leaveOut(mover, bias);
  let i = 0;
  if (taker >= 0) i = count;
  for (; i < count && written <= room; i++) {
    const first = firstKeyIn(i);
    if (numbering === MOVES) {
      if (digit !== WHOLE) continue;
      sendDigit(0);
    }
    placeStanding(part, first);
    restrict(mover);
    listSteps(mover);
    unmoveKing(first, setIn(i), bias);
  }
  putWord(ROWS, 0, written);
  return i;
}

function unmoveKing(first: i32, set: u64, bias: i32): void {
  const rank = first - pairBase;
  if (neverTo !== 0 && bit(kingOf(mover)) & neverTo) return;
  for (let i = 0; i < steps; i++) {
    const target = word(STEP_TARGET, i);
    const to = bit(target);
    if ((row.occupied | neverFrom) & to) continue;
    const through = set & ~(kingRuns ? to | squaresAt(MOBILITY, (KING << 6) | target) : to);
    if (through === 0) continue;
    const symmetry = word(STEP_SYMMETRY, i);
    const base = word(STEP_BASE, i);
    const major = bias + word(STEP_PART, i);
    if (symmetry === 0) emitSet(major, base + rank, through);
    else {
      const minor = base + imageRankOfRow(symmetry);
      const images = imageOf(through, symmetry);
      if (!hasTwins) emitSet(major, minor, images);
      else {
        const like = imageOf(twins, symmetry);
        sendInOrder(major, minor - (rankOf(like) << 6), like, images);
      }
    }
  }
}
