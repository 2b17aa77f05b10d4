/** Which positions are legal, and in which of them the side to move is in check: whole words at a time. */
import {
  BETWEEN,
  bit,
  KIND,
  MOBILITY,
  PAIR_BLACK,
  PAIR_WHITE,
  SIDE,
  squaresAt,
  word,
} from '../../../games/chess/assembly/tables';
import { reach } from './moves';
import { isArrayMan, length, men, occupiedSquares, squareIn, wordMan } from './set-layout';

const ALL: u64 = ~(0 as u64);

/**
 * Writes the legal positions of a pair of kings with `side` to move. In them all men are on different squares, and
 * the king of the other side is not attacked.
 */
export function legalPositions(pair: i32, side: i32, legal: usize): void {
  const kings = bit(word(PAIR_WHITE, pair)) | bit(word(PAIR_BLACK, pair));
  for (let i: usize = 0; i < length; i += 8) {
    const occupied = load<u64>(occupiedSquares + i);
    let set: u64 = 0;
    if (occupied !== ALL && (occupied & kings) === 0) {
      set = ~(occupied | kings | attacked(pair, (i >> 3) as i32, side));
      if (wordMan < 0) set = 1;
    }
    store<u64>(legal + i, set);
  }
}

/** Keeps those of `positions` in which the king of `side` is attacked. */
export function keepChecks(pair: i32, side: i32, positions: usize): void {
  for (let i: usize = 0; i < length; i += 8) {
    const set = load<u64>(positions + i);
    if (set !== 0) store<u64>(positions + i, set & attacked(pair, (i >> 3) as i32, 1 - side));
  }
}

/**
 * The squares of the man in word for which some man of `side` attacks the other side's king. They are all squares if
 * an array man attacks past empty squares. Squares of the line between are left out if the man in word may be what
 * stands in the way.
 */
function attacked(pair: i32, config: i32, side: i32): u64 {
  const white = word(PAIR_WHITE, pair);
  const black = word(PAIR_BLACK, pair);
  const king = side === 0 ? black : white;
  const stand = load<u64>(occupiedSquares + ((config as usize) << 3)) | bit(white) | bit(black);
  let set: u64 = 0;
  if (wordMan >= 0 && word(SIDE, wordMan) === side) {
    const empty = i64x2.splat(~stand as i64);
    set = i64x2.extract_lane(reach(word(KIND, wordMan), i64x2.splat(bit(king) as i64), empty), 0) as u64;
  }
  for (let man = 0; man < men; man++) {
    if (!isArrayMan(man, side)) continue;
    const square = squareIn(config, man);
    if ((squaresAt(MOBILITY, (word(KIND, man) << 6) | square) & bit(king)) === 0) continue;
    const between = squaresAt(BETWEEN, (square << 6) | king);
    if ((between & stand) === 0) set |= ~between;
  }
  return set;
}
