/**
 * The labels of a part, changed by sets (pipeline/game/rows.ts). They lie behind the tables in the linear memory, where
 * the caller has put them. Labelled positions are marked in a bitmap, and read off it in order.
 */
import {
  addDigits,
  addTo,
  clearDigits,
  digit,
  firstKeyIn,
  MOST_DIGIT_SETS,
  NO_NUMBERS,
  numbering,
  putNumbers,
  SUM,
} from './numbers';
import {
  bit,
  KEYS,
  LOW,
  MINOR,
  MOST_ROWS,
  putSet,
  putSquares,
  putWord,
  ROWS,
  setIn,
  squaresAt,
  word,
} from './tables';

/** Whether labels are counts, where zero is a loss; else they are bits, and a cleared one is a win. */
export let losing: bool = false;
let labels: usize = 0;
/** Planes of bits of counts: words of a row. */
let planes: usize = 0;
/** u64, by binary digit: what `countDownBy` takes off. */
const TAKEN: usize = memory.data(8 * 8, 16);
/** A bit a position of the part: labelled, and not handed out yet. */
let marks: usize = 0;
/** The first and the last row that may have marks. */
let lowest: i32 = i32.MAX_VALUE;
let highest: i32 = -1;
/** u64, of each row of the part: its numbers by binary digit (numbers.ts), which are zero outside of a round. */
let counters: usize = 0;
/** The first and the last row whose numbers may not be zero. */
let lowestCounted: i32 = i32.MAX_VALUE;
let highestCounted: i32 = -1;

/** Where the memory begins that no table takes. */
export function heapBase(): usize {
  return __heap_base;
}

/** Puts the marks, which are all zero, to an address. */
export function placeMarks(at: usize): void {
  marks = at;
  lowest = i32.MAX_VALUE;
  highest = -1;
}

/** Puts the numbers, which are all zero, to an address: 64 bytes a row. */
export function placeCounters(at: usize): void {
  counters = at;
  lowestCounted = i32.MAX_VALUE;
  highestCounted = -1;
}

function countersOf(first: i32): usize {
  const row = first >> 6;
  if (row < lowestCounted) lowestCounted = row;
  if (row > highestCounted) highestCounted = row;
  return counters + (first as usize);
}

/** Positions that were struck, but not labelled, have numbers as well. */
function clearCounters(): void {
  if (highestCounted < 0) return;
  memory.fill(
    counters + ((lowestCounted as usize) << 6),
    0,
    ((highestCounted - lowestCounted + 1) as usize) << 6,
  );
  lowestCounted = i32.MAX_VALUE;
  highestCounted = -1;
}

/** Turns to bits, if there are no planes, or to counts in so many. */
export function label(countPlanes: i32, at: usize): void {
  clearCounters();
  losing = countPlanes > 0;
  planes = countPlanes as usize;
  labels = at;
}

/** Writes the counts of some rows, bytes at MINOR, as planes to LOW. */
export function packCounts(countPlanes: i32, rows: i32): void {
  let word = 0;
  for (let row = 0; row < rows; row++) {
    for (let plane = 0; plane < countPlanes; plane++) {
      const counts = MINOR + ((row as usize) << 6);
      let bits = bitsOf(counts, plane) | (bitsOf(counts + 16, plane) << 16);
      bits |= (bitsOf(counts + 32, plane) << 32) | (bitsOf(counts + 48, plane) << 48);
      putSquares(LOW, word++, bits);
    }
  }
}

