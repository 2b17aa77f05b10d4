/**
 * The moves of a row of the census, a byte for each of the runner's squares. There is a sum for all squares. There are
 * corrections where the runner stands in the way, is taken, gives check, is pinned, or has moves of its own. Corrections are
 * modulo 256.
 */
import { captures, countMen, moves } from './census-position';
import {
  enemyKing,
  king,
  mine,
  OTHER,
  OWN,
  others,
  owns,
  runnerKind,
  runnerOwn,
  SIGHT,
  sight,
  sightBehind,
  sightThroughKing,
  standing,
  theirs,
} from './census-row';
import { SQUARES } from './row';
import { bytesOf, quarterOf } from './sets';
import { BEHIND, BETWEEN, bit, KIND, KING, MOBILITY, putSquares, squaresAt, word } from './tables';

/** u8, by square of the runner: corrections of the moves, and of the captures among them; and what is added for all. */
export const MOVES: usize = memory.data(64, 16);
export const CAPTURES: usize = memory.data(64, 16);
let moved: i32 = 0;
let captured: i32 = 0;
/** Whether captures are asked for. */
let capturing: bool = false;

/** Moves of the king, by square of the runner: planes of a binary number. */
let ones: u64 = 0;
let twos: u64 = 0;
let fours: u64 = 0;
let eights: u64 = 0;

/** Checks by the men that stand: how many, what answers them all. */
let checks: i32 = 0;
let answers: u64 = 0;
/** Where the mover is in check. */
export let checked: u64 = 0;
/** Where the runner gives check. */
let checking: u64 = 0;
/** Where checks and pins by the men that stand are not those of the row, or the runner pins a man. */
let singular: u64 = 0;
/** u64, of each man of the mover: where it may go. */
const PERMITTED: usize = memory.data(8 * 8, 16);

/** u8, at kind * 64 + square: how many squares MOBILITY has; at m * 64 + from: how many BEHIND has. */
export const REACH: usize = memory.data(4 * 64, 16);
export const HIDDEN: usize = memory.data(64 * 64, 16);
let tabled: bool = false;

/** Fills them when it is first called. */
export function fillTables(): void {
  if (tabled) return;
  for (let i = 0; i < 4 * 64; i++) store<u8>(REACH + (i as usize), popcnt(squaresAt(MOBILITY, i)) as u8);
  for (let i = 0; i < 64 * 64; i++) store<u8>(HIDDEN + (i as usize), popcnt(squaresAt(BEHIND, i)) as u8);
  tabled = true;
}

/** Clears 64 bytes. */
export function clearBytes(at: usize): void {
  const none = i64x2.splat(0);
  for (let i = 0; i < 64; i += 16) v128.store(at + (i as usize), none);
}

/** Counts the moves of a row; `legal` are the squares that matter. */
export function countRow(legal: u64, withCaptures: bool): void {
  fillTables();
  capturing = withCaptures;
  clearBytes(MOVES);
  if (capturing) clearBytes(CAPTURES);
  moved = 0;
  captured = 0;
  findRowChecks();
  if (runnerOwn) {
    if (checks === 0) countRunner();
    else countRunnerAnswers();
  }
  const plain = legal & ~(singular | checking);
  for (let i = 0; i < owns; i++) countMan(word(OWN, i), plain);
  if (!runnerOwn) countAnswers(legal & checking & ~singular);
  for (let rest = legal & singular; rest; rest &= rest - 1) {
    const square = ctz(rest);
    countMen(square as i32);
    put(MOVES, square, moves - moved);
    put(CAPTURES, square, captures - captured);
  }
  countKingSteps();
}

function put(table: usize, square: u64, value: i32): void {
  store<u8>(table + (square as usize), value as u8);
}

function add(table: usize, square: u64, value: i32): void {
  const at = table + (square as usize);
  store<u8>(at, ((load<u8>(at) as i32) + value) as u8);
}

/** Adds one where the set is. */
export function addSet(table: usize, set: u64): void {
  const sets = i64x2.splat(set as i64);
  for (let i = 0; i < 4; i++) {
    const at = table + ((i << 4) as usize);
    v128.store(at, i8x16.sub(v128.load(at), bytesOf(sets, quarterOf(i))));
  }
}

