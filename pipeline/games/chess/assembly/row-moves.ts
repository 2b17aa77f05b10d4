/**
 * The best of the moves of whole rows, for verification, and the moves of single positions that leave the slice. The last man is a piece, the
 * *runner*, on any square of the row. A move of another man within the slice leads to another row of ranks, from all squares of the runner
 * but those that the man passes. A move that leaves the slice is made once for the row, and counts for the squares of the runner for which
 * it is legal, as the census finds them (census.ts). A rank of 0 stands for an illegal position.
 */

import { ahead, attacksOver, passantTakers } from './attacks';
import {
  answersTo,
  attackedByPieces,
  enemyKing,
  findEnemies,
  king,
  legal,
  mayTakeRunner,
  mine,
  mover,
  NOBODY,
  permitting,
  preparePosition,
  prepareRow,
  reachOfKing,
  runnerKind,
  runnerOwn,
  safeForKing,
  theirs,
  toggleRunner,
} from './census';
import {
  BIAS,
  CHANGE_OF,
  DOUBLE,
  digitThere,
  FORBIDDEN,
  menThere,
  PASSING,
  PROMOTED,
  rankThere,
  slotOn,
  TO_ASSUMED,
  TO_DEPENDENCY,
  TO_FLIPPED,
  TO_KINGS,
  TO_PAIRS,
  TO_PLACEMENTS,
  TO_PLACES,
  TO_SLOT,
  TO_STRIDE,
  takenOf,
  toggle,
} from './changes';
import { GROUP_SLOT, imagesOf, KING_RUNS, kingsOf, PASSANT, PAWN, PAWN_ATTACKS } from './index-tables';
import { firstKeyIn, numbering, SUMS } from './numbers';
import {
  black,
  groups,
  hasTwins,
  imageRankOfRow,
  kingRuns,
  MEN,
  menAt,
  OF_GROUP,
  occupied,
  pairBase,
  pawnsOf,
  ROW_COUNT,
  ROW_STRIDE,
  standKing,
  stepImages,
  stepKey,
  stepPair,
  stepPart,
  taker,
  twins,
  white,
} from './position';
import {
  keepSet,
  lookAt,
  raiseByMoves,
  raiseIn,
  ranksOf,
  stride,
  takeAll,
  takeByImages,
  takeByImagesIn,
  takeByMoves,
  takeIn,
  takeOne,
  takeRow,
} from './rank-rows';
import { isNever, isRestricted, neverFrom, neverTakes, neverTo } from './restrictions';
import { beyond, clearBytes, lastDigit, rankOf } from './sets';
import { beginOut, emitSet, written as rowsOut, takeRows } from './sets-out';
import {
  BETWEEN,
  bit,
  image,
  KEYS,
  KING,
  MOBILITY,
  putRow,
  putSquares,
  putWord,
  ROWS,
  SOURCE,
  setIn,
  squaresAt,
  word,
} from './tables';
import { TO_COUNT } from './unconversions';

/** Symmetries of the board (geometry.ts). */
const MIRROR_RANKS = 2;

/** Takes the ranks of positions that are not legal from those of a part with `side` to move. */
export function completeRanks(side: i32, part: i32, count: i32, ranks: usize): void {
  for (let first = 0; first < count; first += 64) {
    const set = prepareRow(side, part, first);
    keepSet(ranks + (first as usize), set);
  }
  if (!hasTwins) return;
  lookAt(true);
  for (let first = 0; first < count; first += 64) copyTwins(side, part, first, ranks);
}

/** Gives the ranks of positions to the keys with their men in another order. So moves may lead to either. */
function copyTwins(side: i32, part: i32, first: i32, ranks: usize): void {
  prepareRow(side, part, first);
  const at = ranks + (first as usize);
  const base = first - (rankOf(twins) << 6);
  for (let rest = ~(beyond(twins) | occupied); rest; rest &= rest - 1) {
    const square = ctz(rest) as i32;
    const from = ranks + ((base + lastDigit(twins | bit(square))) as usize);
    store<u8>(at + (square as usize), load<u8>(from));
    if (numbering === SUMS) store<u8>(at + (square as usize) + stride, load<u8>(from + stride));
  }
}

