/**
 * The kernel `census` (pipeline/game/census.ts), by rows. The last man is a piece, the *runner*. For each move of another man, and each step
 * of the mover's king, the squares of the runner that make it legal are a set. Moves are counted by adding these sets as numbers of one
 * binary digit, 64 sums at a time. kernels.ts copies the results out.
 */

import { ahead, attacksOver, hasPassant, passantTakers, pawnAttacksOf } from './attacks';
import { toggle } from './changes';
import { GROUP_SLOT, PASSANT, PAWN_ATTACKS } from './index-tables';
import {
  groups,
  kingOf,
  kingRuns,
  menAt,
  menOf,
  OF_GROUP,
  occupied,
  pawnsOf,
  place,
  placeStanding,
  standKing,
  taker,
  twins,
} from './position';
import { isNever, isRestricted, neverFrom, neverTo, restrict } from './restrictions';
import { ALL, beyond, bytesOf, clearBytes, quarterOf } from './sets';
import {
  BEHIND,
  BETWEEN,
  bit,
  KING,
  KNIGHT,
  MINOR,
  MOBILITY,
  putSquares,
  putWord,
  squaresAt,
  word,
} from './tables';

/** Most indices of a call; lost keys go to MINOR, which has room for all of them. */
export const MOST_INDICES: i32 = 8192;
/** Rows are written as 64 bytes that may begin before the first index and end after the last. */
const MARGIN: usize = 64;
const COUNTED: usize = memory.data(8192 + 2 * 64, 16);
const LEAVERS: usize = memory.data(8192 + 2 * 64, 16);
/** u8, by index: moves, or DRAWN; captures. A bit an index: has moves. */
export const ALL_COUNTS: usize = COUNTED + MARGIN;
export const ALL_CAPTURES: usize = LEAVERS + MARGIN;
export const OPEN: usize = memory.data(8192 / 8 + 16, 16);
/** i32: how many positions were lost, legal, drawn. */
export const FOUND: usize = memory.data(3 * 4, 16);

const DRAWN: u8 = 255;

let lost: i32 = 0;
let drawn: i32 = 0;

/** u8, by square of the runner: its own moves, and the captures among them. */
const MOVES: usize = memory.data(64, 16);
const CAPTURES: usize = memory.data(64, 16);

/** u8, at kind * 64 + square: how many squares MOBILITY has; at m * 64 + from: how many BEHIND has. */
const REACH: usize = memory.data(4 * 64, 16);
const HIDDEN: usize = memory.data(64 * 64, 16);
let tabled: bool = false;

/** Squares where pawns become something else. */
const LAST_RANKS: u64 = ((0xff000000 as u64) << 32) | 255;
/** The digit that is four. */
const FOURS = 2;
const DIGITS = 8;

export let mover: i32 = 0;
export let king: i32 = 0;
export let enemyKing: i32 = 0;
/** The mover's men that stand, its king included, and the other side's. */
export let mine: u64 = 0;
export let theirs: u64 = 0;
/** The kind of the runner; NOBODY where a whole position stands, of which `runnerOwn` is true and `legal` is one square. */
export let runnerKind: i32 = 0;
export const NOBODY: i32 = -1;
export let runnerOwn: bool = false;

/** i32: the other side's pieces that stand: their squares and kinds. */
const ENEMY: usize = memory.data(8 * 4, 16);
const ENEMY_KIND: usize = memory.data(8 * 4, 16);
let enemies: i32 = 0;
/** The mover's king: squares where a man changes what the other side's pieces see of it; where the runner shields it from them. */
export let kingLines: u64 = 0;
let kingShield: u64 = 0;
/** Where the other side's runner would give check. */
let kingSeen: u64 = 0;
/** Where the runner neither gives check nor leaves one open: pieces off the king's lines move freely then. */
let calm: u64 = 0;
/** Moves that the mover has wherever the runner is calm, and the captures among them. */
let freeMoves: i32 = 0;
let freeCaptures: i32 = 0;
/** Squares that the other side's pawns attack, and the pawns of them that give check. */
let pawnsAttack: u64 = 0;
let pawnChecks: u64 = 0;

