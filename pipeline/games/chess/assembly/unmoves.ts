/** The kernel `unmoves`. */
import { emitKing, emitLast, emitMan, emitMirrored, reflectedKey } from './emit';
import {
  ATTACKS,
  attacksFrom,
  begin,
  diagonal,
  fixed,
  lastBits,
  lastSquare,
  MEN,
  occupied,
  ready,
  SQUARES,
  STEPS,
} from './row';
import { LOWER } from './sets';
import {
  BEHIND,
  bitOrNone,
  image,
  KEYS,
  KIND,
  MAJOR,
  putWord,
  REFLECTION,
  ROWS,
  SIDE,
  squaresAt,
  word,
} from './tables';

/**
 * The retractions of positions with `side` to move, as the Game contract has them. They are those of the
 * keys[0..count) at KEYS, to MINOR, and to MAJOR if the king's are wanted. Stops when more than `room` rows are
 * written, whose number goes to ROWS; returns the number of keys done.
 */
export function unmoves(
  side: i32,
  part: i32,
  count: i32,
  ofMen: bool,
  ofKing: bool,
  bias: i32,
  room: i32,
): i32 {
  const mover = 1 - side;
  begin(part, mover, (ofMen ? MEN : 0) | (ofKing ? STEPS : 0));
  let n = 0;
  let i = 0;
  for (; i < count && n <= room; i++) {
    const key = word(KEYS, i);
    ready(key);
    const last = lastSquare(key);
    const taken = occupied | bitOrNone(last);
    const reflected = diagonal ? reflectedKey(last) : -1;
    const invariant = key === reflected;
    if (ofMen) {
      const first = n;
      for (let man = 0; man < fixed; man++) {
        if (word(SIDE, man) !== mover) continue;
        const square = word(SQUARES, man);
        const targets = squaresAt(ATTACKS, man) & ~squaresAt(BEHIND, (last << 6) | square) & ~taken;
        if (!diagonal) n = emitMan(man, key, targets, n);
        else n = unmoveMirrored(man, square, key, reflected, targets, n);
      }
      if (lastBits !== 0 && word(SIDE, fixed) === mover) {
        const targets = attacksFrom(word(KIND, fixed), last) & ~taken;
        if (!diagonal) n = emitLast(last, key, targets, n);
        else n = unmoveMirrored(fixed, last, key, reflected, targets, n);
      }
      if (ofKing) for (let row = first; row < n; row++) putWord(MAJOR, row, bias + part);
    }
    if (ofKing) n = emitKing(last, invariant ? taken | ~LOWER : taken, bias, !invariant, n);
  }
  putWord(ROWS, 0, n);
  return i;
}

/**
 * Retractions of a man, both kings being on the diagonal. If the position is its own reflection, its predecessors come in
 * mirrored couples, and one of each is emitted. If the predecessor alone is, it is emitted twice.
 */
function unmoveMirrored(man: i32, square: i32, key: i32, reflected: i32, targets: u64, n: i32): i32 {
  if (key !== reflected) return emitMirrored(man, square, key, reflected, targets, true, n);
  const mirror = image(square, REFLECTION);
  if (square > mirror) return n;
  return emitMirrored(man, square, key, reflected, square === mirror ? targets & LOWER : targets, false, n);
}
