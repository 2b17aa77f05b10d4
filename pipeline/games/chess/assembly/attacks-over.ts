import { KNIGHT, LINES, MOBILITY, squaresAt } from './tables';

const ROOK = 1;
const BISHOP = 2;

/** Squares that a man other than a pawn attacks on a board where the squares `taken` are occupied. */
export function attacksOver(kind: i32, square: i32, taken: u64): u64 {
  if (kind >= KNIGHT) return squaresAt(MOBILITY, (kind << 6) | square);
  const lines = square << 3;
  let attacks: u64 = 0;
  if (kind !== BISHOP) attacks = alongLine(lines, taken) | alongLine(lines + 2, taken);
  if (kind !== ROOK) attacks |= alongLine(lines + 4, taken) | alongLine(lines + 6, taken);
  return attacks;
}

/**
 * The squares of a line to the nearest taken one on each side: twice the nearest one above less the nearest one below has the bits
 * between, and both ends (*obstruction difference* in chess programming). Without branches, which would be hard to predict.
 */
function alongLine(line: i32, taken: u64): u64 {
  const below = squaresAt(LINES, line);
  const above = squaresAt(LINES, line + 1);
  const nearestAbove = above & taken & (0 - (above & taken));
  const fromNearestBelow = (-1 as u64) << (63 - clz((below & taken) | 1));
  return (below | above) & ((nearestAbove << 1) + fromNearestBelow);
}