function findRowChecks(): void {
  checks = 0;
  answers = ~(0 as u64);
  checked = 0;
  checking = 0;
  singular = 0;
  for (let i = 0; i < owns; i++) putSquares(PERMITTED, word(OWN, i), ~(0 as u64));
  for (let i = 0; i < others; i++) {
    const man = word(OTHER, i);
    const square = word(SQUARES, man);
    if ((squaresAt(MOBILITY, (word(KIND, man) << 6) | square) & bit(king)) === 0) continue;
    const between = squaresAt(BETWEEN, (square << 6) | king);
    const line = between | bit(square);
    const screens = between & standing;
    if (screens === 0) {
      checks++;
      answers &= line;
      checked |= ~between;
      singular |= between;
    } else if ((screens & (screens - 1)) === 0 && (screens & mine) !== 0) {
      pin(screens, line);
      singular |= between;
    }
  }
  if (checks > 0) for (let i = 0; i < owns; i++) restrict(word(OWN, i), answers);
  if (runnerOwn) return;
  const lines = sight(runnerKind, king);
  checking = lines & ~standing;
  checked |= checking;
  for (let pinned = lines & mine; pinned; pinned &= pinned - 1) {
    singular |= sightBehind(ctz(pinned) as i32);
  }
}

function pin(screen: u64, line: u64): void {
  for (let i = 0; i < owns; i++) {
    if (bit(word(SQUARES, word(OWN, i))) === screen) restrict(word(OWN, i), line);
  }
}

function restrict(man: i32, squares: u64): void {
  putSquares(PERMITTED, man, squaresAt(PERMITTED, man) & squares);
}

/** Counts a man of the mover; its moves are right on the squares `plain`. */
function countMan(man: i32, plain: u64): void {
  const from = word(SQUARES, man);
  const seen = squaresAt(SIGHT, man);
  const targets = seen & ~mine & squaresAt(PERMITTED, man);
  if (targets === 0) return;
  moved += popcnt(targets) as i32;
  captured += popcnt(targets & theirs) as i32;
  const own: u64 = runnerOwn ? targets : 0;
  for (let rest = seen & plain; rest; rest &= rest - 1) {
    const square = ctz(rest);
    const lost = (targets & squaresAt(BEHIND, ((square as i32) << 6) | from)) | (own & (rest & -rest));
    add(MOVES, square, -(popcnt(lost) as i32));
    if (!capturing) continue;
    const taken = runnerOwn ? 0 : ((targets >> square) as i32) & 1;
    add(CAPTURES, square, taken - (popcnt(lost & theirs) as i32));
  }
}

/** The runner, not in check: it has the moves of an empty board, but what stands hides squares from it. */
function countRunner(): void {
  for (let i = 0; i < 4; i++) {
    const at = (i << 4) as usize;
    v128.store(MOVES + at, v128.load(REACH + ((runnerKind << 6) as usize) + at));
  }
  // The other king is not in sight of the runner where positions are legal.
  for (let rest = standing & ~bit(enemyKing); rest; rest &= rest - 1) {
    const square = ctz(rest) as i32;
    const sees = sight(runnerKind, square);
    const taken = (theirs & bit(square)) !== 0;
    hideFromRunner(sees, HIDDEN + ((square << 6) as usize), taken ? 0 : 1);
    if (taken && capturing) addSet(CAPTURES, sees);
  }
}

/** Takes from the moves where the runner sees a man what lies behind that man, and the man's own square unless it is taken. */
export function hideFromRunner(sees: u64, hidden: usize, blocked: i32): void {
  const sets = i64x2.splat(sees as i64);
  const more = i8x16.splat(blocked as i8);
  for (let i = 0; i < 4; i++) {
    const at = (i << 4) as usize;
    const lost = v128.and(bytesOf(sets, quarterOf(i)), i8x16.add(v128.load(hidden + at), more));
    v128.store(MOVES + at, i8x16.sub(v128.load(MOVES + at), lost));
  }
}

