/**
 * The kernel `unconvertSets`: takes captures and moves of pawns back from the slices that they lead to. Where there is a right to
 * capture en passant, it takes all moves back. Keys there that differ in the square of the last piece alone are a row. That piece is
 * the *runner*. Another man's move is taken back for a set of the runner's squares.
 */

import { ahead, attacksOver, passantTakers } from './attacks';
import { NOBODY } from './census';
import {
  DOUBLE,
  PASSING,
  PROMOTED,
  slotThere,
  TO_DEPENDENCY,
  TO_FLIPPED,
  TO_GROUPS,
  TO_KINGS,
  TO_PAIRS,
  TO_PLACEMENTS,
  TO_PLACES,
  TO_SLOT,
  TO_STRIDE,
  toggle,
} from './changes';
import {
  blackOf,
  boardsOf,
  GROUP_COUNT,
  GROUP_PLACES,
  GROUP_SLOT,
  GROUP_STRIDE,
  imagesOf,
  KING_RUNS,
  kingsOf,
  PASSANT,
  PAWN,
  PAWN_ATTACKS,
  whiteOf,
} from './index-tables';
import { firstKeyIn } from './numbers';
import { mirrorOf, numberOf, placedAt, restrictedIn, restrictionsOf, seek, slotAt, slotsOf } from './places';
import {
  BASE,
  black,
  clearMen,
  groups,
  hasPawns,
  kingOf,
  kingRuns,
  kings,
  lastBits,
  MEN,
  menAt,
  PART,
  squaresOf,
  standKing,
  standKings,
  taker,
  white,
} from './position';
import { isNever, isRestricted, neverFrom, neverTakes, neverTo, restrictBy } from './restrictions';
import { ALL, imageOf, lastDigit, rankOf } from './sets';
import { beginOut, emitSet, sendInOrder, takeRows, written } from './sets-out';
import {
  BETWEEN,
  bit,
  image,
  KING,
  MOBILITY,
  putRow,
  putSquares,
  putWord,
  ROWS,
  setIn,
  squaresAt,
  word,
} from './tables';

/** i32, of each change: its place in CHANGE_OF, and of the group g at change * 8 + g its men there. */
export const TO_PLACE: usize = memory.data(288 * 4, 16);
export const TO_COUNT: usize = memory.data(288 * 8 * 4, 16);

// The change: whose move, what it takes and what moves, as CHANGE_OF numbers it.
let change: i32 = 0;
let mover: i32 = 0;
let taken: i32 = 0;
let moved: i32 = 0;

/** The slot here of the man whose square is the last digit there, or NOBODY. */
let runner: i32 = NOBODY;
/** u64, by slot: the men that stand, but the runner, in canonical order there and with the colours of this slice. */
const THERE: usize = memory.data(16 * 8, 16);
/** Which slots have men there, as bits. */
let slotsThere: i32 = 0;
/** How the index there has the kings, and their squares. */
let kingsThere: i32 = 0;
let whiteThere: i32 = 0;
let blackThere: i32 = 0;
/** Kings and men that stand while a move is taken back. */
let standing: u64 = 0;

let bias: i32 = 0;
/** With the colours exchanged, boards are turned upside down. */
let turned: bool = false;
/** The symmetries, as bits, whose images of the positions there have the same index. */
let boardsThere: i32 = 0;
/** Whether sets go out, of rows here, not keys. */
let asSets: bool = false;

/**
 * Takes back conversions by `side` that lead to positions of a dependency with `sideThere` to move: from the sets [0, count) of a part of
 * it, whatever its rows are. `changes`: how many the slice has. Keys go out, or `sets` of rows if `keepsRows` says so: to MINOR and
 * MAJOR, and their number to ROWS. Stops when more than `room` went out; returns the number of sets done.
 */
export function unconvertSets(
  side: i32,
  dependency: i32,
  sideThere: i32,
  changes: i32,
  part: i32,
  count: i32,
  firstMajor: i32,
  room: i32,
  sets: bool,
): i32 {
  bias = firstMajor;
  beginOut();
  asSets = sets;
  let i = 0;
  for (; i < count && written <= room; i++) {
    const first = firstKeyIn(i);
    for (let number = 0; number < changes; number++) {
      if (!leadsThere(number, side, dependency, sideThere)) continue;
      turnTo(number);
      unmakeSet(part, first, setIn(i));
    }
  }
  putWord(ROWS, 0, written);
  return i;
}

