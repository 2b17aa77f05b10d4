/**
 * The row of the census: keys that differ in the square of one man alone, the *runner*. It is the last man, or the
 * least of the last group if that has several. Sets are of the runner's squares, and the other men stand.
 */
import { black, diagonal, lastBits, men, mover, pairBase, RANKS, ready, SQUARES, white } from './row';
import { LOWER } from './sets';
import {
  BEHIND,
  BETWEEN,
  bit,
  FIRST,
  GROUP,
  KIND,
  MOBILITY,
  putSquares,
  putWord,
  REFLECTION,
  SIDE,
  squaresAt,
  word,
} from './tables';

export let runner: i32 = 0;
export let runnerKind: i32 = 0;
/** Whether the runner belongs to the mover. */
export let runnerOwn: bool = false;

/** i32: numbers of the mover's men that stand, and of the others. */
export const OWN: usize = memory.data(8 * 4, 16);
export const OTHER: usize = memory.data(8 * 4, 16);
export let owns: i32 = 0;
export let others: i32 = 0;

/** i32: the rows of BEHIND of what stands, that of the mover's king first. */
const HIDERS: usize = memory.data(8 * 4, 16);
let hiders: i32 = 0;

/** Kings of the mover and of the other side. */
export let king: i32 = 0;
export let enemyKing: i32 = 0;
/** All that stands, the mover's men and king, and the other side's men. */
export let standing: u64 = 0;
export let mine: u64 = 0;
export let theirs: u64 = 0;

/** u64, of each man that stands: what it attacks without the runner; the mover's king hides nothing from the other side's. */
export const SIGHT: usize = memory.data(8 * 8, 16);

/** Takes the men of a side to move. */
export function beginRows(): void {
  runner = word(FIRST, word(GROUP, men - 1));
  runnerKind = word(KIND, runner);
  runnerOwn = word(SIDE, runner) === mover;
  owns = 0;
  others = 0;
  for (let man = 0; man < men; man++) {
    if (man === runner) continue;
    if (word(SIDE, man) === mover) putWord(OWN, owns++, man);
    else putWord(OTHER, others++, man);
  }
}

/** First square of the runner in the row of a key, and the one after the last. */
export function runnerFrom(key: i32): i32 {
  return lastBits !== 0 ? key & 63 : word(SQUARES, runner);
}

export function runnerTo(): i32 {
  return lastBits !== 0 ? 64 : word(SQUARES, runner + 1);
}

/** Puts up the men of the row that is ready; false if two stand on one square. */
export function standRow(): bool {
  king = mover === 0 ? white : black;
  enemyKing = mover === 0 ? black : white;
  mine = bit(king);
  theirs = 0;
  hiders = 0;
  hideBehind(king);
  hideBehind(enemyKing);
  for (let i = 0; i < owns; i++) {
    const square = word(SQUARES, word(OWN, i));
    mine |= bit(square);
    hideBehind(square);
  }
  for (let i = 0; i < others; i++) {
    const square = word(SQUARES, word(OTHER, i));
    theirs |= bit(square);
    hideBehind(square);
  }
  standing = mine | theirs | bit(enemyKing);
  return (popcnt(standing) as i32) === men + 1;
}

function hideBehind(square: i32): void {
  putWord(HIDERS, hiders++, (BEHIND as i32) + (square << 9));
}

/** Where a man on `square` goes or takes; from 1 on, the mover's king hides nothing. */
function seenFrom(kind: i32, square: i32, first: i32): u64 {
  let hidden: u64 = 0;
  for (let i = first; i < hiders; i++) hidden |= load<u64>((word(HIDERS, i) + (square << 3)) as usize);
  return squaresAt(MOBILITY, (kind << 6) | square) & ~hidden;
}

/** Squares that a man on `square` attacks. */
export function sight(kind: i32, square: i32): u64 {
  return seenFrom(kind, square, 0);
}

/** As `sight`, but the mover's king hides nothing. */
export function sightThroughKing(kind: i32, square: i32): u64 {
  return seenFrom(kind, square, 1);
}

/** Squares behind the man on `square` that a slider with the mover's king as its origin would attack without that man. */
export function sightBehind(square: i32): u64 {
  let hidden: u64 = 0;
  const hider = (BEHIND as i32) + (square << 9);
  for (let i = 1; i < hiders; i++) {
    if (word(HIDERS, i) !== hider) hidden |= load<u64>((word(HIDERS, i) + (king << 3)) as usize);
  }
  return squaresAt(MOBILITY, (runnerKind << 6) | king) & squaresAt(BEHIND, (square << 6) | king) & ~hidden;
}

/** Where the runner makes a legal position, of the squares [from, to). */
export function legalSquares(from: i32, to: i32): u64 {
  let squares = ~standing & (((-1 as u64) >> (64 - (to - from))) << from);
  for (let i = 0; i < owns; i++) {
    const man = word(OWN, i);
    const square = word(SQUARES, man);
    if ((squaresAt(MOBILITY, (word(KIND, man) << 6) | square) & bit(enemyKing)) === 0) continue;
    const between = squaresAt(BETWEEN, (square << 6) | enemyKing);
    if ((between & standing) === 0) squares &= between;
  }
  if (runnerOwn && squares !== 0) squares &= ~sight(runnerKind, enemyKing);
  return squares;
}

/** Those among the squares whose keys are not greater than those of their mirror images; `base` is the key of square 0. */
export function canonicalSquares(squares: u64, base: i32): u64 {
  if (!diagonal || squares === 0) return squares;
  if (lastBits !== 0) {
    const reflected = pairBase + word(RANKS, REFLECTION);
    if (reflected === base) return squares & LOWER;
    return reflected < base ? 0 : squares;
  }
  let canonical: u64 = 0;
  for (let rest = squares; rest; rest &= rest - 1) {
    const square = ctz(rest) as i32;
    ready(base + square);
    if (pairBase + word(RANKS, REFLECTION) >= base + square) canonical |= bit(square);
  }
  return canonical;
}

/** Prepares SIGHT. */
export function lookAround(): void {
  for (let i = 0; i < owns; i++) {
    const man = word(OWN, i);
    putSquares(SIGHT, man, sight(word(KIND, man), word(SQUARES, man)));
  }
  for (let i = 0; i < others; i++) {
    const man = word(OTHER, i);
    putSquares(SIGHT, man, sightThroughKing(word(KIND, man), word(SQUARES, man)));
  }
}
