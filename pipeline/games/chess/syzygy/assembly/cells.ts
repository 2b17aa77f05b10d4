/** Blocks of a subtable, made of the rows of a bucket: raw values, and cells that become symbols. */
import { drain } from './host';
import { HISTOGRAM, putWord, word } from './tables';

/** A raw value: whether there is one, flags, and value + 1024. */
const THERE = 0x2000;

/** Adds what rows say to raw values (u16). */
export function gatherRaw(rows: usize, count: i32, raw: usize): void {
  for (let i = 0; i < count; i++) {
    const row = load<u32>(rows + (i << 2));
    const says = row & 4095;
    const at = raw + ((row >> 12) << 1);
    const adds = says < 2048 ? THERE | says : (says & 3) << 11;
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

let out: usize = 0;
let room: i32 = 0;
let written: i32 = 0;
let least: i32 = 0;
let most: i32 = 0;
let before: i32 = 0;
let runs: i32 = 0;
let open: u64 = 0;

/** Begins to settle cells, into symbols (u16) at this address, so many of them at a time. */
export function beginSettling(address: usize, symbols: i32): void {
  out = address;
  room = symbols;
  written = least = before = runs = 0;
  most = 0xffff;
  open = 0;
}

function closeRun(): void {
  // Several fit where none must stand: that of the run before, if it does.
  const symbol = least <= before && before <= most ? before : least > 0 ? least : most;
  if (symbol !== before || runs === 0) runs++;
  before = symbol;
  for (; open > 0; open--) {
    if (written === room) {
      drain(written);
      written = 0;
    }
    store<u16>(out + (written++ << 1), symbol as u16);
  }
}

/** Replaces cells by symbols so that there are as few runs of equal ones as can be (see cells.ts of the folder above). */
export function settle(cells: usize, count: i32): void {
  for (let i = 0; i < count; i++, open++) {
    const cell = load<u16>(cells + (i << 1)) as i32;
    const low = cell < ANY_UP_TO ? cell : 0;
    const high = cell < ANY_UP_TO ? cell : cell - ANY_UP_TO;
    if (low > most || high < least) {
      closeRun();
      least = low;
      most = high;
    } else {
      if (low > least) least = low;
      if (high < most) most = high;
    }
  }
}

/** Ends the last run. Returns how many runs there are. */
export function endSettling(): i32 {
  if (open > 0) closeRun();
  if (written > 0) drain(written);
  return runs;
}
