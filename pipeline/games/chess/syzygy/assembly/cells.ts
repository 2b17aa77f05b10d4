/** Blocks of a subtable, made of the rows of a bucket: raw values, and cells that become symbols. */
import { drain } from './host';
import { HISTOGRAM, putWord, RANK, word } from './tables';

/** A raw value: whether there is one, flags (QUIET: a quiet move counts; 0x800: a capture does), and value + 1024. */
const QUIET = 0x1000;
/** In place of a value: a row says QUIET of an index whose value another row says. */
export const SAYS_QUIET = 0x7ff;

/** Adds what rows say to raw values (u16), and `there` to those that they say a value of. */
export function gatherRaw(rows: usize, count: i32, raw: usize, there: i32): void {
  for (let i = 0; i < count; i++) {
    const row = load<u32>(rows + (i << 2));
    const says = row & 4095;
    const at = raw + ((row >> 12) << 1);
    const adds = says === SAYS_QUIET ? QUIET : there | says;
    store<u16>(at, (load<u16>(at) as u32) | adds);
  }
}

export function countRaw(raw: usize, count: i32): void {
  for (let i = 0; i < count; i++) {
    const is = load<u16>(raw + (i << 1)) as i32;
    putWord(HISTOGRAM, is, word(HISTOGRAM, is) + 1);
  }
}

export function gatherCells(rows: usize, count: i32, cells: usize): void {
  for (let i = 0; i < count; i++) {
    const row = load<u32>(rows + (i << 2));
    store<u16>(cells + ((row >> 12) << 1), (row & 4095) as u16);
  }
}

/** Cells from this one on are ANY_UP_TO + the greatest symbol that may stand there. */
export const ANY_UP_TO: i32 = 0x800;

/** No symbol is as great. */
const NO_SYMBOL: i32 = 0xffff;

let out: usize = 0;
let room: i32 = 0;
let written: i32 = 0;
let before: i32 = NO_SYMBOL;
let runs: i32 = 0;
/** Cells of the stretch that waits, and the greatest symbol that all of them may hold. */
let open: u64 = 0;
let most: i32 = NO_SYMBOL;

/** Begins to settle cells, into symbols (u16) at this address, so many of them at a time. */
export function beginSettling(address: usize, symbols: i32): void {
  out = address;
  room = symbols;
  written = runs = 0;
  open = 0;
  before = most = NO_SYMBOL;
}

function emit(symbol: i32): void {
  if (symbol !== before) runs++;
  before = symbol;
  if (written === room) {
    drain(written);
    written = 0;
  }
  store<u16>(out + (written++ << 1), symbol as u16);
}

/** By symbol, its place in the order of frequency. */
function rank(symbol: i32): i32 {
  return load<u16>(RANK + (symbol << 1)) as i32;
}

/** The most frequent of the symbols 0 .. `greatest`. */
function usual(greatest: i32): i32 {
  let best = 0;
  for (let symbol = 1; symbol <= greatest; symbol++) if (rank(symbol) < rank(best)) best = symbol;
  return best;
}

/** Ends the stretch that waits, before this symbol. */
function fill(after: i32): void {
  const fitsBefore = before <= most;
  const fitsAfter = after <= most;
  let symbol = fitsBefore ? before : after;
  if (fitsBefore && fitsAfter && rank(after) < rank(before)) symbol = after;
  if (!fitsBefore && !fitsAfter) symbol = usual(most);
  emit(symbol);
  open--;
  while (open > 0) {
    if (written === room) {
      drain(written);
      written = 0;
    }
    const end = written + (min(open, (room - written) as u64) as i32);
    open -= (end - written) as u64;
    for (; written < end; written++) store<u16>(out + (written << 1), symbol as u16);
  }
  most = NO_SYMBOL;
}

/** Replaces cells by symbols (see cells.ts of the folder above). */
export function settle(cells: usize, count: i32): void {
  const end = cells + (count << 1);
  for (let at = cells; at < end; at += 2) {
    const cell = load<u16>(at) as i32;
    if (cell >= ANY_UP_TO) {
      most = min(most, cell - ANY_UP_TO);
      open++;
      // Most cells are open: four alike are passed over at a time.
      const alike = (cell as u64) * 0x0001000100010001;
      for (; at + 8 < end && load<u64>(at + 2) === alike; at += 8) open += 4;
    } else {
      if (open > 0) fill(cell);
      emit(cell);
    }
  }
}

/** Ends the last stretch. Returns how many runs of equal symbols there are. */
export function endSettling(): i32 {
  if (open > 0) fill(NO_SYMBOL);
  if (written > 0) drain(written);
  return runs;
}
