/** The keys of an ending that promotions lead to: those in which the new piece stands where a pawn can have been promoted. */
import { binomial, type Space } from './index-space.js';

/** A group of the ending, and a set of squares: a man of the group must stand on one of them. A bit a square of 64. */
export interface PromotedGroup {
  readonly group: number;
  readonly squares: readonly [low: number, high: number];
}

const EDGE: PromotedGroup['squares'] = [0x818181ff | 0, 0xff818181 | 0];
const LAST_RANK: PromotedGroup['squares'] = [0, 0xff000000 | 0];
const FIRST_RANK: PromotedGroup['squares'] = [0xff, 0];

/**
 * Where a piece of `side`, as the ending has it, stands after its promotion. Without pawns an ending has all symmetries of the
 * board, which bring the last rank to every edge.
 */
export function promotedGroup(target: Space, side: number, kind: number): PromotedGroup {
  const group = target.groups.findIndex(({ men: [man] }) => man.side === side && man.kind === kind);
  if (target.pawnGroups === 0) return { group, squares: EDGE };
  return { group, squares: side === 0 ? LAST_RANK : FIRST_RANK };
}

/**
 * Bit k of the result: one of the groups has a man on one of its squares in the key k of any part. It has
 * `target.width` bits.
 */
export function promotionKeys(target: Space, promoted: readonly PromotedGroup[]): Uint32Array {
  const bits = new Uint32Array((target.width + 31) >>> 5);
  const tables = promoted.flatMap(({ group, squares }) => {
    const { first, men } = target.groups[group];
    return target.digits
      .filter((digit) => digit.first >= first && digit.first < first + men.length)
      .map((digit) => ({ stride: digit.stride, reaching: reachingCombinations(digit.count, squares) }));
  });
  for (let key = 0; key < target.width; key++) {
    const placement = key % target.placements;
    for (const { stride, reaching } of tables) {
      if (reaching[Math.floor(placement / stride) % reaching.length] === 0) continue;
      bits[key >>> 5] |= 1 << (key & 31);
      break;
    }
  }
  return bits;
}

/** 1 for each set of `count` squares, in colexicographic order, that has one of `squares`. */
function reachingCombinations(count: number, [low, high]: PromotedGroup['squares']): Uint8Array {
  const reaching = new Uint8Array(binomial(64, count));
  for (let set = 0; set < reaching.length; set++) {
    let rest = set;
    let square = 63;
    for (let k = count; k > 0; k--) {
      while (binomial(square, k) > rest) square--;
      rest -= binomial(square, k);
      if (((square < 32 ? low >>> square : high >>> (square - 32)) & 1) !== 0) reaching[set] = 1;
      square--;
    }
  }
  return reaching;
}