/** The squares of the runner that make a legal position. */
export let legal: u64 = 0;
let capturing: bool = false;
/** u64, by binary digit: moves, and moves that leave the slice, but those of the runner. */
const SUM: usize = memory.data(8 * 8, 16);
const LEAVING: usize = memory.data(8 * 8, 16);

/** Classifies the keys [first, first + count) of a part. `withLeaving`: whether moves that leave the slice are asked for. */
export function census(side: i32, part: i32, first: i32, count: i32, withLeaving: bool): void {
  fillTables();
  capturing = withLeaving;
  beginCensus(count);
  let found = 0;
  const end = first + count;
  for (let key = first; key < end; ) {
    const from = key & 63;
    const to = min(64, from + end - key);
    const base = key - from;
    const wanted = (ALL >> ((64 - (to - from)) as u64)) << (from as u64);
    legal = prepareRow(side, part, key) & wanted;
    found += popcnt(legal) as i32;
    putOpen(countRow(base, (base - first) as usize) >> (from as u64), key - first);
    key = base + to;
  }
  tellFound(found);
}

/** Puts up the row of a key, with `side` to move; returns where the runner makes a legal position. */
export function prepareRow(side: i32, part: i32, key: i32): u64 {
  mover = side;
  const slot = word(GROUP_SLOT, groups - 1);
  runnerKind = slot & 7;
  runnerOwn = slot >> 3 === side;
  const stands = placeStanding(part, key);
  restrict(side);
  legal = stands ? findLegal() : 0;
  if (taker >= 0) legal = side === taker ? withPassant(legal) : 0;
  return legal;
}

/**
 * Puts up the whole position of a key, with `side` to move. Its moves are found as those of a row, for the one square of the other
 * king: a man stands there already, so no move passes it or leads to it.
 */
export function preparePosition(side: i32, part: i32, key: i32): void {
  mover = side;
  runnerKind = NOBODY;
  runnerOwn = true;
  place(part, key);
  restrict(side);
  findSides();
  legal = bit(enemyKing);
  findEnemies();
}

/** Lets the runner stand on a square in MEN, or takes it away again. */
export function toggleRunner(square: i32): void {
  if (runnerKind === NOBODY) return;
  toggle(word(GROUP_SLOT, groups - 1), bit(square));
  if (kingRuns) standKing(1, square);
}

/** Those among squares of the runner from which positions follow in which a pawn has just made a double step and can be captured. */
function withPassant(squares: u64): u64 {
  let found: u64 = 0;
  for (let rest = squares; rest; rest &= rest - 1) {
    const square = ctz(rest) as i32;
    toggleRunner(square);
    if (hasPassant(occupied | bit(square))) found |= bit(square);
    toggleRunner(square);
  }
  return found;
}

/** Counts the captures en passant. */
function countPassant(): void {
  const pawn = ctz(menAt(1 - mover, PASSANT)) as i32;
  for (let rest = legal; rest; rest &= rest - 1) {
    const square = ctz(rest) as i32;
    toggleRunner(square);
    addAt(MOVES, square, popcnt(passantTakers(mover, pawn, occupied | bit(square))) as i32);
    toggleRunner(square);
  }
}

function findSides(): void {
  king = kingOf(mover);
  enemyKing = kingOf(1 - mover);
  mine = menOf(mover);
  theirs = menOf(1 - mover);
}

function findLegal(): u64 {
  findSides();
  if (kingRuns) {
    const attacked = pawnAttacksOf(mover, pawnsOf(mover));
    const apart = ~(occupied | squaresAt(MOBILITY, (KING << 6) | kingOf(0)));
    if (!runnerOwn) return apart & ~attacked;
    return attacked & bit(enemyKing) ? 0 : apart;
  }
  if (squaresAt(PAWN_ATTACKS, ((1 - mover) << 6) | enemyKing) & pawnsOf(mover)) return 0;
  let set = ~occupied & beyond(twins);
  for (let kind = 0; kind <= KNIGHT; kind++) {
    for (let men = menAt(mover, kind) & squaresAt(MOBILITY, (kind << 6) | enemyKing); men; men &= men - 1) {
      const between = squaresAt(BETWEEN, ((ctz(men) as i32) << 6) | enemyKing);
      if ((between & occupied) === 0) set &= between;
    }
  }
  return runnerOwn && set !== 0 ? set & ~attacksOver(runnerKind, enemyKing, occupied) : set;
}