function unmakeSet(part: i32, first: i32, set: u64): void {
  if (runner !== NOBODY) {
    placeRow(part, first);
    unmakeImages(turned ? bswap(set) : set);
    return;
  }
  for (let rest = set; rest; rest &= rest - 1) {
    placeRow(part, first | (ctz(rest) as i32));
    unmakeImages(ALL);
  }
}

/** Whether a change is one that moves of `side` to positions of a dependency with `sideThere` to move make. */
function leadsThere(number: i32, side: i32, dependency: i32, sideThere: i32): bool {
  if (word(TO_DEPENDENCY, number) !== dependency || word(TO_PLACE, number) / 143 !== side) return false;
  return sideThere === (word(TO_FLIPPED, number) ? side : 1 - side);
}

/** Whether rows of a dependency that such changes lead to are rows here. */
export function keepsRows(side: i32, dependency: i32, sideThere: i32, changes: i32): bool {
  const last = word(GROUP_SLOT, groups - 1);
  if (lastBits === 0) return false;
  for (let number = 0; number < changes; number++) {
    if (!leadsThere(number, side, dependency, sideThere)) continue;
    turnTo(number);
    if (runner !== last) return false;
  }
  return true;
}

function turnTo(number: i32): void {
  change = number;
  const place = word(TO_PLACE, number);
  mover = place / 143;
  taken = (place % 143) / 13;
  moved = place % 13;
  turned = word(TO_FLIPPED, number) !== 0;
  kingsThere = word(TO_KINGS, number);
  const last = (number << 3) + word(TO_GROUPS, number) - 1;
  runner = NOBODY;
  if (word(TO_GROUPS, number) === 0 || word(TO_PLACES, last) !== 0 || kingsThere === KING_RUNS) return;
  runner = word(TO_SLOT, last);
}

/** Decodes a key there. */
function placeRow(part: i32, key: i32): void {
  const placementsThere = word(TO_PLACEMENTS, change);
  const pairInPart = key / placementsThere;
  const pair = part * word(TO_PAIRS, change) + pairInPart;
  const first = whiteOf(kingsThere, pair);
  const second = kingsThere === KING_RUNS ? key & 63 : blackOf(kingsThere, pair);
  whiteThere = turned ? second ^ 56 : first;
  blackThere = turned ? first ^ 56 : second;
  boardsThere = boardsOf(kingsThere, pair);
  clearMen(THERE);
  slotsThere = 0;
  let rest = key - pairInPart * placementsThere;
  const end = (change << 3) + word(TO_GROUPS, change) - (kingsThere === KING_RUNS ? 1 : 0);
  for (let g = change << 3; g < end; g++) {
    const runs = runner !== NOBODY && g === end - 1;
    const stride = runs ? 64 : word(TO_STRIDE, g);
    const digit = rest / stride;
    rest -= digit * stride;
    const table = word(TO_PLACES, g) as usize;
    if (table === 0) putThere(word(TO_SLOT, g), squaresOf(word(TO_COUNT, g) - (runs ? 1 : 0), digit));
    else
      for (let s = 0; s < slotsOf(table); s++)
        putThere(slotThere(change, table, s), placedAt(table, digit, s));
  }
}

function putThere(slot: i32, squares: u64): void {
  slotsThere |= 1 << slot;
  putSquares(THERE, slot, squaresAt(THERE, slot) | (turned ? bswap(squares) : squares));
}

/**
 * Symmetries, as bits, one for each of the images of a board that are not images of each other by the symmetries of boards here: these are all,
 * or with pawns the mirror image of the files.
 */
const ONE_OF_EIGHT = 0b1;
const ONE_OF_TWO = 0b110101;

/** The kind of the man whose move is taken back, and the squares that it goes back to and stands on; from {@link ANYWHERE} goes the runner. */
let movedKind: i32 = 0;
let movedFrom: i32 = 0;
let movedTo: i32 = 0;
const ANYWHERE: i32 = -1;

function moveBack(kind: i32, from: i32, to: i32): void {
  movedKind = kind;
  movedFrom = from;
  movedTo = to;
}