/**
 * Raises `best`, a byte for each of `count` positions of a part from `from` on, by the moves of `side` to all ranks that are there; majors
 * are `bias` + part. `leaving`: whether ranks of other slices are there.
 */
export function raiseByRows(
  side: i32,
  part: i32,
  from: i32,
  count: i32,
  bias: i32,
  leaving: bool,
  best: usize,
): void {
  const own = ranksOf(bias + part);
  standingPart = part;
  for (let first = from; first < from + count; first += 64) {
    if (prepareRow(side, part, first) === 0) continue;
    const at = best + ((first - from) as usize);
    standing = first;
    lookAt(true);
    if (taker < 0) {
      if (own !== 0) raiseByPieces(first, at, own as usize);
      raiseByKing(first, at, bias);
    }
    if (!leaving) continue;
    findEnemies();
    lookAt(false);
    leaveSlice(at);
  }
}

/** How many moves `conversions` has written. */
let written: i32 = 0;

/**
 * The moves that leave the slice, of the keys [0, count) at KEYS: to MINOR, MAJOR by BIAS and, counted from `source`, SOURCE. Stops when
 * more than `room` are written, whose number goes to ROWS; returns the number of keys done.
 */
export function conversions(side: i32, part: i32, count: i32, room: i32, source: i32): i32 {
  written = 0;
  standingPart = part;
  let i = 0;
  for (; i < count && written <= room; i++) {
    standing = word(KEYS, i);
    preparePosition(side, part, standing);
    const first = written;
    leaveSlice(0);
    for (let row = first; row < written; row++) putWord(SOURCE, row, source + i);
  }
  putWord(ROWS, 0, written);
  return i;
}

// What stands: the first key of a row, or the key of a position, and its part.
let standing: i32 = 0;
let standingPart: i32 = 0;

/** Whether the moves that lead to an assumed slice are taken back; else all others are made, too. */
let unassuming: bool = false;
/** Then: the number of the slice, the major and the squares of the runner that sets go out with, and whether sets go out, or keys. */
let unassumed: i32 = 0;
let majorOut: i32 = 0;
let asked: u64 = 0;
let asSets: bool = false;

/**
 * Takes the moves of `side` back that lead from a part to an assumed slice, from the sets [0, count) of the same part there: from each
 * position to that of its own key. So the moves are made for each row, and the squares of the runner go out for which one is legal, as `sets`
 * of rows or as keys: to MINOR and MAJOR, and their number to ROWS. Stops when more than `room` went out; returns the number of sets done.
 */
export function unassumeSets(
  side: i32,
  dependency: i32,
  part: i32,
  count: i32,
  bias: i32,
  room: i32,
  sets: bool,
): i32 {
  beginOut();
  unassuming = true;
  unassumed = dependency;
  majorOut = bias + part;
  asSets = sets;
  let i = 0;
  for (; i < count && rowsOut <= room; i++) {
    standing = firstKeyIn(i);
    asked = setIn(i);
    if ((prepareRow(side, part, standing) & asked) === 0) continue;
    findEnemies();
    leaveSlice(0);
  }
  unassuming = false;
  putWord(ROWS, 0, rowsOut);
  return i;
}

/** The number of a change (changes.ts) by the mover. */
function changeOf(taken: i32, moved: i32): i32 {
  return word(CHANGE_OF, (mover * 11 + taken) * 13 + moved);
}