/** Counts the legal positions of a row; returns those that have moves. */
function countRow(base: i32, at: usize): u64 {
  if (legal === 0) {
    clearBytes(ALL_COUNTS + at);
    if (capturing) clearBytes(ALL_CAPTURES + at);
    return 0;
  }
  clearBytes(SUM);
  clearBytes(LEAVING);
  clearBytes(MOVES);
  clearBytes(CAPTURES);
  findEnemies();
  calm = pawnChecks ? 0 : legal & kingShield & ~kingSeen;
  freeMoves = 0;
  freeCaptures = 0;
  if (runnerOwn) countRunner();
  countPieces();
  countPawns();
  countKing();
  if (taker >= 0) countPassant();
  const none = writeSums(ALL_COUNTS + at, SUM, MOVES, freeMoves);
  if (capturing) {
    if (taker >= 0) writeSums(ALL_CAPTURES + at, SUM, MOVES, freeMoves);
    else writeSums(ALL_CAPTURES + at, LEAVING, CAPTURES, freeCaptures);
  }
  if (none !== 0) {
    const checked = findChecked();
    for (let rest = none; rest; rest &= rest - 1) {
      const square = ctz(rest) as i32;
      endPosition(base + square, at + (square as usize), (checked & bit(square)) !== 0);
    }
  }
  return legal ^ none;
}

/** Whether the runner is the mover's king. */
function isKingRunning(): bool {
  return runnerOwn && runnerKind === KING;
}

/** Finds the other side's men that stand, for `shielding`, `permitting` and `answersTo`. */
export function findEnemies(): void {
  enemies = 0;
  kingLines = 0;
  kingShield = ALL;
  const side = 1 - mover;
  for (let kind = 0; kind <= KNIGHT; kind++) {
    for (let men = menAt(side, kind); men; men &= men - 1) {
      const from = ctz(men) as i32;
      putWord(ENEMY, enemies, from);
      putWord(ENEMY_KIND, enemies++, kind);
      if ((squaresAt(MOBILITY, (kind << 6) | from) & bit(king)) === 0) continue;
      const between = squaresAt(BETWEEN, (from << 6) | king);
      kingLines |= between | bit(from);
      if ((between & occupied) === 0) kingShield &= between;
    }
  }
  const pawns = pawnsOf(side);
  pawnsAttack = pawnAttacksOf(side, pawns);
  pawnChecks = isKingRunning() ? 0 : squaresAt(PAWN_ATTACKS, (mover << 6) | king) & pawns;
  kingSeen = runnerOwn ? 0 : attacksOver(runnerKind, king, occupied);
}

/** Where the runner shields a square from the other side's pieces that stand, but one on `taken`; `stand`: who stands then. */
function shielding(square: i32, stand: u64, taken: u64): u64 {
  let set = ALL;
  for (let i = 0; i < enemies; i++) {
    const from = word(ENEMY, i);
    if (bit(from) & taken) continue;
    if ((squaresAt(MOBILITY, (word(ENEMY_KIND, i) << 6) | from) & bit(square)) === 0) continue;
    const between = squaresAt(BETWEEN, (from << 6) | square);
    if ((between & stand) === 0) set &= between;
  }
  return set;
}

/** The squares that the other side's pieces attack if these squares are taken. */
export function attackedByPieces(stand: u64): u64 {
  let attacked: u64 = 0;
  for (let i = 0; i < enemies; i++) attacked |= attacksOver(word(ENEMY_KIND, i), word(ENEMY, i), stand);
  return attacked;
}

