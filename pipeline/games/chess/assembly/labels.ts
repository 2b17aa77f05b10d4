/**
 * The labels of a part, changed by sets (pipeline/contract/row-kernels.ts). They lie behind the tables in the linear memory, where
 * the caller has put them. What was labelled is marked in a bitmap, and read off it in order.
 */
import { bit, KEYS, MOST_ROWS, putSet, putWord, ROWS, setIn, word } from './tables';

/** Fewer positions than this are counted down one by one. */
const FEW = 4;

/** Whether labels are counts, of which zero is a loss; else bits, and a cleared one is a win. */
export let losing: bool = false;
let labels: usize = 0;
/** A bit a position of the part: labelled, and not handed out yet. */
let marks: usize = 0;
/** The first and the last row that may have marks. */
let lowest: i32 = i32.MAX_VALUE;
let highest: i32 = -1;

/** Where the memory begins that no table takes. */
export function heapBase(): usize {
  return __heap_base;
}

export function placeMarks(at: usize): void {
  marks = at;
}

export function label(isLosing: bool, at: usize): void {
  losing = isLosing;
  labels = at;
}

export function hasMarks(): bool {
  return highest >= 0;
}

function mark(row: i32, set: u64): void {
  const at = marks + ((row as usize) << 3);
  store<u64>(at, load<u64>(at) | set);
  if (row < lowest) lowest = row;
  if (row > highest) highest = row;
}

/** Strikes a set of the row whose first key is given. */
export function strike(first: i32, set: u64): void {
  if (losing) countDown(first, set);
  else win(first, set);
}

function win(first: i32, set: u64): void {
  const at = labels + ((first as usize) >> 3);
  const open = load<u64>(at);
  const won = open & set;
  if (won === 0) return;
  store<u64>(at, open ^ won);
  mark(first >> 6, won);
}

/** Broken positions have no count to take from; a stalemate has no move, so nothing strikes it. */
function countDown(first: i32, set: u64): void {
  const at = labels + (first as usize);
  let lost: u64 = 0;
  if ((popcnt(set) as i32) <= FEW) {
    for (; set; set &= set - 1) {
      const key = ctz(set);
      const count = load<u8>(at + (key as usize));
      store<u8>(at + (key as usize), count - ((count !== 0) as u8));
      lost |= ((count === 1) as u64) << key;
    }
  } else {
    const sets = i64x2.splat(set as i64);
    lost = countDownQuarter(at, sets, i8x16(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1));
    lost |= countDownQuarter(at + 16, sets, i8x16(2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3)) << 16;
    lost |= countDownQuarter(at + 32, sets, i8x16(4, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5, 5, 5, 5, 5)) << 32;
    lost |= countDownQuarter(at + 48, sets, i8x16(6, 6, 6, 6, 6, 6, 6, 6, 7, 7, 7, 7, 7, 7, 7, 7)) << 48;
  }
  if (lost !== 0) mark(first >> 6, lost);
}

/** Takes one off the counts of 16 positions that are in the set; `bytes` picks the two bytes of the set that say so. */
function countDownQuarter(at: usize, sets: v128, bytes: v128): u64 {
  const bits = i8x16(1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128);
  const struck = i8x16.eq(v128.and(i8x16.swizzle(sets, bytes), bits), bits);
  const ones = i8x16.splat(1);
  const counts = v128.load(at);
  v128.store(at, i8x16.sub_sat_u(counts, v128.and(struck, ones)));
  return i8x16.bitmask(v128.and(struck, i8x16.eq(counts, ones))) as u64;
}

/** Strikes the sets that came in, [0, count). */
export function strikeRows(count: i32): void {
  for (let i = 0; i < count; i++) strike(word(KEYS, i) << 6, setIn(i));
}

/** Strikes the positions KEYS [0, count), each by itself. */
export function strikeKeys(count: i32): void {
  for (let i = 0; i < count; i++) {
    const key = word(KEYS, i);
    strike(key & ~63, bit(key & 63));
  }
}

/** Moves marks to the sets that go out, ascending, and says in ROWS how many sets; returns how many positions. */
export function drain(): i32 {
  let n = 0;
  let positions: i64 = 0;
  for (; lowest <= highest && n < MOST_ROWS; lowest++) {
    const at = marks + ((lowest as usize) << 3);
    const set = load<u64>(at);
    if (set === 0) continue;
    store<u64>(at, 0);
    putSet(n++, lowest, set);
    positions += popcnt(set) as i64;
  }
  if (lowest > highest) {
    lowest = i32.MAX_VALUE;
    highest = -1;
  }
  putWord(ROWS, 0, n);
  return positions as i32;
}