/** From the squares of a set, a move that leads to an assumed slice by the change of this number. */
function assume(at: usize, set: u64, number: i32): void {
  const dependency = word(TO_DEPENDENCY, number);
  if (unassuming) {
    if (dependency !== unassumed) return;
    if (asSets) emitSet(majorOut, standing, set & asked);
    else
      for (let rest = set & asked; rest; rest &= rest - 1)
        putRow(takeRows(1), majorOut, standing + (ctz(rest) as i32));
    return;
  }
  if (set === 0) return;
  const there = word(BIAS, 2 * dependency + 1 - mover) + standingPart;
  if (runnerKind === NOBODY) {
    putRow(written++, there, standing);
    return;
  }
  const ranks = ranksOf(there);
  if (ranks === 0) return;
  takeIn(set, at, (ranks + standing) as usize);
}

/** Whether a move is one that restrictions forbid. */
function isForbidden(kind: i32, square: i32, target: i32): bool {
  return isRestricted && (isNever(square, target) || (theirs & neverTakes(kind) & bit(target)) !== 0);
}

/** Whether a capture is, where the man that is taken does not stand on the target: the other side's runner, or a pawn en passant. */
function isTakingForbidden(kind: i32, square: i32, target: i32): bool {
  return isRestricted && (isNever(square, target) || (neverTakes(kind) & bit(target)) !== 0);
}

/** From the squares of a set, a move that is forbidden: it leads to an assumed slice in which the other side has won. */
function forbid(at: usize, set: u64): void {
  assume(at, set, word(CHANGE_OF, FORBIDDEN));
}

function raiseByPieces(first: i32, at: usize, own: usize): void {
  for (let g = 0; g < groups; g++) {
    const slot = word(GROUP_SLOT, g);
    if (slot >> 3 !== mover || (slot & 7) >= KING) continue;
    const all = squaresAt(OF_GROUP, g);
    const stride = word(ROW_STRIDE, g);
    const isSingle = word(ROW_COUNT, g) === 1;
    for (let men = all & ~neverFrom; men; men &= men - 1) {
      const square = ctz(men) as i32;
      const others = all & ~bit(square);
      const base = first - (isSingle ? square : rankOf(all)) * stride;
      for (let to = attacksOver(slot & 7, square, occupied) & ~(occupied | neverTo); to; to &= to - 1) {
        const target = ctz(to) as i32;
        const digit = isSingle ? target : rankOf(others | bit(target));
        const there = own + ((base + digit * stride) as usize);
        const passed = squaresAt(BETWEEN, (square << 6) | target);
        if (passed === 0) {
          takeRow(at, there);
        } else {
          takeIn(~passed, at, there);
        }
      }
    }
  }
  if (!runnerOwn) return;
  if (isRestricted) {
    raiseByRestricted(at, own + (first as usize));
    return;
  }
  takeByMoves(runnerKind, at, own + (first as usize), ~occupied);
}

const ENTERED: usize = memory.data(64, 16);
const RAISED: usize = memory.data(64, 16);

/** By the runner's moves that restrictions do not forbid. They go with metrics that have no numbers. */
function raiseByRestricted(at: usize, ranks: usize): void {
  clearBytes(ENTERED);
  raiseIn(~neverTo, ENTERED, ranks);
  clearBytes(RAISED);
  raiseByMoves(runnerKind, RAISED, ENTERED, ~occupied);
  raiseIn(~neverFrom, at, RAISED);
}

function raiseByKing(first: i32, at: usize, bias: i32): void {
  if ((kingRuns && runnerOwn) || (neverFrom & bit(king)) !== 0) return;
  for (let to = squaresAt(MOBILITY, (KING << 6) | king) & ~(occupied | neverTo); to; to &= to - 1) {
    const target = ctz(to) as i32;
    // Rows are found by the white king alone: the black one may stand anywhere.
    if (kingRuns) standKing(1, ctz(~(to | squaresAt(MOBILITY, (KING << 6) | target))) as i32);
    if (!stepPair(mover, target)) continue;
    const ranks = ranksOf(bias + stepPart);
    if (ranks === 0) continue;
    const there = (ranks + stepKey) as usize;
    const symmetry = ctz(stepImages);
    if (symmetry !== 0) {
      const row = there + (imageRankOfRow(symmetry) as usize);
      takeByImages(at, row, symmetry);
    } else {
      const row = there + ((first - pairBase) as usize);
      takeRow(at, row);
    }
  }
}