/** Those of the runner's squares from which the restrictions of the placement that `keyOf` had last do not forbid the move. */
function allowed(set: u64): u64 {
  if (!isRestricted) return set;
  const never = neverTo | (taken !== 0 ? neverTakes(movedKind) : 0);
  if (never & bit(movedTo)) return 0;
  if (movedFrom === ANYWHERE) return set & ~neverFrom;
  return isNever(movedFrom, movedTo) ? 0 : set;
}

/** Takes the move back on every board that the positions stand for, up to the symmetries of boards here. */
function unmakeImages(set: u64): void {
  for (let images = (hasPawns ? ONE_OF_TWO : ONE_OF_EIGHT) & boardsThere; images; images &= images - 1) {
    unmakeImage(set, ctz(images));
  }
}

function unmakeImage(set: u64, symmetry: i32): void {
  if (moved >= PROMOTED && !isPromotedIn(symmetry)) return;
  standKings(image(whiteThere, symmetry), image(blackThere, symmetry));
  standing = bit(white) | bit(black);
  for (let slots = slotsThere; slots; slots &= slots - 1) {
    const slot = ctz(slots);
    const squares = imageOf(squaresAt(THERE, slot), symmetry);
    putSquares(MEN, slot, squares);
    standing |= squares;
  }
  const squares = symmetry === 0 || runner === NOBODY ? set : imageOf(set, symmetry);
  if (moved === 0) {
    findAttackers();
    unmakePieces(squares);
    unmakeKing(squares);
  } else if (moved >= PROMOTED) unmakePromotions(squares);
  else if (moved >= DOUBLE) unmakeDoubleSteps(squares);
  else unmakePawns(squares);
}

/** Whether an image of the position may have a man of the new piece's kind on the last rank. */
function isPromotedIn(symmetry: i32): bool {
  const slot = (mover << 3) | (moved - PROMOTED);
  if (slot === runner) return true;
  return (imageOf(squaresAt(THERE, slot), symmetry) & ((255 as u64) << (mover === 0 ? 56 : 0))) !== 0;
}

/** Whether the captured man can have stood on a square. */
function isTakenOn(square: i32): bool {
  return taken <= KING || square >> 3 === taken - KING;
}

/** Puts the captured man on a square, or takes it away again. */
function toggleTaken(square: i32): void {
  if (taken === 0) return;
  toggle(((1 - mover) << 3) | (taken <= KING ? taken - 1 : PAWN), bit(square));
}

/** u64: the mover's pieces that attack the other king, as sets of one square, and the squares between; without the runner. */
const ATTACKER: usize = memory.data(8 * 8, 16);
const LINE: usize = memory.data(8 * 8, 16);
let attackers: i32 = 0;
/** Where the runner, if it is the mover's, attacks the other king. */
let runnerAttacks: u64 = 0;

function findAttackers(): void {
  attackers = 0;
  const king = kingOf(1 - mover);
  for (let kind = 0; kind < KING; kind++) {
    for (let men = menAt(mover, kind) & squaresAt(MOBILITY, (kind << 6) | king); men; men &= men - 1) {
      const square = ctz(men) as i32;
      const between = squaresAt(BETWEEN, (square << 6) | king);
      if (between & standing) continue;
      putSquares(ATTACKER, attackers, bit(square));
      putSquares(LINE, attackers++, between);
    }
  }
  runnerAttacks = runner >> 3 === mover ? attacksOver(runner & 7, king, standing) : 0;
}

/**
 * Where the runner may stand so that the mover's pieces do not attack the other king: else it was not the mover's turn. Before the move
 * there is a man on `target` too, and none of the mover's on `square`.
 */
function legalBefore(square: i32, target: i32): u64 {
  let set = ALL;
  for (let i = 0; i < attackers; i++) {
    const line = squaresAt(LINE, i);
    if (squaresAt(ATTACKER, i) !== bit(square) && (line & bit(target)) === 0) set &= line;
  }
  if (runner === NOBODY) return set === ALL ? ALL : 0;
  if ((runnerAttacks & bit(target)) === 0) return set & ~runnerAttacks;
  return set & ~attacksOver(runner & 7, kingOf(1 - mover), standing | bit(target));
}

