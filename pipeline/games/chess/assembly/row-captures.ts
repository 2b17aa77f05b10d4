/** Captures of whole rows, for verification: the best of the ranks that they have in the endings without the man taken. */
import {
  BIAS,
  rankWithout,
  WITHOUT_COUNT,
  WITHOUT_DEPENDENCY,
  WITHOUT_FLIPPED,
  WITHOUT_MAN,
  WITHOUT_PAIRS,
  WITHOUT_PLACEMENTS,
  WITHOUT_STRIDE,
} from './conversions';
import { raiseAll, raiseOne, ranksOf } from './rank-rows';
import { ATTACKS, attacksFrom, attacksThroughKing, black, fixed, occupied, SQUARES, white } from './row';
import { ALL, shields } from './row-legality';
import {
  BETWEEN,
  bit,
  image,
  KIND,
  KING,
  MOBILITY,
  PAIR_DIAGONAL,
  PAIR_OF,
  PAIR_SYMMETRY,
  putWord,
  REFLECTION,
  SIDE,
  squaresAt,
  word,
} from './tables';

// An ending without one man, with its kings on two squares: what `turnTo` found.
/** Ranks of the pair of kings; 0 if they are not there. */
let ranks: usize = 0;
let symmetry: i32 = 0;
let mirrored: bool = false;

/** Raises the prepared row by the captures of `side`. */
export function raiseByCaptures(at: usize, side: i32): void {
  const king = side === 0 ? white : black;
  const reach = kingReach(side);
  for (let taken = 0; taken < fixed; taken++) {
    if (word(SIDE, taken) === side) continue;
    const square = word(SQUARES, taken);
    if (turnTo(taken, white, black, side)) {
      for (let man = 0; man < fixed; man++) {
        if (word(SIDE, man) === side && squaresAt(ATTACKS, man) & bit(square))
          takeByFixed(at, man, taken, side);
      }
      if (word(SIDE, fixed) === side) takeByLast(at, taken, side);
    }
    if (reach & bit(square)) takeByKing(at, king, taken, side);
  }
  if (word(SIDE, fixed) !== side) takeLast(at, king, reach, side);
}

/** Where the king of `side` goes without touching the other. */
function kingReach(side: i32): u64 {
  const king = side === 0 ? white : black;
  const other = side === 0 ? black : white;
  return squaresAt(MOBILITY, (KING << 6) | king) & ~squaresAt(MOBILITY, (KING << 6) | other);
}

function takeByFixed(at: usize, man: i32, taken: i32, side: i32): void {
  const king = side === 0 ? white : black;
  const square = word(SQUARES, man);
  const target = word(SQUARES, taken);
  let set = ~(occupied | squaresAt(BETWEEN, (square << 6) | target));
  set &= shields(side, king, taken, occupied ^ bit(square));
  putWord(SQUARES, man, target);
  if (word(SIDE, fixed) !== side) set &= ~attacksFrom(word(KIND, fixed), king);
  raiseFromRow(at, set, taken);
  putWord(SQUARES, man, square);
}

/** Wherever it comes from, the last man stands on the same square then. */
function takeByLast(at: usize, taken: i32, side: i32): void {
  const target = word(SQUARES, taken);
  const set = attacksFrom(word(KIND, fixed), target) & ~occupied;
  if (set === 0 || shields(side, side === 0 ? white : black, taken, occupied) !== ALL) return;
  putWord(SQUARES, fixed, target);
  raiseAll(set, at, rankOfPosition(taken));
}

function takeByKing(at: usize, king: i32, taken: i32, side: i32): void {
  const target = word(SQUARES, taken);
  if (!turnTo(taken, side === 0 ? target : white, side === 0 ? black : target, side)) return;
  let set = ~occupied & shields(side, target, taken, occupied ^ bit(king));
  if (word(SIDE, fixed) !== side) set &= ~attacksThroughKing(word(KIND, fixed), target);
  raiseFromRow(at, set, taken);
}

/** Each square on which the last man is taken leads to another position. */
function takeLast(at: usize, king: i32, reach: u64, side: i32): void {
  if (turnTo(fixed, white, black, side)) {
    for (let man = 0; man < fixed; man++) {
      if (word(SIDE, man) !== side) continue;
      const square = word(SQUARES, man);
      for (let targets = squaresAt(ATTACKS, man) & ~occupied; targets; targets &= targets - 1) {
        const target = ctz(targets) as i32;
        putWord(SQUARES, man, target);
        if (shields(side, king, man, (occupied ^ bit(square)) | bit(target)) === ALL) {
          raiseOne(at + (target as usize), rankOfPosition(fixed));
        }
      }
      putWord(SQUARES, man, square);
    }
  }
  for (let targets = reach & ~occupied; targets; targets &= targets - 1) {
    const target = ctz(targets) as i32;
    if (!turnTo(fixed, side === 0 ? target : white, side === 0 ? black : target, side)) continue;
    if (shields(side, target, fixed, occupied ^ bit(king)) === ALL)
      raiseOne(at + (target as usize), rankOfPosition(fixed));
  }
}

/** Turns to the ending without a man. Returns whether its ranks are there. */
function turnTo(taken: i32, whiteKing: i32, blackKing: i32, side: i32): bool {
  const flipped = word(WITHOUT_FLIPPED, taken);
  const kings = flipped ? (blackKing << 6) | whiteKing : (whiteKing << 6) | blackKing;
  const pair = word(PAIR_OF, kings);
  const pairs = word(WITHOUT_PAIRS, taken);
  const part = pair / pairs;
  const sideThere = flipped ? side : 1 - side;
  const at = ranksOf(word(BIAS, 2 * word(WITHOUT_DEPENDENCY, taken) + sideThere) + part);
  if (at === 0) return false;
  ranks = (at + (pair - part * pairs) * word(WITHOUT_PLACEMENTS, taken)) as usize;
  symmetry = word(PAIR_SYMMETRY, kings);
  mirrored = word(PAIR_DIAGONAL, pair) !== 0;
  return true;
}

/** The rank of the position with the men on SQUARES. */
function rankOfPosition(taken: i32): u8 {
  let key = rankWithout(taken, symmetry);
  if (mirrored) key = min(key, rankWithout(taken, symmetry ^ REFLECTION));
  return load<u8>(ranks + (key as usize));
}

/** Weight of the last man's square in the index of the ending without a man. */
function strideOfLast(taken: i32): i32 {
  let g = taken << 3;
  for (let at = g; word(WITHOUT_MAN, at) !== fixed; g++) at += word(WITHOUT_COUNT, g);
  return word(WITHOUT_STRIDE, g);
}

/** Raises the squares of a set by the ranks of the positions that have the last man there. */
function raiseFromRow(at: usize, set: u64, taken: i32): void {
  if (set === 0) return;
  const stride = strideOfLast(taken);
  const reflection = symmetry ^ REFLECTION;
  putWord(SQUARES, fixed, 0);
  const base = rankWithout(taken, symmetry) - image(0, symmetry) * stride;
  const other = mirrored ? rankWithout(taken, reflection) - image(0, reflection) * stride : 0;
  for (; set; set &= set - 1) {
    const last = ctz(set) as i32;
    let key = base + image(last, symmetry) * stride;
    if (mirrored) key = min(key, other + image(last, reflection) * stride);
    raiseOne(at + (last as usize), load<u8>(ranks + (key as usize)));
  }
}
