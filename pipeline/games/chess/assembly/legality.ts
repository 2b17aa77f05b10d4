/** Which moves leave the mover's king in check. */
import { black, fixed, lastBits, mover, SQUARES, white } from './row';
import { BETWEEN, bit, KIND, MOBILITY, putSquares, SIDE, squaresAt, word } from './tables';

/** u64: for each man that would attack the king on a board without others, the squares between them, and the man. */
const LINE: usize = memory.data(8 * 8, 16);
const ATTACKER: usize = memory.data(8 * 8, 16);
let lines: i32 = 0;
/** Where men may go if they are not pinned: anywhere, or where a check is answered. */
let answers: u64 = 0;
/** Men, of either side, that stand alone on a line. */
let screens: u64 = 0;

/** Finds the checks and the men that may be pinned in the position with the last man on `last`. */
export function findChecks(last: i32, taken: u64): void {
  const king = mover === 0 ? white : black;
  lines = 0;
  answers = ~(0 as u64);
  screens = 0;
  for (let man = 0; man < fixed; man++) {
    if (word(SIDE, man) !== mover) lookAlong(word(KIND, man), word(SQUARES, man), king, taken);
  }
  if (lastBits !== 0 && word(SIDE, fixed) !== mover) lookAlong(word(KIND, fixed), last, king, taken);
}

function lookAlong(kind: i32, square: i32, king: i32, taken: u64): void {
  if ((squaresAt(MOBILITY, (kind << 6) | square) & bit(king)) === 0) return;
  const between = squaresAt(BETWEEN, (square << 6) | king);
  const men = between & taken;
  if (men === 0) answers &= between | bit(square);
  else if ((men & (men - 1)) === 0) {
    screens |= men;
    putSquares(LINE, lines, between);
    putSquares(ATTACKER, lines, bit(square));
    lines++;
  }
}

/** Whether the mover is in check. */
export function isChecked(): bool {
  return answers !== ~(0 as u64);
}

/** Where a man of the mover on `square` may go without leaving its king in check. */
export function permitted(square: i32, taken: u64): u64 {
  if ((screens & bit(square)) === 0) return answers;
  let squares = answers;
  for (let i = 0; i < lines; i++) {
    const line = squaresAt(LINE, i);
    if ((line & taken) === bit(square)) squares &= line | squaresAt(ATTACKER, i);
  }
  return squares;
}