/** As `legalBefore`, where the man on `target` is a piece of the mover's. */
function legalBeforeWith(kind: i32, square: i32, target: i32): u64 {
  const set = legalBefore(square, target);
  const king = kingOf(1 - mover);
  if ((squaresAt(MOBILITY, (kind << 6) | target) & bit(king)) === 0) return set;
  const line = squaresAt(BETWEEN, (target << 6) | king);
  if (line & standing) return set;
  return runner === NOBODY ? 0 : set & line;
}

function unmakePieces(set: u64): void {
  for (let kind = 0; kind < KING; kind++) {
    const slot = (mover << 3) | kind;
    for (let men = menAt(mover, kind); men; men &= men - 1) {
      const square = ctz(men) as i32;
      if (!isTakenOn(square)) continue;
      const origins = attacksOver(kind, square, standing) & ~standing;
      if (origins === 0) continue;
      toggleTaken(square);
      const isPrepared = prepareMoved(slot);
      for (let to = origins; to; to &= to - 1) {
        const target = ctz(to) as i32;
        const path = squaresAt(BETWEEN, (square << 6) | target) | bit(target);
        const through = clearOf(set, path) & legalBeforeWith(kind, square, target);
        toggle(slot, bit(square) | bit(target));
        moveBack(kind, target, square);
        if (isPrepared) emitMoved(through);
        else emit(through, runner);
        toggle(slot, bit(square) | bit(target));
      }
      toggleTaken(square);
    }
    if (slot !== runner) continue;
    for (let rest = set; rest; rest &= rest - 1) {
      const square = ctz(rest) as i32;
      if (!isTakenOn(square)) continue;
      toggleTaken(square);
      const occupied = standing | bit(square);
      moveBack(kind, ANYWHERE, square);
      emit(attacksOver(kind, square, occupied) & ~occupied & legalBefore(square, square), runner);
      toggleTaken(square);
    }
  }
}

function unmakeKing(set: u64): void {
  const square = kingOf(mover);
  if (!isTakenOn(square)) return;
  const touched = squaresAt(MOBILITY, (KING << 6) | kingOf(1 - mover));
  toggleTaken(square);
  for (let to = squaresAt(MOBILITY, (KING << 6) | square) & ~(standing | touched); to; to &= to - 1) {
    const target = ctz(to) as i32;
    standKing(mover, target);
    moveBack(KING, target, square);
    emit(clearOf(set, bit(target)) & legalBefore(square, target), runner);
  }
  standKing(mover, square);
  toggleTaken(square);
}

/** Where a pawn that takes came from, or one that steps. */
function origins(square: i32): u64 {
  if (taken === 0) return bit(ahead(1 - mover, square));
  return squaresAt(PAWN_ATTACKS, ((1 - mover) << 6) | square);
}

/** Single steps and captures. */
function unmakePawns(set: u64): void {
  const slot = (mover << 3) | PAWN;
  const row = moved + (mover === 0 ? 1 : -1);
  // En passant: the pawn that is taken stands beside the other's origin.
  const passing = taken === KING + moved;
  for (let men = (menAt(mover, PAWN) >> ((8 * row) as u64)) & 255; men; men &= men - 1) {
    const square = 8 * row + (ctz(men) as i32);
    const victim = passing ? ahead(1 - mover, square) : square;
    if (passing && standing & bit(victim)) continue;
    for (let from = origins(square) & ~standing; from; from &= from - 1) {
      const origin = from & (0 - from);
      const through = clearOf(set, passing ? origin | bit(victim) : origin);
      if (through === 0) continue;
      moveBack(PAWN, ctz(from) as i32, square);
      toggle(slot, bit(square) | origin);
      if (passing) {
        toggle(((1 - mover) << 3) | PASSANT, bit(victim));
        emitBoards(through, runner);
        toggle(((1 - mover) << 3) | PASSANT, bit(victim));
      } else {
        toggleTaken(square);
        emit(through, runner);
        toggleTaken(square);
      }
      toggle(slot, bit(square) | origin);
    }
  }
}

/** Without the squares that must be free. */
function clearOf(set: u64, squares: u64): u64 {
  return runner === NOBODY ? set : set & ~squares;
}

