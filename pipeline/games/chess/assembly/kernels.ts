/** The kernels: `unmoves` and `moves` of the keys that were put at KEYS, rows to MINOR, MAJOR and SOURCE. */
import { emitKing, emitLast, emitMan, emitMirrored, reflectedKey } from './emit';
import { attackedSquares, findChecks, permitted } from './legality';
import {
  ATTACKS,
  begin,
  black,
  diagonal,
  fixed,
  hiddenByFixed,
  lastBits,
  lastSquare,
  occupied,
  ready,
  SQUARES,
  white,
} from './row';
import {
  BEHIND,
  bitOrNone,
  image,
  KEYS,
  KIND,
  MAJOR,
  MOBILITY,
  putWord,
  REFLECTION,
  SIDE,
  SOURCE,
  squaresAt,
  word,
} from './tables';

export { configure } from './row';
export {
  BEHIND,
  BETWEEN,
  BINOMIAL,
  COUNT,
  FIRST,
  GROUP,
  IMAGE,
  KEYS,
  KIND,
  MAJOR,
  MINOR,
  MOBILITY,
  MOST_KEYS,
  MOST_ROWS,
  PAIR_BASE,
  PAIR_BLACK,
  PAIR_DIAGONAL,
  PAIR_OF,
  PAIR_PART,
  PAIR_SYMMETRY,
  PAIR_WHITE,
  SIDE,
  SOURCE,
  STRIDE,
} from './tables';

/** What to emit, as bits. */
const MEN = 1;
const KING = 2;
/** Squares on or below the a1-h8 diagonal. */
const LOWER: u64 = ((0x80c0e0f0 as u64) << 32) | 0xf8fcfeff;

/** Rows that the last call wrote. */
export let rows: i32 = 0;

/** See the Game contract. Returns the number of keys done; stops when more than `room` rows are written. */
export function unmoves(side: i32, part: i32, count: i32, what: i32, bias: i32, room: i32): i32 {
  const mover = 1 - side;
  begin(mover, part);
  let n = 0;
  let i = 0;
  for (; i < count && n <= room; i++) {
    const key = word(KEYS, i);
    ready(key);
    const last = lastSquare(key);
    const taken = occupied | bitOrNone(last);
    const reflected = diagonal ? reflectedKey(last) : -1;
    const invariant = key === reflected;
    if (what & MEN) {
      const first = n;
      for (let man = 0; man < fixed; man++) {
        if (word(SIDE, man) !== mover) continue;
        const square = word(SQUARES, man);
        const targets = squaresAt(ATTACKS, man) & ~squaresAt(BEHIND, (last << 6) | square) & ~taken;
        if (!diagonal) n = emitMan(man, key, targets, n);
        else n = unmoveMirrored(man, square, key, reflected, targets, n);
      }
      if (lastBits !== 0 && word(SIDE, fixed) === mover) {
        const targets = attacksOfLast(last) & ~taken;
        if (!diagonal) n = emitLast(last, key, targets, n);
        else n = unmoveMirrored(fixed, last, key, reflected, targets, n);
      }
      if (what & KING) for (let row = first; row < n; row++) putWord(MAJOR, row, bias + part);
    }
    if (what & KING) n = emitKing(last, invariant ? taken | ~LOWER : taken, bias, !invariant, n);
  }
  rows = n;
  return i;
}

/**
 * Retractions of a man, both kings being on the diagonal. If the position is its own reflection, its predecessors come in
 * mirrored couples, of which one is emitted; if the predecessor alone is, it is emitted twice.
 */
function unmoveMirrored(man: i32, square: i32, key: i32, reflected: i32, targets: u64, n: i32): i32 {
  if (key !== reflected) return emitMirrored(man, square, key, reflected, targets, true, n);
  const mirror = image(square, REFLECTION);
  if (square > mirror) return n;
  return emitMirrored(man, square, key, reflected, square === mirror ? targets & LOWER : targets, false, n);
}

/** What the last man attacks, either king standing where it does. */
function attacksOfLast(last: i32): u64 {
  const hidden =
    hiddenByFixed(last) | squaresAt(BEHIND, (white << 6) | last) | squaresAt(BEHIND, (black << 6) | last);
  return squaresAt(MOBILITY, (word(KIND, fixed) << 6) | last) & ~hidden;
}

/** As `unmoves`; SOURCE counts from `source`. */
export function moves(side: i32, part: i32, count: i32, what: i32, bias: i32, room: i32, source: i32): i32 {
  begin(side, part);
  let n = 0;
  let i = 0;
  for (; i < count && n <= room; i++) {
    const key = word(KEYS, i);
    ready(key);
    const first = n;
    const last = lastSquare(key);
    const taken = occupied | bitOrNone(last);
    if (what & MEN) {
      const reflected = diagonal ? reflectedKey(last) : -1;
      findChecks(last, taken);
      for (let man = 0; man < fixed; man++) {
        if (word(SIDE, man) !== side) continue;
        const square = word(SQUARES, man);
        const reach = squaresAt(ATTACKS, man) & ~squaresAt(BEHIND, (last << 6) | square) & ~taken;
        const targets = reach & permitted(square, taken);
        if (!diagonal) n = emitMan(man, key, targets, n);
        else n = emitMirrored(man, square, key, reflected, targets, false, n);
      }
      if (lastBits !== 0 && word(SIDE, fixed) === side) {
        const targets = attacksOfLast(last) & ~taken & permitted(last, taken);
        if (!diagonal) n = emitLast(last, key, targets, n);
        else n = emitMirrored(fixed, last, key, reflected, targets, false, n);
      }
      if (what & KING) for (let row = first; row < n; row++) putWord(MAJOR, row, bias + part);
    }
    if (what & KING) n = emitKing(last, taken | attackedSquares(last), bias, false, n);
    for (let row = first; row < n; row++) putWord(SOURCE, row, source + i);
  }
  rows = n;
  return i;
}
