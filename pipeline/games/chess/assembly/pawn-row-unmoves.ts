/**
 * As row-unmoves.ts, of slices with pawns: only pieces and kings move in a slice, and no position is its own mirror image. So
 * nothing comes twice.
 */
import { attacksOver } from './attacks-over';
import { losing, resetStruck, strikeSome, struck } from './labels';
import { GROUP_COUNT, GROUP_SLOT, GROUP_STRIDE, PAWN } from './pawn-tables';
import {
  digitOf,
  groups,
  kingOf,
  OF_GROUP,
  place,
  rowOccupied,
  stepKey,
  stepKing,
  stepPart,
  stepSymmetry,
  taker,
} from './position';
import { mirrorFiles } from './sets';
import {
  BETWEEN,
  bit,
  KEYS,
  KING,
  MAJOR,
  MOBILITY,
  putSet,
  putWord,
  ROWS,
  setIn,
  squaresAt,
  word,
} from './tables';

/** Strikes the positions that the pieces' unmoves lead to from the given sets, with `side` to move. Returns how many sets. */
export function pawnStrikeWithin(side: i32, part: i32, count: i32): i32 {
  const mover = 1 - side;
  resetStruck();
  if (taker >= 0) return 0;
  for (let i = 0; i < count; i++) {
    const first = word(KEYS, i) << 6;
    const set = setIn(i);
    place(part, first);
    for (let g = 0; g < groups - 1; g++) {
      const slot = word(GROUP_SLOT, g);
      if (slot >> 3 === mover && (slot & 7) < PAWN) unmoveGroup(g, slot & 7, first, set);
    }
    const slot = word(GROUP_SLOT, groups - 1);
    if (slot >> 3 === mover) unmoveLast(slot & 7, first, set);
  }
  return struck;
}

function unmoveGroup(g: i32, kind: i32, first: i32, set: u64): void {
  const all = squaresAt(OF_GROUP, g);
  const stride = word(GROUP_STRIDE, g);
  const isSingle = word(GROUP_COUNT, g) === 1;
  for (let men = all; men; men &= men - 1) {
    const square = ctz(men) as i32;
    const others = all & ~bit(square);
    const base = first - (isSingle ? square : digitOf(g, all)) * stride;
    for (
      let targets = attacksOver(kind, square, rowOccupied) & ~rowOccupied;
      targets;
      targets &= targets - 1
    ) {
      const target = ctz(targets) as i32;
      const through = set & ~(squaresAt(BETWEEN, (square << 6) | target) | bit(target));
      strikeSome(base + (isSingle ? target : digitOf(g, others | bit(target))) * stride, through);
    }
  }
}

function unmoveLast(kind: i32, first: i32, set: u64): void {
  let all: u64 = 0;
  for (let rest = set; rest; rest &= rest - 1) {
    const targets = attacksOver(kind, ctz(rest) as i32, rowOccupied) & ~rowOccupied;
    if (losing) strikeSome(first, targets);
    else all |= targets;
  }
  strikeSome(first, all);
}

/** As `unmoveRows` of row-unmoves.ts. */
export function pawnUnmoveRows(side: i32, part: i32, count: i32, bias: i32, room: i32): i32 {
  const mover = 1 - side;
  let n = 0;
  let i = 0;
  if (taker >= 0) i = count;
  for (; i < count && n <= room; i++) {
    const first = word(KEYS, i) << 6;
    const set = setIn(i);
    place(part, first);
    const reach = squaresAt(MOBILITY, (KING << 6) | kingOf(mover)) & ~rowOccupied;
    for (let targets = reach; targets; targets &= targets - 1) {
      const through = set & ~(targets & (0 - targets));
      if (through === 0 || !stepKing(mover, ctz(targets) as i32, first)) continue;
      putWord(MAJOR, n, bias + stepPart);
      // The last digit of the key belongs to no position.
      putSet(n++, stepKey >> 6, stepSymmetry !== 0 ? mirrorFiles(through) : through);
    }
  }
  putWord(ROWS, 0, n);
  return i;
}