/**
 * Moves that leave the slice: those of pawns, and of other men to the other side's men. A right to capture en passant lapses with every
 * move, so where there is one, all moves leave.
 */
function leaveSlice(at: usize): void {
  const targets = taker >= 0 ? ~mine : theirs;
  leaveByPieces(at, targets);
  leaveByKing(at, targets);
  if (!runnerOwn && !kingRuns) takeRunnerByPieces(at);
  if (runnerOwn && runnerKind !== NOBODY) leaveByRunner(at, targets);
  leaveByPawns(at);
  if (taker >= 0) takePassant(at);
}

function leaveByPieces(at: usize, targets: u64): void {
  for (let g = 0; g < groups; g++) {
    const slot = word(GROUP_SLOT, g);
    if (slot >> 3 !== mover || (slot & 7) >= KING) continue;
    for (let men = squaresAt(OF_GROUP, g); men; men &= men - 1) {
      const square = ctz(men) as i32;
      const reach = attacksOver(slot & 7, square, occupied);
      for (let to = reach & (isRestricted ? ~mine : targets); to; to &= to - 1) {
        const target = ctz(to) as i32;
        toggle(slot, bit(square) | bit(target));
        const set = permitting(square, target);
        if (isForbidden(slot & 7, square, target)) forbid(at, set & ~bit(target));
        else if (targets & bit(target)) leaveTo(at, set, target, 0, white, black);
        toggle(slot, bit(square) | bit(target));
      }
    }
  }
}

/** Each square on which the other side's runner is taken leads to another position. */
function takeRunnerByPieces(at: usize): void {
  const number = changeOf(runnerKind + 1, 0);
  const isAssumed = word(TO_ASSUMED, number) !== 0;
  const isThere = isAssumed || turnTo(runnerKind + 1, 0, white, black);
  if (!isThere && !isRestricted) return;
  for (let g = 0; g < groups; g++) {
    const slot = word(GROUP_SLOT, g);
    if (slot >> 3 !== mover || (slot & 7) >= KING) continue;
    for (let men = squaresAt(OF_GROUP, g); men; men &= men - 1) {
      const square = ctz(men) as i32;
      let set = attacksOver(slot & 7, square, occupied) & mayTakeRunner(square);
      if (isRestricted) {
        const never = neverFrom & bit(square) ? set : set & (neverTo | neverTakes(slot & 7));
        forbid(at, never);
        set ^= never;
        if (!isThere) continue;
      }
      if (isAssumed) {
        assume(at, set, number);
        continue;
      }
      toggle(slot, bit(square));
      leaveOpen(slot);
      raiseOpen(at, set);
      toggle(slot, bit(square));
    }
  }
}

function leaveByKing(at: usize, targets: u64): void {
  const reach = reachOfKing();
  for (let to = reach & (isRestricted ? ~mine : targets); to; to &= to - 1) {
    const target = ctz(to) as i32;
    if (isForbidden(KING, king, target)) forbid(at, safeForKing(target) & ~bit(target));
    else if ((targets & bit(target)) === 0) continue;
    else if (mover === 0) leaveTo(at, safeForKing(target), target, 0, target, black);
    else leaveTo(at, safeForKing(target), target, 0, white, target);
  }
  if (runnerOwn) return;
  for (let to = reach & legal & ~attackedByPieces(occupied ^ bit(king)); to; to &= to - 1) {
    const target = ctz(to) as i32;
    if (isTakingForbidden(KING, king, target)) forbid(at, bit(target));
    else if (mover === 0) takeRunner(at, target, 0, target, black);
    else takeRunner(at, target, 0, white, target);
  }
}

