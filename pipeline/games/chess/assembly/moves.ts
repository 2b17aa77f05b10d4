/** The kernel `moves`. */
import { emitKing, emitLast, emitMan, emitMirrored, reflectedKey } from './emit';
import { attackedSquares, findChecks, permitted } from './legality';
import {
  ATTACKED,
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
import { BEHIND, bitOrNone, KEYS, KIND, MAJOR, putWord, ROWS, SIDE, SOURCE, squaresAt, word } from './tables';

/** The legal moves that take nothing; as `unmoves`. SOURCE counts the keys from `source`. */
export function moves(side: i32, part: i32, count: i32, bias: i32, room: i32, source: i32): i32 {
  begin(part, side, MEN | STEPS | ATTACKED);
  let n = 0;
  let i = 0;
  for (; i < count && n <= room; i++) {
    const key = word(KEYS, i);
    ready(key);
    const first = n;
    const last = lastSquare(key);
    const taken = occupied | bitOrNone(last);
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
      const targets = attacksFrom(word(KIND, fixed), last) & ~taken & permitted(last, taken);
      if (!diagonal) n = emitLast(last, key, targets, n);
      else n = emitMirrored(fixed, last, key, reflected, targets, false, n);
    }
    for (let row = first; row < n; row++) putWord(MAJOR, row, bias + part);
    n = emitKing(last, taken | attackedSquares(last), bias, false, n);
    for (let row = first; row < n; row++) putWord(SOURCE, row, source + i);
  }
  putWord(ROWS, 0, n);
  return i;
}
