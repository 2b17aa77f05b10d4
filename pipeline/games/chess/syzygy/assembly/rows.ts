/**
 * Rows of placements for audits: 64 positions that differ in the square of one man, the row man. A nibble says what a
 * position is worth. It is the outcome for the side to move, NO_OUTCOME for what the file states in vain, or ILLEGAL
 * for no position. White's to move is in the low half of a byte. A move of another man leads a whole row to a row, so
 * values are looked up by rows. Moves need no test of whether they are legal: positions that they must not lead to
 * are ILLEGAL.
 */
import { addAlike, beginAlike, numberAlike, numberAlikeWith } from './alike';
import { hasMoves } from './host';
import {
  at,
  BISHOP,
  endLane,
  firstLane,
  KNIGHT,
  kind,
  manAt,
  men,
  next,
  PAWN,
  put,
  QUEEN,
  ROOK,
  row,
  sideOf,
} from './row-men';
import { SYMMETRY, word } from './tables';

export const NO_OUTCOME: u8 = 5;
export const ILLEGAL: u8 = 7;

/** i32, without and with pawns, at white * 64 + black: number * 16 + symmetry of the kings; -1 where they touch. */
export const PAIRS: usize = memory.data(2 * 4096 * 4, 16);
/**
 * Where moves lead, at (man * 8 + captured + 1) * 8 + promotion, in words: the address of a table of blocks by pair of kings.
 * The place of its kings in PAIRS; what squares are turned by; what the least squares take from a placement; whether nobody can win.
 * The weight of the like men that are one number; from the sixth on the weight of each man, ALIKE of one of those. The least square
 * of those. Behind them the plies of the ending itself.
 */
export const TARGETS: usize = memory.data(513 * 64, 16);
const OWN: usize = TARGETS;
const PLIES: usize = TARGETS + 512 * 64;

/** The weight of a man that is one of the like men that are one number. */
export const ALIKE: i32 = -1;
/** Words of the least square of like men, in TARGETS. */
const LEAST_ALIKE: i32 = 14;

/** For each position of a row, the least of the values that its moves lead to; ILLEGAL if it has no such move. */
export const QUIET: usize = memory.data(64, 16);
export const ZEROING: usize = memory.data(64, 16);
/** u16, by quiet moves: the least and the greatest of plies that they lead to. */
export const LEAST: usize = memory.data(128, 16);
export const MOST: usize = memory.data(128, 16);
/** Bytes, and words, of all ones where the row man stands in the way. */
const BLOCKED: usize = memory.data(64, 16);
const BLOCKED_WORDS: usize = memory.data(128, 16);
const FETCHED: usize = memory.data(128, 16);
const REACHED: usize = memory.data(130, 16);
const REACHED_MOST: usize = memory.data(130, 16);

/** Which moves are made: captures alone, all for their outcomes, or quiet ones of pieces for their plies. */
export const CAPTURES = 0;
export const ALL = 1;
export const PLIES_ONLY = 2;
let mode: i32 = ALL;
let mover: i32 = 0;

/**
 * The aim of a look-up: the block of a pair of kings (0: nobody can win). Then a placement without the row man, and
 * that man's weight.
 */
let block: usize = 0;
let base: i32 = 0;
let weight: i32 = 0;
/** The weight of like men that are one number there, and their least square. */
let alikeWeight: i32 = 0;
let leastAlike: i32 = 0;
let map: usize = 0;
let turn: i32 = 0;
let shift: i32 = 0;

/** False if the kings touch. `after`: who is to move there. */
function aim(target: usize, after: i32): bool {
  turn = word(target, 2);
  const first = at(0) ^ turn;
  const second = at(1) ^ turn;
  const packed = word(
    PAIRS + (word(target, 1) as usize),
    turn > 0 ? second * 64 + first : first * 64 + second,
  );
  if (packed < 0) return false;
  shift = (turn > 0 ? 1 - after : after) << 2;
  if (word(target, 4) !== 0) {
    block = 0;
    return true;
  }
  block = word(word(target, 0) as usize, packed >> 4) as usize;
  map = SYMMETRY + ((packed & 7) << 6);
  weight = word(target, 6 + row);
  base = -word(target, 3);
  alikeWeight = word(target, 5);
  leastAlike = word(target, LEAST_ALIKE);
  if (alikeWeight > 0) beginAlike();
  for (let man = 2; man < men; man++) {
    if (man === row) continue;
    const square = load<u8>(map + (at(man) ^ turn)) as i32;
    const times = word(target, 6 + man);
    if (times === ALIKE) addAlike(square - leastAlike);
    else base += square * times;
  }
  if (alikeWeight > 0 && weight !== ALIKE) base += alikeWeight * numberAlike();
  return true;
}

