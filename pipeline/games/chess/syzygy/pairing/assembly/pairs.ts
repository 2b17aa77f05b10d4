/** A pass of recursive pairing over a sequence that is read and written a buffer at a time (see pairing.ts above). */
import { putWord, word } from '../../../../assembly/words';
import { drain, refill } from './host';
import {
  BECOMES,
  CARRIES,
  IS_FIRST,
  IS_SECOND,
  LENGTH,
  MOST_REPLACED,
  REPLACED,
  REPLACEMENT,
} from './tables';

const NO_SYMBOL: u32 = 0xffff;
const NO_PAIR: u32 = 0xffffffff;
const LONGEST: u32 = 256;
const MOST_SYMBOLS = 4096;

let input: usize = 0;
let output: usize = 0;
let room: i32 = 0;
let written: i32 = 0;
let table: usize = 0;

/** Symbols (u16) come and go by these addresses, at most `symbols` at a time; counts (u16) of pairs are in `counts`. */
export function setPairing(from: usize, to: usize, symbols: i32, counts: usize): void {
  input = from;
  output = to;
  room = symbols;
  table = counts;
}

export let carries: i32 = 0;
let rowFrom: u32 = 0;
let rows: u32 = 0;
let shift: u32 = 0;
let previous: u32 = NO_SYMBOL;
let isEven: bool = false;

/** Counts the pair of the last symbol and this one; of a run of one symbol every other pair. */
function count(symbol: u32): void {
  const first = previous;
  previous = symbol;
  if (first === symbol) {
    isEven = !isEven;
    if (!isEven) return;
  } else isEven = false;
  const row = first - rowFrom;
  if (row >= rows) return;
  if ((load<u16>(LENGTH + (first << 1)) as u32) + (load<u16>(LENGTH + (symbol << 1)) as u32) > LONGEST)
    return;
  const at = table + (((row << shift) | symbol) << 1);
  const is = ((load<u16>(at) as u32) + 1) & 0xffff;
  store<u16>(at, is as u16);
  if (is === 0) {
    putWord(CARRIES, carries++, ((first << 12) | symbol) as i32);
  }
}

function begin(from: u32, many: u32, bits: u32): void {
  rowFrom = from;
  rows = many;
  shift = bits;
  carries = 0;
  previous = NO_SYMBOL;
  isEven = false;
  memory.fill(table, 0, ((many as usize) << bits) << 1);
}

/** Counts so many pairs of a symbol with itself, which a run of it has. */
function countRun(symbol: u32, pairs: u32): void {
  const row = symbol - rowFrom;
  if (row >= rows || (load<u16>(LENGTH + (symbol << 1)) as u32) > LONGEST / 2) return;
  const at = table + (((row << shift) | symbol) << 1);
  let is = (load<u16>(at) as u32) + pairs;
  for (; is > 0xffff; is -= 0x10000) putWord(CARRIES, carries++, ((symbol << 12) | symbol) as i32);
  store<u16>(at, is as u16);
}

/** The length of the run of a symbol in the input from `at` to `end`, rounded down to a multiple of eight: eight symbols are compared at once. */
function runAt(at: i32, end: i32, symbol: u32): i32 {
  const alike = i16x8.splat(symbol as i16);
  let next = at;
  while (next + 8 <= end && i16x8.all_true(i16x8.eq(v128.load(input + (next << 1)), alike))) next += 8;
  return next - at;
}

/** Counts pairs whose first symbol is one of `many` from `from` on; a row of the counts has 2^bits of them. */
export function countPairs(from: u32, many: u32, bits: u32): void {
  begin(from, many, bits);
  for (let n = refill(); n > 0; n = refill()) {
    for (let i = 0; i < n; ) {
      const symbol = load<u16>(input + (i << 1)) as u32;
      const run = symbol === previous ? runAt(i, n, symbol) : 0;
      if (run > 0) {
        countRun(symbol, run / 2);
        i += run;
      } else {
        count(symbol);
        i++;
      }
    }
  }
}

function slot(pair: u32): u32 {
  let at = ((pair * 0x9e3779b1) >>> 18) & (MOST_REPLACED - 1);
  while (true) {
    const is = word(REPLACED, at as i32) as u32;
    if (is === pair || is === NO_PAIR) return at;
    at = (at + 1) & (MOST_REPLACED - 1);
  }
}

export function clearReplacements(): void {
  memory.fill(REPLACED, 0xff, MOST_REPLACED << 2);
  for (let symbol = 0; symbol < MOST_SYMBOLS; symbol++) store<u16>(BECOMES + (symbol << 1), symbol as u16);
}

