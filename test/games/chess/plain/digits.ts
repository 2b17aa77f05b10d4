import { binomial, COUPLE_RANK } from '../../../../pipeline/games/chess/index-space.js';
import type { Workspace } from './workspace.js';

/** Each square at its own number: the digit of a single man, as a table. */
export const COORDINATES = Int32Array.from({ length: 64 }, (_, s) => s);

/** Where the digit of a man's group of several, by the square of the man, is to be read; from `digitRow` on. */
export function digitTable(w: Workspace, man: number): Int32Array {
  return w.space.groupCount[w.space.groupOf[man]] === 2 ? COUPLE_RANK : w.digits;
}

/** Start of the row of `digitTable`; for groups of three and more the row is computed here. */
export function digitRow(w: Workspace, man: number): number {
  const { space, squares, digits } = w;
  const group = space.groupOf[man];
  const first = space.groupFirst[group];
  const count = space.groupCount[group];
  if (count === 2) return squares[man === first ? first + 1 : first] << 6;
  // Squares of a group ascend. A man between the i-th and the next of the others has i below it; those above move up.
  let below = 0;
  let above = 0;
  let place = 1;
  for (let other = first; other < first + count; other++) {
    if (other !== man) above += binomial(squares[other], ++place);
  }
  place = 1;
  let other = man === first ? first + 1 : first;
  for (let square = 0; square < 64; square++) {
    digits[square] = below + binomial(square, place) + above;
    if (other < first + count && square === squares[other]) {
      below += binomial(square, place);
      above -= binomial(square, ++place);
      other += other + 1 === man ? 2 : 1;
    }
  }
  return 0;
}