function laneAt(lane: i32): i32 {
  const square = load<u8>(map + (lane ^ turn)) as i32;
  if (weight === ALIKE) return base + alikeWeight * numberAlikeWith(square - leastAlike);
  return base + square * weight;
}

/** The value of the one position of BOARD. */
function peek(target: usize, after: i32): u8 {
  if (!aim(target, after)) return ILLEGAL;
  if (block === 0) return 2;
  return (load<u8>(block + (weight === 0 ? base : laneAt(at(row)))) >> (shift as u8)) & 15;
}

function targetOf(man: i32, captured: i32, promotion: i32): usize {
  return TARGETS + (((man * 8 + captured + 1) * 8 + promotion) << 6);
}

/** Writes the values of the row that is aimed at to FETCHED. */
function fetch(): void {
  memory.fill(FETCHED, ILLEGAL, 64);
  for (let lane = firstLane(); lane < endLane(); lane++) {
    store<u8>(FETCHED + lane, (load<u8>(block + laneAt(lane)) >> (shift as u8)) & 15);
  }
}

function lower(least: usize, lane: i32, value: u8): void {
  if (value < load<u8>(least + lane)) store<u8>(least + lane, value);
}

/** Lowers the row to the values of the row that a move leads to, where nothing stands in the way. */
function meet(target: usize, least: usize): void {
  if (!aim(target, 1 - mover)) return;
  let from = FETCHED;
  let right = 0;
  if (weight === 1 && map === SYMMETRY && turn === 0) {
    from = block + base;
    right = shift;
  } else fetch();
  const half = i8x16.splat(15);
  for (let i = 0; i < 64; i += 16) {
    let is = v128.load(from + i);
    is = right > 0 ? i8x16.shr_u(is, 4) : v128.and(is, half);
    is = v128.or(is, v128.load(BLOCKED + i));
    v128.store(least + i, i8x16.min_u(v128.load(least + i), is));
  }
}

function meetPlies(): void {
  if (!aim(PLIES, 1 - mover)) return;
  let from = block + (base << 1);
  if (map !== SYMMETRY) {
    for (let lane = 0; lane < 64; lane++) {
      store<u16>(FETCHED + (lane << 1), load<u16>(block + (laneAt(lane) << 1)));
    }
    from = FETCHED;
  }
  for (let i = 0; i < 128; i += 16) {
    const is = v128.load(from + i);
    const blocked = v128.load(BLOCKED_WORDS + i);
    v128.store(LEAST + i, i16x8.min_u(v128.load(LEAST + i), v128.or(is, blocked)));
    v128.store(MOST + i, i16x8.max_u(v128.load(MOST + i), v128.andnot(is, blocked)));
  }
}

function stand(lane: i32): void {
  store<u8>(BLOCKED + lane, 0xff);
  store<u16>(BLOCKED_WORDS + (lane << 1), 0xffff);
}

function clearWay(): void {
  memory.fill(BLOCKED, 0, 64);
  memory.fill(BLOCKED_WORDS, 0, 128);
}

/** The first direction of a kind, and the one behind its last. */
function firstDirection(is: i32): i32 {
  return is === KNIGHT ? 8 : is === BISHOP ? 4 : 0;
}

function endDirection(is: i32): i32 {
  return is === KNIGHT ? 16 : is === ROOK ? 4 : 8;
}

function slides(is: i32): bool {
  return is === BISHOP || is === ROOK || is === QUEEN;
}

function pieceMoves(man: i32): void {
  const is = kind(man);
  const from = at(man);
  const canTakeRow = sideOf(row) !== mover && mode !== PLIES_ONLY;
  for (let direction = firstDirection(is); direction < endDirection(is); direction++) {
    for (let to = next(direction, from); to < 64; to = next(direction, to)) {
      put(man, to);
      const there = manAt(to);
      if (there >= 0) {
        if (there > 1 && sideOf(there) !== mover && mode !== PLIES_ONLY)
          meet(targetOf(man, there, 0), ZEROING);
        break;
      }
      if (mode === ALL) meet(OWN, QUIET);
      else if (mode === PLIES_ONLY) meetPlies();
      if (canTakeRow && load<u8>(BLOCKED + to) === 0) {
        lower(ZEROING, to, peek(targetOf(man, row, 0), 1 - mover));
      }
      if (!slides(is)) break;
      stand(to);
    }
    if (slides(is)) clearWay();
  }
  put(man, from);
}