/** A bit of each of 16 bytes. */
function bitsOf(bytes: usize, bit: i32): u64 {
  return i8x16.bitmask(i8x16.shl(v128.load(bytes), 7 - bit)) as u64;
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

/** Sets struck by `strikeSome` since the last reset. */
export let struck: i32 = 0;

export function resetStruck(): void {
  struck = 0;
}

export function countStruck(): void {
  struck++;
}

/** Strikes a set if it is not empty. */
export function strikeSome(first: i32, set: u64): void {
  if (set === 0) return;
  struck++;
  strike(first, set);
}

function win(first: i32, set: u64): void {
  const at = labels + ((first as usize) >> 3);
  const open = load<u64>(at);
  const won = open & set;
  if (won === 0) return;
  mark(first >> 6, won);
  // Requests of the same round add up. So positions stay open until they are handed out.
  if (numbering === NO_NUMBERS) store<u64>(at, open ^ won);
  else addTo(countersOf(first), won, digit);
}

/** Strikes a set of a row, as often as `digits` say. Where counts go down, each position comes once. */
export function strikeNumbered(first: i32, set: u64, digits: usize): void {
  if (set === 0) return;
  struck++;
  if (losing) {
    countDown(first, set);
    return;
  }
  const open = load<u64>(labels + ((first as usize) >> 3)) & set;
  if (open === 0) return;
  mark(first >> 6, open);
  addDigits(countersOf(first), digits, open);
}

/**
 * Takes one off the counts of a set: a subtraction in all positions at once, as bits are borrowed from plane to plane. Broken
 * positions have no count to take from; a stalemate has no move, so nothing strikes it.
 */
function countDown(first: i32, set: u64): void {
  const at = labels + ((first as usize) >> 3) * planes;
  const low = load<u64>(at);
  let high: u64 = 0;
  for (let plane: usize = 1; plane < planes; plane++) high |= load<u64>(at + (plane << 3));
  let borrowed = set & (low | high);
  if (numbering !== NO_NUMBERS && borrowed !== 0) addTo(countersOf(first), borrowed, 0);
  const lost = borrowed & ~high;
  const end = at + (planes << 3);
  for (let plane = at; plane !== end; plane += 8) {
    const bits = load<u64>(plane) ^ borrowed;
    store<u64>(plane, bits);
    borrowed &= bits;
  }
  if (lost !== 0) mark(first >> 6, lost);
}

/**
 * Takes numbers below 32, given by their binary digits, off the counts of a row: as `countDown` by each of their units.
 */
export function countDownBy(first: i32, ones: u64, twos: u64, fours: u64, eights: u64, sixteens: u64): void {
  const at = labels + ((first as usize) >> 3) * planes;
  let counted: u64 = 0;
  for (let plane: usize = 0; plane < planes; plane++) counted |= load<u64>(at + (plane << 3));
  counted &= ones | twos | fours | eights | sixteens;
  if (counted === 0) return;
  if (numbering !== NO_NUMBERS) {
    clearDigits(SUM);
    putSquares(SUM, 0, ones);
    putSquares(SUM, 1, twos);
    putSquares(SUM, 2, fours);
    putSquares(SUM, 3, eights);
    putSquares(SUM, 4, sixteens);
    addDigits(countersOf(first), SUM, counted);
  }
  putSquares(TAKEN, 0, ones);
  putSquares(TAKEN, 1, twos);
  putSquares(TAKEN, 2, fours);
  putSquares(TAKEN, 3, eights);
  putSquares(TAKEN, 4, sixteens);
  let borrowed: u64 = 0;
  let left: u64 = 0;
  for (let plane = 0; plane < (planes as i32); plane++) {
    const bits = squaresAt(at, plane);
    const taken = counted & squaresAt(TAKEN, plane);
    const after = bits ^ taken ^ borrowed;
    borrowed = (~bits & (taken | borrowed)) | (taken & borrowed);
    putSquares(at, plane, after);
    left |= after;
  }
  const lost = counted & ~left;
  if (lost !== 0) mark(first >> 6, lost);
}

/** Strikes the sets that came in, [0, count). */
export function strikeRows(count: i32): void {
  for (let i = 0; i < count; i++) {
    const first = firstKeyIn(i);
    strike(first, setIn(i));
  }
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
  const most = numbering === NO_NUMBERS ? MOST_ROWS : MOST_ROWS - MOST_DIGIT_SETS;
  for (; lowest <= highest && n < most; lowest++) {
    const at = marks + ((lowest as usize) << 3);
    const set = load<u64>(at);
    if (set === 0) continue;
    store<u64>(at, 0);
    if (numbering === NO_NUMBERS) putSet(n++, lowest, set);
    else n = drainNumbers(n, lowest, set);
    positions += popcnt(set) as i64;
  }
  if (lowest > highest) {
    lowest = i32.MAX_VALUE;
    highest = -1;
    clearCounters();
  }
  putWord(ROWS, 0, n);
  return positions as i32;
}

function drainNumbers(n: i32, row: i32, set: u64): i32 {
  if (!losing) {
    const at = labels + ((row as usize) << 3);
    store<u64>(at, load<u64>(at) ^ set);
  }
  return putNumbers(n, row, set, counters + ((row as usize) << 6));
}
