/** Squares that men attack, and captures en passant. */
import { PASSANT, PAWN_ATTACKS } from './index-tables';
import { kingOf, menAt, pawnsOf, taker } from './position';
import { BETWEEN, BISHOP, bit, KNIGHT, LINES, MOBILITY, ROOK, squaresAt } from './tables';

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

const FILE_A: u64 = ((0x01010101 as u64) << 32) | 0x01010101;
const FILE_H: u64 = FILE_A << 7;

/** The square before a pawn of a side. */
export function ahead(side: i32, square: i32): i32 {
  return side === 0 ? square + 8 : square - 8;
}

/** Whether a man of `side` attacks a square, of a board where these squares are taken. */
function isAttacked(square: i32, side: i32, taken: u64, pawns: u64): bool {
  if (squaresAt(PAWN_ATTACKS, ((1 - side) << 6) | square) & pawns) return true;
  for (let kind = 0; kind <= KNIGHT; kind++) {
    for (let men = menAt(side, kind) & squaresAt(MOBILITY, (kind << 6) | square); men; men &= men - 1) {
      if ((squaresAt(BETWEEN, ((ctz(men) as i32) << 6) | square) & taken) === 0) return true;
    }
  }
  return false;
}

/** Squares that pawns of `side` attack. */
export function pawnAttacksOf(side: i32, pawns: u64): u64 {
  if (side === 0) return ((pawns & ~FILE_A) << 7) | ((pawns & ~FILE_H) << 9);
  return ((pawns & ~FILE_H) >> 7) | ((pawns & ~FILE_A) >> 9);
}

/** The pawns of `side` that may capture the pawn on `pawn` en passant; `taken`: the squares that other men stand on. */
export function passantTakers(side: i32, pawn: i32, taken: u64): u64 {
  const to = ahead(side, pawn);
  const others = pawnsOf(1 - side) & ~bit(pawn);
  let takers = squaresAt(PAWN_ATTACKS, ((1 - side) << 6) | to) & pawnsOf(side);
  for (let men = takers; men; men &= men - 1) {
    const from = ctz(men) as i32;
    const after = (taken & ~bit(from) & ~bit(pawn)) | bit(to);
    if (isAttacked(kingOf(side), 1 - side, after, others)) takers &= ~bit(from);
  }
  return takers;
}

/**
 * Whether the position can come from a double step, and the pawn be captured; `taken`: the squares that men stand on. The pawn came over
 * two free squares, before that the taker was not in check, and a capture is legal.
 */
export function hasPassant(taken: u64): bool {
  const pawn = ctz(menAt(1 - taker, PASSANT)) as i32;
  const over = ahead(taker, pawn);
  const from = ahead(taker, over);
  if (taken & (bit(over) | bit(from))) return false;
  const before = (taken & ~bit(pawn)) | bit(from);
  const pawns = (pawnsOf(1 - taker) & ~bit(pawn)) | bit(from);
  if (isAttacked(kingOf(taker), 1 - taker, before, pawns)) return false;
  return passantTakers(taker, pawn, taken) !== 0;
}