/** Where the man of the mover's on a square, not its king, may take the other side's runner. */
export function mayTakeRunner(square: i32): u64 {
  return legal & answersTo(occupied ^ bit(square));
}

/** Where the mover is in check. */
export function findChecked(): u64 {
  if (isKingRunning()) return pawnsAttack;
  return pawnChecks ? ALL : ~kingShield | kingSeen;
}

/** Legal squares of the runner that let a man of the mover's, not its king, go to another square. */
export function permitting(square: i32, target: i32): u64 {
  if (isKingRunning()) {
    const attacked = pawnAttacksOf(1 - mover, pawnsOf(1 - mover) & ~bit(target));
    return legal & ~(squaresAt(BETWEEN, (square << 6) | target) | bit(target) | attacked);
  }
  if (pawnChecks & ~bit(target)) return 0;
  const left = occupied ^ bit(square);
  const isOnLine = (kingLines & (bit(square) | bit(target))) !== 0;
  const shield = isOnLine ? shielding(king, left | bit(target), bit(target)) : kingShield;
  const set = legal & shield & ~squaresAt(BETWEEN, (square << 6) | target);
  if (runnerOwn) return set & ~bit(target);
  const seen = kingSeen & bit(square) ? attacksOver(runnerKind, king, left) : kingSeen;
  return set & ~(seen & ~squaresAt(BEHIND, (target << 6) | king) & ~bit(target));
}

/** Adds one, or 2 ** digit, to the sums where a set is. */
function add(sums: usize, set: u64, digit: i32): void {
  let carry = set;
  for (let i = digit; carry; i++) {
    const sum = squaresAt(sums, i);
    putSquares(sums, i, sum ^ carry);
    carry &= sum;
  }
}

/** Adds a move of a piece or king, and the captures among its targets. @param never where the runner stands if restrictions forbid the move. */
function addMove(target: i32, set: u64, never: u64): void {
  add(SUM, set, 0);
  if (!capturing) return;
  if (theirs & bit(target)) add(LEAVING, set, 0);
  else add(LEAVING, set & (never | (runnerOwn ? 0 : bit(target))), 0);
}

/** Whether moves that stay in the slice are counted one by one, since some of them are forbidden and leave it. */
function countsNever(): bool {
  return capturing && isRestricted;
}

function countPieces(): void {
  const lines = pawnChecks ? ALL : kingLines | kingSeen;
  for (let g = 0; g < groups; g++) {
    const slot = word(GROUP_SLOT, g);
    if (slot >> 3 !== mover || (slot & 7) >= KING) continue;
    for (let men = squaresAt(OF_GROUP, g); men; men &= men - 1) {
      const square = ctz(men) as i32;
      const targets = attacksOver(slot & 7, square, occupied) & ~mine;
      const free = (lines & bit(square)) !== 0 || countsNever() ? 0 : targets & ~lines;
      if (free) countFree(square, targets, free);
      for (let to = targets ^ free; to; to &= to - 1) {
        const target = ctz(to) as i32;
        addMove(target, permitting(square, target), isNever(square, target) ? ALL : 0);
      }
    }
  }
}

/** Counts the moves to `free`, off the lines to the king: all of them where the runner is calm, but for those that it is in the way of. */
function countFree(square: i32, targets: u64, free: u64): void {
  const taking: u64 = capturing ? free & theirs : 0;
  freeMoves += popcnt(free) as i32;
  freeCaptures += popcnt(taking) as i32;
  const own: u64 = runnerOwn ? free : 0;
  for (let rest = targets & calm; rest; rest &= rest - 1) {
    const at = ctz(rest) as i32;
    const lost = (free & squaresAt(BEHIND, (at << 6) | square)) | (own & bit(at));
    addAt(MOVES, at, -(popcnt(lost) as i32));
    if (!capturing) continue;
    const taken = runnerOwn ? 0 : ((free >> (at as u64)) as i32) & 1;
    addAt(CAPTURES, at, taken - (popcnt(lost & taking) as i32));
  }
}