function unmakePromotions(set: u64): void {
  const kind = moved - PROMOTED;
  const slot = (mover << 3) | kind;
  const last = mover === 0 ? 56 : 0;
  for (let men = (menAt(mover, kind) >> (last as u64)) & 255; men; men &= men - 1) {
    const square = last + (ctz(men) as i32);
    toggle(slot, bit(square));
    unpromote(square, set, runner);
    toggle(slot, bit(square));
  }
  if (slot !== runner) return;
  for (let squares = set & ((255 as u64) << (last as u64)); squares; squares &= squares - 1) {
    unpromote(ctz(squares) as i32, ALL, NOBODY);
  }
}

/** Turns the promoted man on a square back into a pawn. */
function unpromote(square: i32, set: u64, running: i32): void {
  toggleTaken(square);
  for (let from = origins(square) & ~standing; from; from &= from - 1) {
    const origin = from & (0 - from);
    moveBack(PAWN, ctz(from) as i32, square);
    toggle((mover << 3) | PAWN, origin);
    emit(running === NOBODY ? set : set & ~origin, running);
    toggle((mover << 3) | PAWN, origin);
  }
  toggleTaken(square);
}

function unmakeDoubleSteps(set: u64): void {
  const passing = moved === PASSING;
  const slot = (mover << 3) | (passing ? PASSANT : PAWN);
  const row = mover === 0 ? 24 : 32;
  for (let men = (squaresAt(MEN, slot) >> (row as u64)) & 255; men; men &= men - 1) {
    const square = row + (ctz(men) as i32);
    const over = ahead(1 - mover, square);
    const origin = ahead(1 - mover, over);
    const path = bit(over) | bit(origin);
    if (standing & path) continue;
    let through = clearOf(set, path);
    toggle(slot, bit(square));
    if (!passing) through = untaken(square, through);
    toggle((mover << 3) | PAWN, bit(origin));
    moveBack(PAWN, origin, square);
    emit(through, runner);
    toggle((mover << 3) | PAWN, bit(origin));
    toggle(slot, bit(square));
  }
}

/** Where the runner stands so that a pawn that made a double step, and is taken off its square, cannot be captured en passant. */
function untaken(square: i32, set: u64): u64 {
  const over = ahead(1 - mover, square);
  const side = 1 - mover;
  if ((squaresAt(PAWN_ATTACKS, (mover << 6) | over) & (menAt(side, PAWN) | menAt(side, PASSANT))) === 0)
    return set;
  const occupied = standing ^ bit(square);
  if (runner === NOBODY) return passantTakers(side, square, occupied) === 0 ? set : 0;
  let through: u64 = 0;
  for (let rest = set; rest; rest &= rest - 1) {
    const last = rest & (0 - rest);
    toggle(runner, last);
    if (passantTakers(side, square, occupied | last) === 0) through |= last;
    toggle(runner, last);
  }
  return through;
}

/** Emits what stands, with a man of a slot, if any runs, on the squares of a set. */
function emit(set: u64, running: i32): void {
  if (set === 0) return;
  if (taker < 0) {
    emitBoards(set, running);
    return;
  }
  // Any pawn on its rank may be the one that has just made its double step.
  const side = 1 - taker;
  const row: u64 = side === 0 ? 24 : 32;
  for (let pawns = menAt(side, PAWN) & ((255 as u64) << row); pawns; pawns &= pawns - 1) {
    const pawn = pawns & (0 - pawns);
    toggle((side << 3) | PAWN, pawn);
    toggle((side << 3) | PASSANT, pawn);
    emitBoards(set, running);
    toggle((side << 3) | PASSANT, pawn);
    toggle((side << 3) | PAWN, pawn);
  }
}

/** The men of the runner's group that stand, as the last `keyOf` had them, and the weight of the group's digit. */
let beside: u64 = 0;
let runnerStride: i32 = 0;
let runnerIsLast: bool = false;

/**
 * The key of the standing men's image under a symmetry, without the digits of two groups; -1 if the index has no such placement of pawns.
 * @param pair the number of the image's pair of kings. @param running the slot of the runner's group; see `beside`.
 * @param moving the slot of another group whose digit is left out.
 */
function keyOf(pair: i32, symmetry: i32, running: i32, moving: i32): i32 {
  let key = word(BASE, pair);
  if (kingRuns) key += image(black, symmetry);
  const end = kingRuns ? groups - 1 : groups;
  for (let g = 0; g < end; g++) {
    const slot = word(GROUP_SLOT, g);
    if (slot === running) {
      beside = imageOf(squaresAt(MEN, slot), symmetry);
      runnerStride = word(GROUP_STRIDE, g);
      runnerIsLast = isRunnersHere(g);
    } else if (slot !== moving) {
      const term = termOf(g, symmetry);
      if (term < 0) return -1;
      key += term;
    }
  }
  return key;
}