function ahead(): i32 {
  return mover === 0 ? 8 : -8;
}

function promotes(square: i32): bool {
  return square < 8 || square > 55;
}

/** The kinds that a pawn becomes there: from this one to QUEEN, or none. */
function firstKind(square: i32): i32 {
  return promotes(square) ? KNIGHT : 0;
}

function lastKind(square: i32): i32 {
  return promotes(square) ? QUEEN : 0;
}

function pawnCapture(man: i32, to: i32): void {
  const there = manAt(to);
  if (there >= 0 && (there < 2 || sideOf(there) === mover)) return;
  if (there < 0 && sideOf(row) === mover) return;
  put(man, to);
  for (let becomes = firstKind(to); becomes <= lastKind(to); becomes++) {
    if (there >= 0) meet(targetOf(man, there, becomes), ZEROING);
    else lower(ZEROING, to, peek(targetOf(man, row, becomes), 1 - mover));
  }
}

function pawnMoves(man: i32): void {
  const from = at(man);
  const to = from + ahead();
  if ((from & 7) > 0) pawnCapture(man, to - 1);
  if ((from & 7) < 7) pawnCapture(man, to + 1);
  if (mode === ALL && manAt(to) < 0) {
    stand(to);
    put(man, to);
    if (!promotes(to)) meet(OWN, ZEROING);
    else for (let becomes = KNIGHT; becomes <= QUEEN; becomes++) meet(targetOf(man, -1, becomes), ZEROING);
    const far = to + ahead();
    if (from >> 3 === (mover === 0 ? 1 : 6) && manAt(far) < 0) {
      put(man, far);
      doubleStep(man, far);
    }
    clearWay();
  }
  put(man, from);
}

/** A pawn has stepped to `far`, and may have passed others. */
function doubleStep(man: i32, far: i32): void {
  const isRowPawn = kind(row) === PAWN && sideOf(row) !== mover;
  if (!isRowPawn && !isPassing(far)) {
    meet(OWN, ZEROING);
    return;
  }
  if (!aim(OWN, 1 - mover)) return;
  fetch();
  const before = at(row);
  for (let lane = firstLane(); lane < endLane(); lane++) {
    if (load<u8>(BLOCKED + lane) !== 0) continue;
    put(row, lane);
    lower(ZEROING, lane, afterPassing(man, far, load<u8>(FETCHED + lane)));
  }
  put(row, before);
}

/** Whether a pawn of the other side, the row man aside, stands beside a square. */
function isPassing(square: i32): bool {
  for (let man = 2; man < men; man++) {
    if (man !== row && isBeside(man, square)) return true;
  }
  return false;
}

function isBeside(man: i32, square: i32): bool {
  const other = at(man);
  if (kind(man) !== PAWN || sideOf(man) === mover || other >> 3 !== square >> 3) return false;
  return other === square - 1 || other === square + 1;
}

/** The value of the position of BOARD, in which a pawn may be captured en passant, and must be if nothing else can be played. */
function afterPassing(pawn: i32, far: i32, value: u8): u8 {
  if (value > 4) return value;
  let best = -1;
  for (let man = 2; man < men; man++) {
    if (!isBeside(man, far)) continue;
    const from = at(man);
    put(man, far - ahead());
    const after = peek(targetOf(man, pawn, 0), mover);
    if (after <= 4) best = max(best, 4 - (after as i32));
    put(man, from);
  }
  if (best < 0) return value;
  // Who is mated but for the capture has it alone; who seems stalemated may have.
  if (value === 2 && best < 2 && hasMoves(1 - mover) === 0) return best as u8;
  return max(best, value as i32) as u8;
}

/** Moves of the row man, within the row. `values`: the row itself, `right`: where in bytes the other side's are. */
function rowPieceMoves(values: usize, right: i32): void {
  const is = kind(row);
  store<u8>(REACHED + 64, ILLEGAL);
  for (let direction = firstDirection(is); direction < endDirection(is); direction++) {
    // The far end of each line comes first.
    const up = next(direction, 27) > 27;
    for (let i = 0; i < 64; i++) {
      const lane = up ? 63 - i : i;
      const to = next(direction, lane);
      let value: u8 = ILLEGAL;
      if (to < 64 && manAt(to) < 0) {
        value = (load<u8>(values + to) >> (right as u8)) & 15;
        if (slides(is)) value = min(value, load<u8>(REACHED + to));
      }
      store<u8>(REACHED + lane, value);
      lower(QUIET, lane, value);
    }
  }
}

