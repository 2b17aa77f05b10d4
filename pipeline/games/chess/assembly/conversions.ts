/** The kernel `conversions`: captures, by the index of the ending that they lead to. */
import { attackedSquares, findChecks, permitted } from './legality';
import {
  ATTACKED,
  ATTACKS,
  attacksFrom,
  begin,
  black,
  fixed,
  lastSquare,
  MEN,
  men,
  occupied,
  rankOf,
  ready,
  SQUARES,
  white,
} from './row';
import {
  BEHIND,
  bit,
  bitOrNone,
  image,
  KEYS,
  KIND,
  KING,
  MAJOR,
  MINOR,
  MOBILITY,
  PAIR_DIAGONAL,
  PAIR_OF,
  PAIR_SYMMETRY,
  putWord,
  REFLECTION,
  ROWS,
  SIDE,
  SOURCE,
  squaresAt,
  word,
} from './tables';

/**
 * The ending without each man (i32, see Space). First come its number among the dependencies, whether the colours are
 * exchanged there, and its groups. At man * 8 + group stand their sizes and strides, at man * 8 + i the man that is
 * i-th there.
 */
export const WITHOUT_DEPENDENCY: usize = memory.data(8 * 4, 16);
export const WITHOUT_FLIPPED: usize = memory.data(8 * 4, 16);
export const WITHOUT_PLACEMENTS: usize = memory.data(8 * 4, 16);
export const WITHOUT_PAIRS: usize = memory.data(8 * 4, 16);
export const WITHOUT_GROUPS: usize = memory.data(8 * 4, 16);
export const WITHOUT_COUNT: usize = memory.data(8 * 8 * 4, 16);
export const WITHOUT_STRIDE: usize = memory.data(8 * 8 * 4, 16);
export const WITHOUT_MAN: usize = memory.data(8 * 8 * 4, 16);
/** i32, at 2 * dependency + side to move there: what to add to the part. */
export const MOST_BIASES: i32 = 512;
export const BIAS: usize = memory.data(512 * 4, 16);

/** The legal captures; otherwise as `moves`. */
export function conversions(side: i32, part: i32, count: i32, room: i32, source: i32): i32 {
  begin(part, side, MEN | ATTACKED);
  let n = 0;
  let i = 0;
  for (; i < count && n <= room; i++) {
    const key = word(KEYS, i);
    ready(key);
    const last = lastSquare(key);
    putWord(SQUARES, fixed, last);
    const taken = occupied | bitOrNone(last);
    let theirs: u64 = 0;
    for (let man = 0; man < men; man++) {
      if (word(SIDE, man) !== side) theirs |= bit(word(SQUARES, man));
    }
    const first = n;
    let looked = false;
    for (let man = 0; man < men; man++) {
      if (word(SIDE, man) !== side) continue;
      const square = word(SQUARES, man);
      let targets =
        theirs &
        (man < fixed
          ? squaresAt(ATTACKS, man) & ~squaresAt(BEHIND, (last << 6) | square)
          : attacksFrom(word(KIND, man), last));
      if (targets === 0) continue;
      if (!looked) findChecks(last, taken);
      looked = true;
      targets &= permitted(square, taken);
      for (; targets; targets &= targets - 1) {
        const target = ctz(targets) as i32;
        putWord(SQUARES, man, target);
        emitCapture(manOn(target, side), white, black, side, n++);
      }
      putWord(SQUARES, man, square);
    }
    const king = side === 0 ? white : black;
    const other = side === 0 ? black : white;
    let targets = squaresAt(MOBILITY, (KING << 6) | king) & theirs;
    if (targets) targets &= ~(squaresAt(MOBILITY, (KING << 6) | other) | attackedSquares(last));
    for (; targets; targets &= targets - 1) {
      const target = ctz(targets) as i32;
      const to = manOn(target, side);
      if (side === 0) emitCapture(to, target, black, side, n++);
      else emitCapture(to, white, target, side, n++);
    }
    for (let row = first; row < n; row++) putWord(SOURCE, row, source + i);
  }
  putWord(ROWS, 0, n);
  return i;
}

/** The man on `target` that is not of `side`. */
function manOn(target: i32, side: i32): i32 {
  let man = 0;
  while (word(SIDE, man) === side || word(SQUARES, man) !== target) man++;
  return man;
}

/** Writes the row of the men on SQUARES but the one taken, with these kings. */
function emitCapture(without: i32, whiteKing: i32, blackKing: i32, side: i32, n: i32): void {
  const flipped = word(WITHOUT_FLIPPED, without);
  const kings = flipped ? (blackKing << 6) | whiteKing : (whiteKing << 6) | blackKing;
  const pair = word(PAIR_OF, kings);
  const symmetry = word(PAIR_SYMMETRY, kings);
  let rank = rankWithout(without, symmetry);
  if (word(PAIR_DIAGONAL, pair)) rank = min(rank, rankWithout(without, symmetry ^ REFLECTION));
  const pairs = word(WITHOUT_PAIRS, without);
  const part = pair / pairs;
  const sideThere = flipped ? side : 1 - side;
  putWord(MAJOR, n, word(BIAS, 2 * word(WITHOUT_DEPENDENCY, without) + sideThere) + part);
  putWord(MINOR, n, (pair - part * pairs) * word(WITHOUT_PLACEMENTS, without) + rank);
}

/** Rank, in the ending without a man, of the other men's image. */
export function rankWithout(without: i32, symmetry: i32): i32 {
  const groups = word(WITHOUT_GROUPS, without);
  let rank = 0;
  let at = without << 3;
  for (let g = at; g < (without << 3) + groups; g++) {
    let squares: u64 = 0;
    for (let i = word(WITHOUT_COUNT, g); i > 0; i--, at++) {
      squares |= bit(image(word(SQUARES, word(WITHOUT_MAN, at)), symmetry));
    }
    rank += rankOf(squares) * word(WITHOUT_STRIDE, g);
  }
  return rank;
}
