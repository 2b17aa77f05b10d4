/** Codes of tables (pipeline/game/value.ts) as ranks of moves: more is better for the player who makes the move, 0 is no move. */

import { findChecked, findEnemies, prepareRow } from './census';
import { NO_NUMBERS, numbering } from './numbers';
import { bytesOf, quarterOf } from './sets';

/**
 * Writes the ranks (u8) of so many codes of one or two bytes, four at a time, by a table of all codes as unsigned numbers. Returns
 * whether each code has one.
 */
export function rankCodes(count: i32, codes: usize, isWide: bool, table: usize, ranks: usize): bool {
  return isWide ? rankAll<u16>(count, codes, table, ranks) : rankAll<u8>(count, codes, table, ranks);
}

function rankAll<Code>(count: i32, codes: usize, table: usize, ranks: usize): bool {
  const step = sizeof<Code>();
  let unranked: u32 = 0;
  for (const end = ranks + (count as usize); ranks < end; ranks += 4, codes += 4 * step) {
    const a = rankOf<Code>(codes, table);
    const b = rankOf<Code>(codes + step, table);
    const c = rankOf<Code>(codes + 2 * step, table);
    const d = rankOf<Code>(codes + 3 * step, table);
    const four = a | (b << 8) | (c << 16) | (d << 24);
    store<u32>(ranks, four);
    // The highest bit of a byte that is 0.
    unranked |= (four - 0x01010101) & ~four & 0x80808080;
  }
  return unranked === 0;
}

function rankOf<Code>(code: usize, table: usize): u32 {
  return load<u8>(table + (load<Code>(code) as usize));
}

/** Positions that the last `countWrong` compared. */
let positions: i32 = 0;

export function positionsCompared(): i32 {
  return positions;
}

/**
 * How many of `count` positions of a part, from `from` on, with `side` to move do not have the best move that they expect. `drawn`, `mated`,
 * `broken`: the ranks that stalemates, mates and keys without a position expect. `numbers`: those that positions have in the table; they must
 * be the ones that moves count, and 1 at an end that is not `unsolved`.
 */
export function countWrong(
  side: i32,
  part: i32,
  from: i32,
  count: i32,
  best: usize,
  expected: usize,
  drawn: i32,
  mated: i32,
  broken: i32,
  unsolved: i32,
  counted: usize,
  numbers: usize,
): i32 {
  const zero = i8x16.splat(0);
  const none = i8x16.splat(broken as i8);
  let wrong = 0;
  positions = 0;
  for (let first = 0; first < count; first += 64) {
    const set = prepareRow(side, part, from + first);
    positions += popcnt(set) as i32;
    const sets = i64x2.splat(set as i64);
    let right: u64 = 0;
    let still: u64 = 0;
    for (let i = 0; i < 4; i++) {
      const at = (first + (i << 4)) as usize;
      const found = v128.bitselect(v128.load(best + at), none, bytesOf(sets, quarterOf(i)));
      right |= quarterSet(i8x16.eq(found, v128.load(expected + at)), i);
      still |= quarterSet(i8x16.eq(found, zero), i);
    }
    if (still) right |= rightWithoutMoves(still, expected + (first as usize), drawn, mated);
    if (numbering !== NO_NUMBERS)
      right &= rightNumbers(
        set,
        still,
        expected + (first as usize),
        unsolved,
        counted + (first as usize),
        numbers + (first as usize),
      );
    wrong += popcnt(~right) as i32;
  }
  return wrong;
}

/** The positions of a row whose numbers are right, and keys without one, whose number is 0. */
function rightNumbers(
  set: u64,
  still: u64,
  expected: usize,
  unsolved: i32,
  counted: usize,
  numbers: usize,
): u64 {
  const sets = i64x2.splat(set as i64);
  const ended = i64x2.splat(still as i64);
  const none = i8x16.splat(unsolved as i8);
  let right: u64 = 0;
  for (let i = 0; i < 4; i++) {
    const at = (i << 4) as usize;
    const quarter = quarterOf(i);
    const found = v128.bitselect(i8x16.splat(1), v128.load(counted + at), bytesOf(ended, quarter));
    const solved = v128.andnot(
      v128.and(found, bytesOf(sets, quarter)),
      i8x16.eq(v128.load(expected + at), none),
    );
    right |= quarterSet(i8x16.eq(solved, v128.load(numbers + at)), i);
  }
  return right;
}

/** The squares of a quarter whose bytes have their highest bit. */
function quarterSet(bytes: v128, quarter: i32): u64 {
  return ((i8x16.bitmask(bytes) & 0xffff) as u64) << ((quarter << 4) as u64);
}

/** The positions of the prepared row, of these without moves, that expect what they are: stalemates or mates. */
function rightWithoutMoves(still: u64, expected: usize, drawn: i32, mated: i32): u64 {
  findEnemies();
  const checked = findChecked();
  let right: u64 = 0;
  for (let rest = still; rest; rest &= rest - 1) {
    const square = ctz(rest);
    const is = checked & (rest & (0 - rest)) ? mated : drawn;
    if ((load<u8>(expected + (square as usize)) as i32) === is) right |= rest & (0 - rest);
  }
  return right;
}
