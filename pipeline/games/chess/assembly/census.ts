/** The kernel `census` (pipeline/game/census.ts), by rows; the results are copied out by wasm-census.ts. */
import { checked, clearBytes, countRow, writeCaptures, writeMoves } from './census-counts';
import { captures, countKing, countMen, moves } from './census-position';
import {
  beginRows,
  canonicalSquares,
  legalSquares,
  lookAround,
  runnerFrom,
  runnerTo,
  standRow,
} from './census-row';
import { isChecked } from './legality';
import { begin, ready } from './row';
import { bit, MINOR, putWord } from './tables';

/** Most indices of a call; lost keys go to MINOR, which has room for all of them. */
export const MOST_INDICES: i32 = 8192;
/** Rows are written as 64 bytes that may begin before the first index and end after the last. */
const MARGIN: usize = 64;
const MOVES: usize = memory.data(8192 + 2 * 64, 16);
const CAPTURES: usize = memory.data(8192 + 2 * 64, 16);
/** u8, by index: moves, or DRAWN; captures. A bit an index: has moves. */
export const ALL_COUNTS: usize = MOVES + MARGIN;
export const ALL_CAPTURES: usize = CAPTURES + MARGIN;
export const OPEN: usize = memory.data(8192 / 8 + 16, 16);
/** i32: how many positions were lost, legal, drawn. */
export const FOUND: usize = memory.data(3 * 4, 16);

const DRAWN: u8 = 255;

/**
 * In rows of fewer legal positions, each is counted by itself. A man that stands and attacks the other king leaves at most
 * six, where the runner shields that king.
 */
const FEW = 7;

let lost: i32 = 0;
let drawn: i32 = 0;

/** Classifies the keys [first, first + count) of a part. `withCaptures`: whether these are asked for. */
export function census(side: i32, part: i32, first: i32, count: i32, withCaptures: bool): void {
  begin(part, side, 0);
  beginRows();
  beginCensus(count);
  let found = 0;
  const end = first + count;
  for (let key = first; key < end; ) {
    ready(key);
    const from = runnerFrom(key);
    const to = min(runnerTo(), from + end - key);
    const base = key - from;
    const legal = standRow() ? canonicalSquares(legalSquares(from, to), base) : 0;
    const at = (base - first) as usize;
    found += popcnt(legal) as i32;
    if (legal !== 0) lookAround();
    const open =
      (popcnt(legal) as i32) < FEW
        ? countEach(legal, base, at, withCaptures)
        : countAll(legal, base, at, withCaptures);
    putOpen(open >> (from as u64), key - first);
    key = base + to;
  }
  tellFound(found);
}

export function beginCensus(count: i32): void {
  lost = 0;
  drawn = 0;
  memory.fill(OPEN, 0, (((count + 63) >> 6) << 3) + 8);
}

export function tellFound(legal: i32): void {
  putWord(FOUND, 0, lost);
  putWord(FOUND, 1, legal);
  putWord(FOUND, 2, drawn);
}

/** Counts the legal positions of a row at once; returns those that have moves. */
function countAll(legal: u64, base: i32, at: usize, withCaptures: bool): u64 {
  countRow(legal, withCaptures);
  const none = writeMoves(ALL_COUNTS + at, legal);
  if (withCaptures) writeCaptures(ALL_CAPTURES + at, legal);
  for (let rest = none; rest; rest &= rest - 1) {
    const square = ctz(rest) as i32;
    endPosition(base + square, at + (square as usize), (checked & bit(square)) !== 0);
  }
  return legal ^ none;
}

/** As `countAll`, one by one. */
function countEach(legal: u64, base: i32, at: usize, withCaptures: bool): u64 {
  clearBytes(ALL_COUNTS + at);
  if (withCaptures) clearBytes(ALL_CAPTURES + at);
  let open = legal;
  for (let rest = legal; rest; rest &= rest - 1) {
    const square = ctz(rest) as i32;
    const to = at + (square as usize);
    countMen(square);
    countKing(square);
    store<u8>(ALL_COUNTS + to, moves as u8);
    if (withCaptures) store<u8>(ALL_CAPTURES + to, captures as u8);
    if (moves !== 0) continue;
    open ^= bit(square);
    endPosition(base + square, to, isChecked());
  }
  return open;
}

/** A position without moves. */
export function endPosition(key: i32, at: usize, isLost: bool): void {
  if (isLost) putWord(MINOR, lost++, key);
  else {
    store<u8>(ALL_COUNTS + at, DRAWN);
    drawn++;
  }
}

/** Adds the bits of a row from the `at`th on. */
export function putOpen(open: u64, at: i32): void {
  if (open === 0) return;
  const byte = OPEN + ((at >> 3) as usize);
  const shift = (at & 7) as u64;
  store<u64>(byte, load<u64>(byte) | (open << shift));
  if (shift !== 0) store<u64>(byte + 8, load<u64>(byte + 8) | (open >> (64 - shift)));
}