/** Wherever it comes from, the runner stands on the same square then. */
function leaveByRunner(at: usize, targets: u64): void {
  const runner = word(GROUP_SLOT, groups - 1);
  for (let to = (isRestricted ? ~mine : targets) & ~bit(enemyKing) & answersTo(occupied); to; to &= to - 1) {
    const target = ctz(to) as i32;
    let set = legal & attacksOver(runnerKind, target, occupied);
    const takes = (theirs & bit(target)) !== 0;
    if (isRestricted) {
      const never = (neverTo | (takes ? neverTakes(runnerKind) : 0)) & bit(target) ? set : set & neverFrom;
      forbid(at, never);
      set ^= never;
      if ((targets & bit(target)) === 0) continue;
    }
    if (set === 0) continue;
    const slot = takes ? slotOn(1 - mover, target) : 0;
    const taken = takes ? takenOf(slot, target) : 0;
    const number = changeOf(taken, 0);
    if (word(TO_ASSUMED, number)) {
      assume(at, set, number);
      continue;
    }
    if (takes) toggle(slot, bit(target));
    if (turnTo(taken, 0, white, kingRuns ? target : black)) {
      if (!kingRuns) toggle(runner, bit(target));
      const there = positionThere();
      takeAll(set, at, there);
      if (!kingRuns) toggle(runner, bit(target));
    }
    if (takes) toggle(slot, bit(target));
  }
}

/** The captures of the pawn that has just made a double step. */
function takePassant(at: usize): void {
  const pawn = ctz(menAt(1 - mover, PASSANT)) as i32;
  const to = ahead(mover, pawn);
  const passant = ((1 - mover) << 3) | PASSANT;
  const pawns = (mover << 3) | PAWN;
  for (let rest = legal; rest; rest &= rest - 1) {
    const square = ctz(rest) as i32;
    toggleRunner(square);
    const takers = passantTakers(mover, pawn, occupied | bit(square));
    toggleRunner(square);
    for (let men = takers; men; men &= men - 1) {
      const from = ctz(men) as i32;
      if (isTakingForbidden(PAWN, from, to)) {
        forbid(at, bit(square));
        continue;
      }
      toggle(passant, bit(pawn));
      toggle(pawns, bit(from) | bit(to));
      leave(at, bit(square), takenOf(passant, pawn), from >> 3, white, black);
      toggle(pawns, bit(from) | bit(to));
      toggle(passant, bit(pawn));
    }
  }
}

function leaveByPawns(at: usize): void {
  const pawns = (mover << 3) | PAWN;
  for (let men = pawnsOf(mover); men; men &= men - 1) {
    const square = ctz(men) as i32;
    toggle(pawns, bit(square));
    const one = ahead(mover, square);
    if ((occupied & bit(one)) === 0) {
      arrive(at, permitting(square, one) & ~bit(one), square, one);
      const two = ahead(mover, one);
      if (square >> 3 === (mover === 0 ? 1 : 6) && (occupied & bit(two)) === 0)
        stepTwice(at, permitting(square, two) & ~bit(two), square, two);
    }
    const reach = squaresAt(PAWN_ATTACKS, (mover << 6) | square);
    for (let to = reach & theirs; to; to &= to - 1) {
      const target = ctz(to) as i32;
      arrive(at, permitting(square, target), square, target);
    }
    if (!runnerOwn) {
      for (let to = reach & mayTakeRunner(square); to; to &= to - 1) {
        const target = ctz(to) as i32;
        arrive(at, bit(target), square, target);
      }
    }
    toggle(pawns, bit(square));
  }
}

