import {
  BETWEEN_HIGH,
  BETWEEN_LOW,
  BIT_HIGH,
  BIT_LOW,
  LINE,
} from '../../../../../pipeline/games/chess/geometry.js';
import type { Workspace } from './workspace.js';

/** A man of `kind` attacks along a line if LINE & ATTACK_MASK[kind] and nothing stands between. */
export const ATTACK_MASK = Uint8Array.of(3, 1, 2, 4, 8);

/**
 * Finds, for each man of `side` besides the king, the squares that it may go to without leaving its king in check. These are
 * all squares, or those on the line of a pin, or those that end a check. Returns the number of checks. The position must be
 * loaded and legal up to checks; the board is not used.
 */
export function restrict(w: Workspace, side: number): number {
  const { space, squares, allowedLow, allowedHigh } = w;
  const own = space.menOf[side];
  const opposing = space.menOf[1 - side];
  const king = side === 0 ? w.white : w.black;
  let low = BIT_LOW[w.white] | BIT_LOW[w.black];
  let high = BIT_HIGH[w.white] | BIT_HIGH[w.black];
  for (let man = 0; man < space.men; man++) {
    low |= BIT_LOW[squares[man]];
    high |= BIT_HIGH[squares[man]];
    allowedLow[man] = -1;
    allowedHigh[man] = -1;
  }
  w.occupiedLow = low;
  w.occupiedHigh = high;
  let checks = 0;
  let answerLow = -1;
  let answerHigh = -1;
  for (let i = 0; i < opposing.length; i++) {
    const from = squares[opposing[i]];
    const line = (from << 6) | king;
    if ((LINE[line] & ATTACK_MASK[space.kindOf[opposing[i]]]) === 0) continue;
    const between = BETWEEN_LOW[line] & low;
    const betweenHigh = BETWEEN_HIGH[line] & high;
    const lineLow = BETWEEN_LOW[line] | BIT_LOW[from];
    const lineHigh = BETWEEN_HIGH[line] | BIT_HIGH[from];
    if ((between | betweenHigh) === 0) {
      checks++;
      answerLow &= lineLow;
      answerHigh &= lineHigh;
      continue;
    }
    if (between === 0 ? betweenHigh & (betweenHigh - 1) : betweenHigh | (between & (between - 1))) continue;
    for (let j = 0; j < own.length; j++) {
      const square = squares[own[j]];
      if ((BIT_LOW[square] & between) | (BIT_HIGH[square] & betweenHigh)) {
        allowedLow[own[j]] &= lineLow;
        allowedHigh[own[j]] &= lineHigh;
      }
    }
  }
  if (checks > 0) {
    for (let j = 0; j < own.length; j++) {
      allowedLow[own[j]] &= answerLow;
      allowedHigh[own[j]] &= answerHigh;
    }
  }
  return checks;
}

/**
 * True if the king of `side` would be attacked on `target` by a man of the other side (kings not considered). The king
 * itself hides nothing behind it; a man that stands on the target is taken. Needs the words set by `restrict`.
 */
export function kingAttackedOn(w: Workspace, side: number, target: number): boolean {
  const { space, squares } = w;
  const opposing = space.menOf[1 - side];
  const king = side === 0 ? w.white : w.black;
  const low = w.occupiedLow & ~BIT_LOW[king];
  const high = w.occupiedHigh & ~BIT_HIGH[king];
  for (let i = 0; i < opposing.length; i++) {
    const line = (squares[opposing[i]] << 6) | target;
    if (
      (LINE[line] & ATTACK_MASK[space.kindOf[opposing[i]]]) !== 0 &&
      ((BETWEEN_LOW[line] & low) | (BETWEEN_HIGH[line] & high)) === 0
    ) {
      return true;
    }
  }
  return false;
}