/** The runner, in check: it goes to where the check is answered. */
function countRunnerAnswers(): void {
  for (let rest = answers; rest; rest &= rest - 1) {
    const square = ctz(rest) as i32;
    const sees = sight(runnerKind, square);
    addSet(MOVES, sees);
    if (capturing && (theirs & bit(square)) !== 0) addSet(CAPTURES, sees);
  }
}

/** Where the runner gives check: men may take it or go between, unless there is another check. */
function countAnswers(squares: u64): void {
  for (let rest = squares; rest; rest &= rest - 1) {
    const square = ctz(rest);
    let found = 0;
    let taken = 0;
    if (checks === 0) {
      const target = bit(square as i32);
      const line = squaresAt(BETWEEN, ((square as i32) << 6) | king) | target;
      for (let i = 0; i < owns; i++) {
        const man = word(OWN, i);
        const hidden = squaresAt(BEHIND, ((square as i32) << 6) | word(SQUARES, man));
        const targets = squaresAt(SIGHT, man) & ~hidden & line & squaresAt(PERMITTED, man);
        found += popcnt(targets) as i32;
        taken += ((targets & target) !== 0) as i32;
      }
    }
    put(MOVES, square, found - moved);
    put(CAPTURES, square, taken - captured);
  }
}

function countKingSteps(): void {
  ones = 0;
  twos = 0;
  fours = 0;
  eights = 0;
  const reached = squaresAt(MOBILITY, (KING << 6) | king) & ~squaresAt(MOBILITY, (KING << 6) | enemyKing);
  for (let rest = reached & ~mine; rest; rest &= rest - 1) {
    const target = ctz(rest) as i32;
    // Where the target is safe: where the runner shields it from all that attacks it.
    let safe = runnerOwn ? ~bit(target) : ~(0 as u64);
    for (let i = 0; i < others; i++) {
      const man = word(OTHER, i);
      if ((squaresAt(SIGHT, man) & bit(target)) === 0) continue;
      safe &= squaresAt(BETWEEN, (word(SQUARES, man) << 6) | target);
    }
    if (safe === 0) continue;
    if (!runnerOwn) safe &= ~sightThroughKing(runnerKind, target);
    const two = ones & safe;
    ones ^= safe;
    const four = twos & two;
    twos ^= two;
    eights |= fours & four;
    fours ^= four;
    if (!capturing) continue;
    if ((theirs & bit(target)) !== 0) addSet(CAPTURES, safe);
    else if (!runnerOwn) addSet(CAPTURES, safe & bit(target));
  }
}

/** Writes the moves where positions are legal, else 0; returns where there are none. */
export function writeMoves(to: usize, legal: u64): u64 {
  const all = i8x16.splat(moved as i8);
  let none: u64 = 0;
  for (let i = 0; i < 4; i++) {
    const quarter = quarterOf(i);
    const at = (i << 4) as usize;
    let sum = i8x16.add(v128.load(MOVES + at), all);
    sum = i8x16.add(sum, weigh(ones, 1, quarter));
    sum = i8x16.add(sum, weigh(twos, 2, quarter));
    sum = i8x16.add(sum, weigh(fours, 4, quarter));
    // The king rarely has eight moves.
    if (eights !== 0) sum = i8x16.add(sum, weigh(eights, 8, quarter));
    const wanted = bytesOf(i64x2.splat(legal as i64), quarter);
    v128.store(to + at, v128.and(sum, wanted));
    const zero = v128.and(wanted, i8x16.eq(sum, i8x16.splat(0)));
    none |= (i8x16.bitmask(zero) as u64) << ((i << 4) as u64);
  }
  return none;
}

/** `weight` where the set is. */
function weigh(set: u64, weight: i8, quarter: v128): v128 {
  return v128.and(bytesOf(i64x2.splat(set as i64), quarter), i8x16.splat(weight));
}

/** Writes the captures where positions are legal, else 0. */
export function writeCaptures(to: usize, legal: u64): void {
  const all = i8x16.splat(captured as i8);
  for (let i = 0; i < 4; i++) {
    const at = (i << 4) as usize;
    const wanted = bytesOf(i64x2.splat(legal as i64), quarterOf(i));
    v128.store(to + at, v128.and(i8x16.add(v128.load(CAPTURES + at), all), wanted));
  }
}