/** Adds to the byte of a square, modulo 256. */
function addAt(table: usize, square: i32, value: i32): void {
  const at = table + (square as usize);
  store<u8>(at, ((load<u8>(at) as i32) + value) as u8);
}

/** All moves of pawns leave the slice. */
function countPawns(): void {
  for (let men = pawnsOf(mover); men; men &= men - 1) {
    const square = ctz(men) as i32;
    const one = ahead(mover, square);
    if ((occupied & bit(one)) === 0) {
      addPawnMove(one, permitting(square, one) & ~bit(one));
      if (square >> 3 === (mover === 0 ? 1 : 6)) {
        const two = ahead(mover, one);
        if ((occupied & bit(two)) === 0) addPawnMove(two, permitting(square, two) & ~bit(two));
      }
    }
    for (let to = squaresAt(PAWN_ATTACKS, (mover << 6) | square) & ~mine; to; to &= to - 1) {
      const target = ctz(to) as i32;
      if (theirs & bit(target)) addPawnMove(target, permitting(square, target));
      else if (!runnerOwn) addPawnMove(target, permitting(square, target) & bit(target));
    }
  }
}

function addPawnMove(target: i32, set: u64): void {
  const digit = bit(target) & LAST_RANKS ? FOURS : 0;
  add(SUM, set, digit);
  if (capturing) add(LEAVING, set, digit);
}

/** Where the mover's king may go as far as the other king and pawns are concerned, if it stands. */
export function reachOfKing(): u64 {
  if (isKingRunning()) return 0;
  const reach = squaresAt(MOBILITY, (KING << 6) | king) & ~pawnsAttack;
  return runnerKind === KING ? reach : reach & ~squaresAt(MOBILITY, (KING << 6) | enemyKing);
}

function countKing(): void {
  for (let to = reachOfKing() & ~mine; to; to &= to - 1) {
    const target = ctz(to) as i32;
    const set = safeForKing(target);
    if (set !== 0) addMove(target, runnerOwn ? set & ~bit(target) : set, isNever(king, target) ? ALL : 0);
  }
}

/** Legal squares of the runner that let the mover's king go to a square, as far as pieces are concerned. */
export function safeForKing(target: i32): u64 {
  const left = occupied ^ bit(king);
  const set = legal & shielding(target, left, bit(target));
  return runnerOwn || set === 0 ? set : set & ~attacksOver(runnerKind, target, left);
}

/** Where all checks by men of the other side that stand are answered, if these squares are taken: anywhere if there are none. */
export function answersTo(stand: u64): u64 {
  if (runnerKind === KING) return ~(pawnsAttack | squaresAt(MOBILITY, (KING << 6) | enemyKing));
  let answers = pawnChecks === 0 ? ALL : pawnChecks;
  if (pawnChecks & (pawnChecks - 1)) answers = 0;
  for (let i = 0; i < enemies; i++) {
    const from = word(ENEMY, i);
    if ((squaresAt(MOBILITY, (word(ENEMY_KIND, i) << 6) | from) & bit(king)) === 0) continue;
    const between = squaresAt(BETWEEN, (from << 6) | king);
    if ((between & stand) === 0) answers &= between | bit(from);
  }
  return answers;
}

function countRunner(): void {
  const answers = answersTo(occupied);
  if (answers === ALL && !countsNever()) {
    countFreeRunner();
    return;
  }
  for (let to = answers & ~mine; to; to &= to - 1) {
    const target = ctz(to) as i32;
    const never = neverTo & bit(target) ? ALL : neverFrom;
    addMove(target, legal & attacksOver(runnerKind, target, occupied), never);
  }
}

/** The runner has the moves of an empty board, but what stands hides squares from it. */
function countFreeRunner(): void {
  for (let i = 0; i < 4; i++) {
    const at = (i << 4) as usize;
    v128.store(MOVES + at, v128.load(REACH + ((runnerKind << 6) as usize) + at));
  }
  // The other king is not in sight of the runner where positions are legal.
  for (let rest = occupied & ~bit(enemyKing); rest; rest &= rest - 1) {
    const square = ctz(rest) as i32;
    const sees = attacksOver(runnerKind, square, occupied);
    const taken = (theirs & bit(square)) !== 0;
    // Men hide nothing from a knight.
    hideFromRunner(sees, HIDDEN + ((square << 6) as usize), taken ? 0 : 1);
    if (taken && capturing) addSet(CAPTURES, sees);
  }
}