/** From the squares of a set, a pawn steps or captures to a square, which it leaves as what it becomes. */
function arrive(at: usize, set: u64, square: i32, target: i32): void {
  if (set === 0) return;
  const isLast = target < 8 || target >= 56;
  const kinds = isLast ? KING : 1;
  const takesRunner = (set & bit(target)) !== 0;
  const isLeftOut = takesRunner ? isTakingForbidden(PAWN, square, target) : isForbidden(PAWN, square, target);
  for (let kind = 0; kind < kinds; kind++) {
    if (isLeftOut) {
      forbid(at, set);
      continue;
    }
    const slot = (mover << 3) | (isLast ? kind : PAWN);
    toggle(slot, bit(target));
    const moved = isLast ? PROMOTED + kind : square >> 3;
    if (takesRunner) takeRunner(at, target, moved, white, black);
    else leaveTo(at, set, target, moved, white, black);
    toggle(slot, bit(target));
  }
}

/** Where the other side can capture the pawn en passant, the right to do so is part of the position that follows. */
function stepTwice(at: usize, set: u64, square: i32, target: i32): void {
  if (isForbidden(PAWN, square, target)) {
    forbid(at, set);
    return;
  }
  const pawns = (mover << 3) | PAWN;
  const left = occupied & ~bit(square);
  const beside = squaresAt(PAWN_ATTACKS, (mover << 6) | ahead(1 - mover, target)) & pawnsOf(1 - mover);
  let passing: u64 = 0;
  if (beside) {
    toggle(pawns, bit(target));
    for (let rest = set; rest; rest &= rest - 1) {
      const last = rest & (0 - rest);
      const square = ctz(last) as i32;
      toggleRunner(square);
      if (passantTakers(1 - mover, target, left | last) !== 0) passing |= last;
      toggleRunner(square);
    }
    toggle(pawns, bit(target));
  }
  if (passing) {
    const passant = (mover << 3) | PASSANT;
    toggle(passant, bit(target));
    leave(at, passing, 0, PASSING, white, black);
    toggle(passant, bit(target));
  }
  toggle(pawns, bit(target));
  leave(at, set & ~passing, 0, DOUBLE, white, black);
  toggle(pawns, bit(target));
}

/** From the squares of a set, a move that has been made in MEN, but for the capture of a man that stands on its target. */
function leaveTo(at: usize, set: u64, target: i32, moved: i32, whiteKing: i32, blackKing: i32): void {
  if ((theirs & bit(target)) === 0) {
    leave(at, set & ~bit(target), 0, moved, whiteKing, blackKing);
    return;
  }
  if (set === 0) return;
  const slot = slotOn(1 - mover, target);
  toggle(slot, bit(target));
  leave(at, set, takenOf(slot, target), moved, whiteKing, blackKing);
  toggle(slot, bit(target));
}

/** A move that takes the other side's runner. */
function takeRunner(at: usize, target: i32, moved: i32, whiteKing: i32, blackKing: i32): void {
  const number = changeOf(runnerKind + 1, moved);
  if (word(TO_ASSUMED, number)) {
    assume(at, bit(target), number);
    return;
  }
  if (!turnTo(runnerKind + 1, moved, whiteKing, blackKing)) return;
  takeOne(at + (target as usize), positionThere());
}

// The slice that a change leads to, with its kings on two squares: what `turnTo` found.
let change: i32 = 0;
/** Where the ranks of the pair of kings begin; its first key, where a whole position stands. */
let ranks: usize = 0;
let major: i32 = 0;
let symmetry: i32 = 0;

/** Turns to the slice that a change leads to (changes.ts). It is not assumed. Returns whether its ranks are there, or a whole position stands. */
function turnTo(taken: i32, moved: i32, whiteKing: i32, blackKing: i32): bool {
  if (unassuming) return false;
  change = changeOf(taken, moved);
  const flipped = word(TO_FLIPPED, change);
  const kinds = word(TO_KINGS, change);
  const kings = flipped ? ((blackKing ^ 56) << 6) | (whiteKing ^ 56) : (whiteKing << 6) | blackKing;
  const pair = kingsOf(kinds, kings);
  const pairs = word(TO_PAIRS, change);
  const part = pair / pairs;
  const sideThere = flipped ? mover : 1 - mover;
  major = word(BIAS, 2 * word(TO_DEPENDENCY, change) + sideThere) + part;
  const at = runnerKind === NOBODY ? 0 : ranksOf(major);
  if (at === 0 && runnerKind !== NOBODY) return false;
  putSquares(MEN, KING, bit(whiteKing));
  putSquares(MEN, 8 | KING, bit(blackKing));
  ranks = (at + (pair - part * pairs) * word(TO_PLACEMENTS, change)) as usize;
  symmetry = ctz(imagesOf(kinds, kings));
  return true;
}