/** Whether a group is the one that has the last man here. */
function isRunnersHere(g: i32): bool {
  return lastBits !== 0 && g === groups - 1;
}

/** What the image of a group adds to the key; negative if the pawns of a group stand as its table has none. */
function termOf(g: i32, symmetry: i32): i32 {
  const stride = word(GROUP_STRIDE, g);
  const table = word(GROUP_PLACES, g) as usize;
  if (table !== 0) {
    for (let s = 0; s < slotsOf(table); s++) seek(table, s, squaresAt(MEN, slotAt(table, s)));
    const number = numberOf(table);
    if (number >= 0) restrictBy(restrictionsOf(table, number), restrictedIn(table), mover);
    return (symmetry === 0 || number < 0 ? number : mirrorOf(table, number)) * stride;
  }
  const men = squaresAt(MEN, word(GROUP_SLOT, g));
  if (word(GROUP_COUNT, g) === 1) return image(ctz(men) as i32, symmetry) * stride;
  const images = imageOf(men, symmetry);
  return (isRunnersHere(g) ? lastDigit(images) : rankOf(images)) * stride;
}

/** What is the same for all squares that a man goes back to: the group, the symmetry, the major, and the key without the group. */
let movedGroup: i32 = 0;
let movedSymmetry: i32 = 0;
let movedMajor: i32 = 0;
let movedKey: i32 = 0;

/** Prepares `emitMoved` for the man of a slot; returns whether it can be used. */
function prepareMoved(slot: i32): bool {
  if (slot === runner || taker >= 0) return false;
  const squares = (white << 6) | black;
  const pair = kingsOf(kings, squares);
  movedGroup = 0;
  while (word(GROUP_SLOT, movedGroup) !== slot) movedGroup++;
  // The kings stand as they do there, so the move leads back from one image.
  movedSymmetry = ctz(imagesOf(kings, squares) & boardsThere);
  movedMajor = bias + word(PART, pair);
  movedKey = keyOf(pair, movedSymmetry, runner, slot);
  return movedKey >= 0;
}

/** As `emit`, where kings and the man that a move took are as they were, and a piece of one group has gone back. */
function emitMoved(origins: u64): void {
  const set = allowed(origins);
  if (set !== 0)
    emitImage(movedMajor, movedKey + termOf(movedGroup, movedSymmetry), set, runner, movedSymmetry);
}

function emitBoards(set: u64, running: i32): void {
  if (set === 0) return;
  const squares = (white << 6) | black;
  const pair = kingsOf(kings, squares);
  const major = bias + word(PART, pair);
  for (let images = imagesOf(kings, squares) & boardsThere; images; images &= images - 1) {
    const symmetry = ctz(images);
    const key = keyOf(pair, symmetry, running, NOBODY);
    const made = key >= 0 ? allowed(set) : 0;
    if (made !== 0) emitImage(major, key, made, running, symmetry);
  }
}

/** Emits positions of the image of the standing men, as the last `keyOf` had them. */
function emitImage(major: i32, key: i32, set: u64, running: i32, symmetry: i32): void {
  if (running === NOBODY) {
    emitKey(major, key);
    return;
  }
  const images = imageOf(set, symmetry);
  if (asSets && runnerIsLast) sendInOrder(major, key, beside, images);
  else emitKeys(major, key, images);
}

/** Emits the keys with the runner on the squares of a set. */
function emitKeys(major: i32, key: i32, set: u64): void {
  const stride = runnerStride;
  if (beside === 0) for (; set; set &= set - 1) emitKey(major, key + (ctz(set) as i32) * stride);
  for (; set; set &= set - 1) {
    const men = beside | (set & (0 - set));
    emitKey(major, key + (runnerIsLast ? lastDigit(men) : rankOf(men)) * stride);
  }
}

function emitKey(major: i32, key: i32): void {
  if (asSets) emitSet(major, key & ~63, bit(key & 63));
  else putRow(takeRows(1), major, key);
}