export function addReplacement(first: u32, second: u32, symbol: u32): void {
  const pair = (first << 12) | second;
  const at = slot(pair) as i32;
  putWord(REPLACED, at, pair as i32);
  putWord(REPLACEMENT, at, symbol as i32);
  if (first === second) store<u16>(BECOMES + (first << 1), symbol as u16);
}

function emit(symbol: u32): void {
  count(symbol);
  if (written === room) {
    drain(written);
    written = 0;
  }
  store<u16>(output + (written++ << 1), symbol as u16);
}

/** Replaces pairs, from the left, and counts those of the sequence that comes of it, as `countPairs`. */
export function replacePairs(from: u32, many: u32, bits: u32): void {
  begin(from, many, bits);
  written = 0;
  let waiting: u32 = NO_SYMBOL;
  // As `emit` and `count`, in place: this is where most of the time goes.
  let last: u32 = NO_SYMBOL;
  let even = false;
  let length = 0;
  const symbols = output;
  const counts = table;
  for (let n = refill(); n > 0; n = refill()) {
    for (let i = 0; i < n; i++) {
      const symbol = load<u16>(input + (i << 1)) as u32;
      let before = waiting;
      waiting = symbol;
      if (before === NO_SYMBOL) continue;
      if (before === symbol && last === (load<u16>(BECOMES + (symbol << 1)) as u32)) {
        // In the middle of a run, one of its symbols waits, as many as are looked at go out as they are or in pairs, and one waits.
        const run = runAt(i, min(n, i + room - length), symbol);
        if (run > 0) {
          const out = last === symbol ? run : run / 2;
          const alike = i16x8.splat(last as i16);
          for (let done = 0; done < out; done += 8) v128.store(symbols + ((length + done) << 1), alike);
          countRun(last, out / 2);
          length += out;
          i += run - 1;
          continue;
        }
      }
      if ((load<u8>(IS_FIRST + before) & load<u8>(IS_SECOND + symbol)) !== 0) {
        const at = slot((before << 12) | symbol);
        if ((word(REPLACED, at as i32) as u32) !== NO_PAIR) {
          before = word(REPLACEMENT, at as i32) as u32;
          waiting = NO_SYMBOL;
        }
      }
      even = last === before && !even;
      if ((last !== before || even) && last - from < many) {
        const long = (load<u16>(LENGTH + (last << 1)) as u32) + (load<u16>(LENGTH + (before << 1)) as u32);
        if (long <= LONGEST) {
          const at = counts + ((((last - from) << bits) | before) << 1);
          const is = (load<u16>(at) as u32) + 1;
          store<u16>(at, is as u16);
          if (is > 0xffff) putWord(CARRIES, carries++, ((last << 12) | before) as i32);
        }
      }
      last = before;
      if (length === room) {
        drain(length);
        length = 0;
      }
      store<u16>(symbols + (length++ << 1), before as u16);
    }
  }
  previous = last;
  isEven = even;
  written = length;
  if (waiting !== NO_SYMBOL) emit(waiting);
  if (written > 0) drain(written);
}

/** The greatest of the counts, without their carries. */
export function greatestCount(): u32 {
  const end = table + (((rows as usize) << shift) << 1);
  let most: u32 = 0;
  let at = table;
  if (end - table >= 64) {
    let best = i16x8.splat(0);
    for (; at < end; at += 16) best = i16x8.max_u(best, v128.load(at));
    const lanes: usize = LANES;
    v128.store(lanes, best);
    for (let i = 0; i < 8; i++) most = max(most, load<u16>(lanes + (i << 1)) as u32);
    return most;
  }
  for (; at < end; at += 2) most = max(most, load<u16>(at) as u32);
  return most;
}
const LANES: usize = memory.data(16, 16);

let next: usize = 0;

/**
 * Writes pairs (u32: first * 4096 + second) with at least this count, and their counts, from the beginning or from where
 * the last call ended. Returns how many; as many as there is room if there are more.
 */
export function pairsFrom(leastCount: u32, into: usize, most: i32, isFirst: bool): i32 {
  const all: usize = (rows as usize) << shift;
  const least = i16x8.splat((leastCount - 1) as i16);
  if (isFirst) next = 0;
  let found = 0;
  for (; next < all && found < most; next++) {
    // Most counts are small: eight are passed over at a time.
    while ((next & 7) === 0 && next + 8 <= all) {
      if (v128.any_true(i16x8.gt_u(v128.load(table + (next << 1)), least))) break;
      next += 8;
    }
    if (next >= all) break;
    const is = load<u16>(table + (next << 1)) as u32;
    if (is < leastCount) continue;
    const first = ((next >> shift) as u32) + rowFrom;
    const second = (next as u32) & ((1 << shift) - 1);
    putWord(into, 2 * found, ((first << 12) | second) as i32);
    putWord(into, 2 * found + 1, is as i32);
    found++;
  }
  return found;
}