/** Where the rank of the position in MEN is; its key, where a whole position stands. */
function positionThere(): usize {
  return ranks + (rankThere(change, symmetry, -1) as usize);
}

// A man that `leaveOpen` leaves out: the group that it joins there, and the key without that group's digit.
let openGroup: i32 = 0;
let openStride: i32 = 0;
let openKey: i32 = 0;
/** The other men of the group; squares here are turned by `flip` first. */
let openOthers: u64 = 0;
let flip: i32 = 0;

/** Prepares `withManOn`: a man of a slot is not in MEN, and will stand on one square after the other. */
function leaveOpen(slot: i32): void {
  openGroup = change << 3;
  while (word(TO_PLACES, openGroup) !== 0 || word(TO_SLOT, openGroup) !== slot) openGroup++;
  openStride = word(TO_STRIDE, openGroup);
  openKey = rankThere(change, symmetry, openGroup);
  openOthers = menThere(change, openGroup, symmetry);
  flip = word(TO_FLIPPED, change) ? 56 : 0;
}

/** Where the rank of the position is with the man that was left open on a square. */
function withManOn(square: i32): usize {
  const men = openOthers | bit(image(square ^ flip, symmetry));
  return ranks + ((openKey + digitThere(openGroup, men) * openStride) as usize);
}

/** Raises the squares of a set by the ranks of the positions that have the man there that was left open. */
function raiseOpen(at: usize, set: u64): void {
  if (openStride === 1 && word(TO_COUNT, openGroup) === 1) {
    const turned = flip !== 0 ? symmetry ^ MIRROR_RANKS : symmetry;
    takeByImagesIn(set, at, ranks + (openKey as usize), turned);
    return;
  }
  for (; set; set &= set - 1) {
    const square = ctz(set) as i32;
    takeOne(at + (square as usize), withManOn(square));
  }
}

/**
 * Raises the squares of a set by the ranks of the positions that have the runner there, and all else as in MEN. Of a whole position,
 * writes where the move leads.
 */
function leave(at: usize, set: u64, taken: i32, moved: i32, whiteKing: i32, blackKing: i32): void {
  if (set === 0) return;
  const number = changeOf(taken, moved);
  if (word(TO_ASSUMED, number)) {
    assume(at, set, number);
    return;
  }
  if (runnerKind === KING) {
    leaveKing(at, set, taken, moved, whiteKing);
    return;
  }
  if (!turnTo(taken, moved, whiteKing, blackKing)) return;
  if (runnerKind === NOBODY) {
    putRow(written++, major, positionThere() as i32);
    return;
  }
  leaveOpen(word(GROUP_SLOT, groups - 1));
  raiseOpen(at, set);
}

/** As `leave`, where the black king runs. Rows there are rows here if it runs there, too. */
function leaveKing(at: usize, set: u64, taken: i32, moved: i32, whiteKing: i32): void {
  const there = changeOf(taken, moved);
  if (word(TO_KINGS, there) === KING_RUNS && !word(TO_FLIPPED, there)) {
    if (!turnTo(taken, moved, whiteKing, ctz(set) as i32)) return;
    leaveOpen(8 | KING);
    takeByImagesIn(set, at, ranks + (openKey as usize), symmetry);
    return;
  }
  for (; set; set &= set - 1) {
    const last = ctz(set) as i32;
    if (turnTo(taken, moved, whiteKing, last)) takeOne(at + (last as usize), positionThere());
  }
}
