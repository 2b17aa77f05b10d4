/**
 * The 32 dark squares as the bits of an integer, seen by the player to move: square 4 * rank + file. Rank 0 is nearest to
 * the mover, and squares of a rank go from left to right (Lake, Schaeffer & Lu 1994, figure 9). The other player sees square
 * s as 31 - s, so turning the board round is reversing the bits.
 */

export const EVEN_RANKS = 0x0f0f0f0f;
export const ODD_RANKS = 0xf0f0f0f0 | 0;
/** Even ranks but for the leftmost square, odd ranks but for the rightmost: a step there stays on the board. */
const EVEN_INNER = 0x0e0e0e0e;
const ODD_INNER = 0x70707070;
/** Where men are crowned. */
export const LAST_RANK = 0xf0000000 | 0;
/** No man of the mover stands on rank 7, none of the other player on rank 0. */
export const MEN_RANKS = 7;

/** The squares one step from any of `squares`, in one of the four directions. */
export function upLeft(squares: number): number {
  return ((squares & EVEN_INNER) << 3) | ((squares & ODD_RANKS) << 4);
}
export function upRight(squares: number): number {
  return ((squares & EVEN_RANKS) << 4) | ((squares & ODD_INNER) << 5);
}
export function downLeft(squares: number): number {
  return ((squares & EVEN_INNER) >>> 5) | ((squares & ODD_RANKS) >>> 4);
}
export function downRight(squares: number): number {
  return ((squares & EVEN_RANKS) >>> 4) | ((squares & ODD_INNER) >>> 3);
}

export function popcount(squares: number): number {
  let v = squares - ((squares >>> 1) & 0x55555555);
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
  return Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** The squares as the other player sees them. */
export function turned(squares: number): number {
  let v = ((squares >>> 1) & 0x55555555) | ((squares & 0x55555555) << 1);
  v = ((v >>> 2) & 0x33333333) | ((v & 0x33333333) << 2);
  v = ((v >>> 4) & 0x0f0f0f0f) | ((v & 0x0f0f0f0f) << 4);
  v = ((v >>> 8) & 0x00ff00ff) | ((v & 0x00ff00ff) << 8);
  return (v >>> 16) | (v << 16);
}

/** The number of the only, or the lowest, of `squares`; which must not be empty. */
export function lowest(squares: number): number {
  return 31 - Math.clz32(squares & -squares);
}

/** The first `ranks` (0 to 8) ranks. */
export function ranksBelow(ranks: number): number {
  return ranks === 8 ? -1 : (1 << (4 * ranks)) - 1;
}

/** Whether one of these men (moving up) and kings may capture one of `enemies`. */
export function canCapture(men: number, kings: number, enemies: number, empty: number): boolean {
  const movers = men | kings;
  const up = (upLeft(upLeft(movers) & enemies) & empty) | (upRight(upRight(movers) & enemies) & empty);
  if (up !== 0) return true;
  if (kings === 0) return false;
  return (
    ((downLeft(downLeft(kings) & enemies) & empty) | (downRight(downRight(kings) & enemies) & empty)) !== 0
  );
}

/** Whether one of these men (moving up) and kings may step to a square of `empty`. */
export function canStep(men: number, kings: number, empty: number): boolean {
  const movers = men | kings;
  return (
    ((upLeft(movers) | upRight(movers)) & empty) !== 0 ||
    (kings !== 0 && ((downLeft(kings) | downRight(kings)) & empty) !== 0)
  );
}

/** By square: the squares that a man, a king and a man going back may step to. */
export const MAN_STEPS = new Int32Array(32);
export const KING_STEPS = new Int32Array(32);
export const BACK_STEPS = new Int32Array(32);
for (let square = 0; square < 32; square++) {
  const bit = 1 << square;
  MAN_STEPS[square] = upLeft(bit) | upRight(bit);
  BACK_STEPS[square] = downLeft(bit) | downRight(bit);
  KING_STEPS[square] = MAN_STEPS[square] | BACK_STEPS[square];
}

/** The rank of the leading man; 0 without men. */
export function leadingRank(men: number): number {
  return men === 0 ? 0 : (31 - Math.clz32(men)) >>> 2;
}
