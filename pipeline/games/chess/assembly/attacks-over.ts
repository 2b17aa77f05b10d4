import { BEHIND, KNIGHT, MOBILITY, squaresAt } from './tables';

/** Squares that a man other than a pawn attacks on a board where the squares `taken` are occupied. */
export function attacksOver(kind: i32, square: i32, taken: u64): u64 {
  let reach = squaresAt(MOBILITY, (kind << 6) | square);
  if (kind >= KNIGHT) return reach;
  for (let men = reach & taken; men; men &= men - 1) {
    reach &= ~squaresAt(BEHIND, ((ctz(men) as i32) << 6) | square);
  }
  return reach;
}
