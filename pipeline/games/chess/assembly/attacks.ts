/** Squares that men attack, and moves that leave the mover's king in check. */
import { attacksOver } from './attacks-over';
import { PASSANT, PAWN_ATTACKS } from './index-tables';
import { kingOf, menAt, menOf, occupied, pawnsOf, taker } from './position';
import { BETWEEN, bit, KING, KNIGHT, MOBILITY, putSquares, squaresAt } from './tables';

const FILE_A: u64 = ((0x01010101 as u64) << 32) | 0x01010101;
const FILE_H: u64 = FILE_A << 7;

/** The square before a pawn of a side. */
export function ahead(side: i32, square: i32): i32 {
  return side === 0 ? square + 8 : square - 8;
}

/** Whether a man of `side` attacks a square, of a board where these squares are taken. */
export function isAttacked(square: i32, side: i32, taken: u64, pawns: u64): bool {
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

/** All squares that the men of `side` attack, the other king hiding nothing behind it. */
export function attackedBy(side: i32): u64 {
  const taken = occupied & ~bit(kingOf(1 - side));
  let attacked = squaresAt(MOBILITY, (KING << 6) | kingOf(side)) | pawnAttacksOf(side, pawnsOf(side));
  for (let kind = 0; kind <= KNIGHT; kind++) {
    for (let men = menAt(side, kind); men; men &= men - 1) {
      attacked |= attacksOver(kind, ctz(men) as i32, taken);
    }
  }
  return attacked;
}

/** u64: for each man that would attack the king on a board without others, the squares between them, and the man. */
const LINE: usize = memory.data(8 * 8, 16);
const ATTACKER: usize = memory.data(8 * 8, 16);
let lines: i32 = 0;
/** Where men may go if they are not pinned: anywhere, or where a check is answered. */
let answers: u64 = 0;
/** Men, of either side, that stand alone on a line. */
let screens: u64 = 0;
export let checks: i32 = 0;

/** Finds the checks, and the men that may be pinned. */
export function findChecks(side: i32): void {
  const king = kingOf(side);
  lines = 0;
  checks = 0;
  answers = ~(0 as u64);
  screens = 0;
  const pawns = squaresAt(PAWN_ATTACKS, (side << 6) | king) & pawnsOf(1 - side);
  if (pawns) {
    checks = popcnt(pawns) as i32;
    answers = checks > 1 ? 0 : pawns;
  }
  for (let kind = 0; kind <= KNIGHT; kind++) {
    for (let men = menAt(1 - side, kind) & squaresAt(MOBILITY, (kind << 6) | king); men; men &= men - 1) {
      const square = ctz(men) as i32;
      const between = squaresAt(BETWEEN, (square << 6) | king);
      const screen = between & occupied;
      if (screen === 0) {
        checks++;
        answers &= between | bit(square);
      } else if ((screen & (screen - 1)) === 0) {
        screens |= screen;
        putSquares(LINE, lines, between);
        putSquares(ATTACKER, lines, bit(square));
        lines++;
      }
    }
  }
}

/** Where a man of the mover on `square` may go without leaving its king in check. */
export function permitted(square: i32): u64 {
  if ((screens & bit(square)) === 0) return answers;
  let squares = answers;
  for (let i = 0; i < lines; i++) {
    const line = squaresAt(LINE, i);
    if ((line & occupied) === bit(square)) squares &= line | squaresAt(ATTACKER, i);
  }
  return squares;
}

/** Where the king of `side` may go. */
export function kingTargets(side: i32): u64 {
  const reach = squaresAt(MOBILITY, (KING << 6) | kingOf(side)) & ~menOf(side);
  return reach ? reach & ~attackedBy(1 - side) : 0;
}

/** Steps forward that a pawn of `side` may make, if its king does not forbid it. */
export function pawnSteps(side: i32, square: i32): u64 {
  const one = ahead(side, square);
  if (occupied & bit(one)) return 0;
  const two = ahead(side, one);
  return square >> 3 === (side === 0 ? 1 : 6) && (occupied & bit(two)) === 0 ? bit(one) | bit(two) : bit(one);
}

export function pawnCaptures(side: i32, square: i32): u64 {
  return squaresAt(PAWN_ATTACKS, (side << 6) | square) & menOf(1 - side);
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
