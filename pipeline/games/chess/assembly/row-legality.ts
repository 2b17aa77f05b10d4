/** Which positions of a row are legal, as sets of squares of the last man. */
import { attacksFrom, black, fixed, lastBits, occupied, SQUARES, white } from './row';
import { BETWEEN, bit, KIND, MOBILITY, SIDE, squaresAt, word } from './tables';

export const ALL: u64 = ~(0 as u64);

/**
 * Where the last man shields the king of `side` on `king` from all fixed men of the other side but `taken`. That is
 * everywhere if none of them attacks it. `stand`: where kings and fixed men stand.
 */
export function shields(side: i32, king: i32, taken: i32, stand: u64): u64 {
  let set = ALL;
  for (let man = 0; man < fixed; man++) {
    if (word(SIDE, man) === side || man === taken) continue;
    const square = word(SQUARES, man);
    if ((squaresAt(MOBILITY, (word(KIND, man) << 6) | square) & bit(king)) === 0) continue;
    const between = squaresAt(BETWEEN, (square << 6) | king);
    if ((between & stand) === 0) set &= between;
  }
  return set;
}

/** The legal positions of the prepared row with `side` to move: every man has a square of its own, and no king can be taken. */
export function legalSet(side: i32): u64 {
  if ((popcnt(occupied) as i32) !== fixed + 2) return 0;
  const king = side === 0 ? black : white;
  const set = shields(1 - side, king, -1, occupied) & ~occupied;
  return lastBits !== 0 && word(SIDE, fixed) === side ? set & ~attacksFrom(word(KIND, fixed), king) : set;
}