function rowPieceCaptures(): void {
  const is = kind(row);
  const before = at(row);
  for (let foe = 2; foe < men; foe++) {
    if (foe === row || sideOf(foe) === mover) continue;
    const square = at(foe);
    put(row, square);
    const value = peek(targetOf(row, foe, 0), 1 - mover);
    if (value > 4) continue;
    for (let direction = firstDirection(is); direction < endDirection(is); direction++) {
      for (let from = next(direction, square); from < 64 && manAt(from) < 0; from = next(direction, from)) {
        lower(ZEROING, from, value);
        if (!slides(is)) break;
      }
    }
  }
  put(row, before);
}

function rowPlies(values: usize): void {
  const is = kind(row);
  store<u16>(REACHED + 128, 0xffff);
  store<u16>(REACHED_MOST + 128, 0);
  for (let direction = firstDirection(is); direction < endDirection(is); direction++) {
    const up = next(direction, 27) > 27;
    for (let i = 0; i < 64; i++) {
      const lane = up ? 63 - i : i;
      const to = next(direction, lane);
      let least: u16 = 0xffff;
      let most: u16 = 0;
      if (to < 64 && manAt(to) < 0) {
        least = most = load<u16>(values + (to << 1));
        if (slides(is)) {
          least = min(least, load<u16>(REACHED + (to << 1)));
          most = max(most, load<u16>(REACHED_MOST + (to << 1)));
        }
      }
      const here = lane << 1;
      store<u16>(REACHED + here, least);
      store<u16>(REACHED_MOST + here, most);
      if (least < load<u16>(LEAST + here)) store<u16>(LEAST + here, least);
      if (most > load<u16>(MOST + here)) store<u16>(MOST + here, most);
    }
  }
}

function rowPawnMoves(values: usize, right: i32): void {
  const before = at(row);
  for (let lane = 8; lane < 56; lane++) {
    if (manAt(lane) >= 0) continue;
    const to = lane + ahead();
    for (let aside = -1; aside < 2; aside += 2) {
      const file = (lane & 7) + aside;
      if (file < 0 || file > 7) continue;
      const foe = manAt(to + aside);
      if (foe < 2 || sideOf(foe) === mover) continue;
      put(row, to + aside);
      for (let becomes = firstKind(to); becomes <= lastKind(to); becomes++) {
        lower(ZEROING, lane, peek(targetOf(row, foe, becomes), 1 - mover));
      }
    }
    if (mode !== ALL || manAt(to) >= 0) continue;
    put(row, to);
    if (!promotes(to)) lower(ZEROING, lane, (load<u8>(values + to) >> (right as u8)) & 15);
    else {
      for (let becomes = KNIGHT; becomes <= QUEEN; becomes++) {
        lower(ZEROING, lane, peek(targetOf(row, -1, becomes), 1 - mover));
      }
    }
    const far = to + ahead();
    if (lane >> 3 !== (mover === 0 ? 1 : 6) || manAt(far) >= 0) continue;
    put(row, far);
    lower(ZEROING, lane, afterPassing(row, far, (load<u8>(values + far) >> (right as u8)) & 15));
  }
  put(row, before);
}

/**
 * Makes the moves of a side from the row that was placed. `values`: the row itself, bytes of outcomes or, of PLIES_ONLY, words
 * of plies of who is to move next. Sets QUIET and ZEROING, or LEAST and MOST.
 */
export function makeMoves(which: i32, side: i32, values: usize): void {
  mode = which;
  mover = side;
  memory.fill(QUIET, ILLEGAL, 64);
  memory.fill(ZEROING, ILLEGAL, 64);
  memory.fill(LEAST, 0xff, 128);
  memory.fill(MOST, 0, 128);
  for (let man = 0; man < men; man++) {
    if (man === row || sideOf(man) !== side) continue;
    if (kind(man) !== PAWN) pieceMoves(man);
    else if (mode !== PLIES_ONLY) pawnMoves(man);
  }
  if (sideOf(row) !== side) return;
  const right = (1 - side) << 2;
  if (kind(row) === PAWN) {
    if (mode !== PLIES_ONLY) rowPawnMoves(values, right);
  } else if (mode === PLIES_ONLY) rowPlies(values);
  else {
    if (mode === ALL) rowPieceMoves(values, right);
    rowPieceCaptures();
  }
}
