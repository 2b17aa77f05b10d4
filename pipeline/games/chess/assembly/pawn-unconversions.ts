/**
 * The kernel `pawnUnconvertSets` of slices with pawns: takes captures and moves of pawns back from the slices that they
 * lead to. Where there is a right to capture en passant, it takes all moves back. As in ../unconversions.ts, keys
 * there that differ in the square of a single piece alone are a row. That piece is the *runner*. Another man's move
 * is taken back for a set of the runner's squares.
 */

import { ahead, passantTakers } from './attacks';
import { attacksOver } from './attacks-over';
import {
  DOUBLE,
  PASSING,
  PROMOTED,
  TO_DEPENDENCY,
  TO_FLIPPED,
  TO_GROUPS,
  TO_PAIRS,
  TO_PAWNS,
  TO_PLACEMENTS,
  TO_RANK,
  TO_SLOTS,
  TO_STRIDE,
} from './conversions';
import {
  FILE_PAIR_BLACK,
  FILE_PAIR_OF,
  FILE_PAIR_SYMMETRY,
  FILE_PAIR_WHITE,
  GROUP_RANK,
  GROUP_SLOT,
  GROUP_STRIDE,
  PASSANT,
  PAWN,
  PAWN_ATTACKS,
} from './pawn-tables';
import {
  BASE,
  black,
  groups,
  kingOf,
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
import { rankOf } from './row';
import { DIAGONAL, imageOf, mirrorFiles, reflect } from './sets';
import {
  BETWEEN,
  bit,
  image,
  KEYS,
  KING,
  MAJOR,
  MOBILITY,
  PAIR_BLACK,
  PAIR_WHITE,
  putRow,
  putSet,
  putSquares,
  putWord,
  ROWS,
  setIn,
  squaresAt,
  word,
} from './tables';

/** i32, of each change: its place in CHANGE_OF, and of the group g at change * 8 + g its men there. */
export const TO_PLACE: usize = memory.data(286 * 4, 16);
export const TO_COUNT: usize = memory.data(286 * 8 * 4, 16);

const ALL: u64 = ~(0 as u64);
const NOBODY = -1;

// The change: whose move, what it takes and what moves, as CHANGE_OF numbers it.
let change: i32 = 0;
let mover: i32 = 0;
let taken: i32 = 0;
let moved: i32 = 0;

/** The slot here of the man whose square is the last digit there, or NOBODY. */
let runner: i32 = NOBODY;
/** u64, by slot: the men that stand, but the runner, in canonical order there and with the colours of this slice. */
const THERE: usize = memory.data(16 * 8, 16);
let whiteThere: i32 = 0;
let blackThere: i32 = 0;
/** Kings and men that stand while a move is taken back. */
let standing: u64 = 0;

let bias: i32 = 0;
let rows: i32 = 0;
/** Whether sets go out, of rows here: the runner is the last man here, too. */
let asSets: bool = false;

/**
 * Takes back conversions by `side` that lead to positions of a dependency with `sideThere` to move; otherwise as `unconvertSets` of
 * ../unconversions.ts. `changes`: how many the slice has.
 */
export function pawnUnconvertSets(
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
  rows = 0;
  asSets = sets;
  let i = 0;
  for (; i < count && rows <= room; i++) {
    const first = word(KEYS, i) << 6;
    for (let number = 0; number < changes; number++) {
      if (!leadsThere(number, side, dependency, sideThere)) continue;
      turnTo(number);
      unmakeSet(part, first, setIn(i));
    }
  }
  putWord(ROWS, 0, rows);
  return i;
}

function unmakeSet(part: i32, first: i32, set: u64): void {
  if (runner !== NOBODY) {
    placeRow(part, first);
    unmakeImages(word(TO_FLIPPED, change) ? bswap(set) : set);
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
export function pawnKeepsRows(side: i32, dependency: i32, sideThere: i32, changes: i32): bool {
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
  const last = (number << 3) + word(TO_GROUPS, number) - 1;
  runner = NOBODY;
  if (word(TO_GROUPS, number) === 0 || word(TO_RANK, last) >= 0 || word(TO_COUNT, last) !== 1) return;
  runner = ctz(word(TO_SLOTS, last));
}

/** Decodes a key there. */
function placeRow(part: i32, key: i32): void {
  const placementsThere = word(TO_PLACEMENTS, change);
  const pairInPart = key / placementsThere;
  const pair = part * word(TO_PAIRS, change) + pairInPart;
  const pawns = word(TO_PAWNS, change) !== 0;
  const flipped = word(TO_FLIPPED, change) !== 0;
  const first = word(pawns ? FILE_PAIR_WHITE : PAIR_WHITE, pair);
  const second = word(pawns ? FILE_PAIR_BLACK : PAIR_BLACK, pair);
  whiteThere = flipped ? second ^ 56 : first;
  blackThere = flipped ? first ^ 56 : second;
  memory.fill(THERE, 0, 16 * 8);
  let rest = key - pairInPart * placementsThere;
  const end = (change << 3) + word(TO_GROUPS, change) - (runner === NOBODY ? 0 : 1);
  for (let g = change << 3; g < end; g++) {
    const stride = word(TO_STRIDE, g);
    const digit = rest / stride;
    rest -= digit * stride;
    const squares = squaresOf(word(TO_COUNT, g), max(0, word(TO_RANK, g)), digit);
    const slot = ctz(word(TO_SLOTS, g));
    putSquares(THERE, slot, squaresAt(THERE, slot) | (flipped ? bswap(squares) : squares));
  }
}

/**
 * Takes the move back on every board that the positions stand for, up to the mirror image of the files. Every
 * position here stands for its mirror image, too. Without pawns there are four such boards, or two if the reflection
 * maps the position to itself.
 */
function unmakeImages(set: u64): void {
  unmakeImage(set, 0);
  if (word(TO_PAWNS, change)) return;
  unmakeImage(set, 2);
  const rest = set & ~mirrored(set);
  if (rest === 0) return;
  unmakeImage(rest, 4);
  unmakeImage(rest, 5);
}

/** The runner's squares whose positions are their own reflections. */
function mirrored(set: u64): u64 {
  const kings = bit(whiteThere) | bit(blackThere);
  const flipped = word(TO_FLIPPED, change) !== 0;
  // With the colours exchanged, boards are turned upside down: the diagonal is the other one.
  const diagonal = flipped ? bswap(DIAGONAL) : DIAGONAL;
  if ((kings & diagonal) !== kings) return 0;
  for (let slot = 0; slot < 16; slot++) {
    const men = squaresAt(THERE, slot);
    if (reflectThere(men, flipped) !== men) return 0;
  }
  return runner === NOBODY ? set : set & diagonal;
}

function reflectThere(set: u64, flipped: bool): u64 {
  return flipped ? bswap(reflect(bswap(set))) : reflect(set);
}

function unmakeImage(set: u64, symmetry: i32): void {
  if (moved >= PROMOTED && !isPromotedIn(symmetry)) return;
  standKings(image(whiteThere, symmetry), image(blackThere, symmetry));
  standing = bit(white) | bit(black);
  for (let slot = 0; slot < 16; slot++) {
    const men = squaresAt(THERE, slot);
    if (men === 0) continue;
    const squares = symmetry === 0 ? men : imageOf(men, symmetry);
    putSquares(MEN, slot, squares);
    standing |= squares;
  }
  const squares = symmetry === 0 || runner === NOBODY ? set : imageOf(set, symmetry);
  if (moved === 0) {
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

function toggle(slot: i32, squares: u64): void {
  putSquares(MEN, slot, squaresAt(MEN, slot) ^ squares);
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

function unmakePieces(set: u64): void {
  for (let kind = 0; kind < KING; kind++) {
    const slot = (mover << 3) | kind;
    for (let men = menAt(mover, kind); men; men &= men - 1) {
      const square = ctz(men) as i32;
      if (!isTakenOn(square)) continue;
      toggleTaken(square);
      for (let to = attacksOver(kind, square, standing) & ~standing; to; to &= to - 1) {
        const target = ctz(to) as i32;
        const path = squaresAt(BETWEEN, (square << 6) | target) | bit(target);
        toggle(slot, bit(square) | bit(target));
        emit(runner === NOBODY ? set : set & ~path, runner);
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
      emit(attacksOver(kind, square, occupied) & ~occupied, runner);
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
    emit(runner === NOBODY ? set : set & ~bit(target), runner);
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

function emitBoards(set: u64, running: i32): void {
  if (set === 0) return;
  const kings = (white << 6) | black;
  const pair = word(FILE_PAIR_OF, kings);
  const isMirrored = word(FILE_PAIR_SYMMETRY, kings) !== 0;
  const major = bias + word(PART, pair);
  let key = word(BASE, pair);
  let others: u64 = 0;
  let stride = 0;
  for (let g = 0; g < groups; g++) {
    const slot = word(GROUP_SLOT, g);
    let men = squaresAt(MEN, slot);
    if ((slot & 7) >= PAWN) men = (men >> (word(GROUP_RANK, g) as u64)) & 255;
    if (isMirrored) men = mirrorFiles(men);
    if (slot === running) {
      others = men;
      stride = word(GROUP_STRIDE, g);
    } else key += rankOf(men) * word(GROUP_STRIDE, g);
  }
  if (running === NOBODY) {
    putRow(rows++, major, key);
    return;
  }
  if (asSets) {
    putWord(MAJOR, rows, major);
    putSet(rows++, key >> 6, isMirrored ? mirrorFiles(set) : set);
    return;
  }
  for (let rest = isMirrored ? mirrorFiles(set) : set; rest; rest &= rest - 1) {
    const square = ctz(rest) as i32;
    putRow(rows++, major, key + (others === 0 ? square : rankOf(others | bit(square))) * stride);
  }
}