/** Writes sums, what bytes add to them and what is added where the runner is calm, else 0; returns where that is nothing. */
function writeSums(to: usize, sums: usize, bytes: usize, whereCalm: i32): u64 {
  let none: u64 = 0;
  let digits = DIGITS;
  while (digits > 0 && squaresAt(sums, digits - 1) === 0) digits--;
  for (let i = 0; i < 4; i++) {
    const quarter = quarterOf(i);
    const at = (i << 4) as usize;
    const added = v128.and(bytesOf(i64x2.splat(calm as i64), quarter), i8x16.splat(whereCalm as i8));
    let sum = i8x16.add(v128.load(bytes + at), added);
    for (let digit = 0; digit < digits; digit++) {
      const set = bytesOf(i64x2.splat(squaresAt(sums, digit) as i64), quarter);
      const weight: i32 = 1 << digit;
      sum = i8x16.add(sum, v128.and(set, i8x16.splat(weight as i8)));
    }
    const wanted = bytesOf(i64x2.splat(legal as i64), quarter);
    v128.store(to + at, v128.and(sum, wanted));
    const zero = v128.and(wanted, i8x16.eq(sum, i8x16.splat(0)));
    none |= (i8x16.bitmask(zero) as u64) << ((i << 4) as u64);
  }
  return none;
}

function beginCensus(count: i32): void {
  lost = 0;
  drawn = 0;
  memory.fill(OPEN, 0, (((count + 63) >> 6) << 3) + 8);
}

function tellFound(legal: i32): void {
  putWord(FOUND, 0, lost);
  putWord(FOUND, 1, legal);
  putWord(FOUND, 2, drawn);
}

/** A position without moves. */
function endPosition(key: i32, at: usize, isLost: bool): void {
  if (isLost) putWord(MINOR, lost++, key);
  else {
    store<u8>(ALL_COUNTS + at, DRAWN);
    drawn++;
  }
}

/** Adds the bits of a row from the `at`th on. */
function putOpen(open: u64, at: i32): void {
  if (open === 0) return;
  const byte = OPEN + ((at >> 3) as usize);
  const shift = (at & 7) as u64;
  store<u64>(byte, load<u64>(byte) | (open << shift));
  if (shift !== 0) store<u64>(byte + 8, load<u64>(byte + 8) | (open >> (64 - shift)));
}

/** Fills them when it is first called. */
function fillTables(): void {
  if (tabled) return;
  for (let i = 0; i < 4 * 64; i++) store<u8>(REACH + (i as usize), popcnt(squaresAt(MOBILITY, i)) as u8);
  for (let i = 0; i < 64 * 64; i++) store<u8>(HIDDEN + (i as usize), popcnt(squaresAt(BEHIND, i)) as u8);
  tabled = true;
}

/** Adds one where the set is. */
function addSet(table: usize, set: u64): void {
  const sets = i64x2.splat(set as i64);
  for (let i = 0; i < 4; i++) {
    const at = table + ((i << 4) as usize);
    v128.store(at, i8x16.sub(v128.load(at), bytesOf(sets, quarterOf(i))));
  }
}

/** Takes from the moves where the runner sees a man what lies behind that man, and the man's own square unless it is taken. */
function hideFromRunner(sees: u64, hidden: usize, blocked: i32): void {
  const sets = i64x2.splat(sees as i64);
  const more = i8x16.splat(blocked as i8);
  for (let i = 0; i < 4; i++) {
    const at = (i << 4) as usize;
    const lost = v128.and(bytesOf(sets, quarterOf(i)), i8x16.add(v128.load(hidden + at), more));
    v128.store(MOVES + at, i8x16.sub(v128.load(MOVES + at), lost));
  }
}
