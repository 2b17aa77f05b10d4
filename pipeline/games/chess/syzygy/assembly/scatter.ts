/**
 * Rows on their way to the blocks of a subtable: each goes to the page of the bucket that its index is in. A row is a word,
 * the index in the bucket times 4096 plus what it says.
 */
import { SAYS_QUIET } from './cells';
import { recall, spill } from './host';
import {
  BOARD,
  beginRow,
  decode,
  encode,
  encodeInRow,
  file,
  IMAGE,
  indexAt,
  isMirrored,
  leadingFile,
  reflect,
  runMan,
  runSquares,
  unrank,
} from './numbers';
import {
  CELL_OF,
  FIRST_BUCKET,
  HELD,
  INDICES,
  OUTCOME,
  putWord,
  SLICE_BLACK,
  SLICE_COUNT,
  SLICE_LOWEST,
  SLICE_MAN,
  SLICE_STRIDE,
  SLICE_WHITE,
  TAKEN,
  word,
} from './tables';

let pages: usize = 0;
let pageRows: i32 = 0;
let bucketBits: i32 = 0;

/** Pages of so many rows from this address on, for buckets of so many indices, 2 to a power. */
export function setPages(address: usize, rows: i32, bits: i32): void {
  pages = address;
  pageRows = rows;
  bucketBits = bits;
}

/** Puts a row to the bucket of an index, whose number it returns. */
function put(index: i64, says: i32): i32 {
  const bucket = word(FIRST_BUCKET, file) + ((index >> bucketBits) as i32);
  let held = word(HELD, bucket);
  if (held === pageRows) {
    spill(bucket, held);
    held = 0;
  }
  const local = (index as i32) & ((1 << bucketBits) - 1);
  putWord(pages + (((bucket * pageRows) as usize) << 2), held, (local << 12) | says);
  putWord(HELD, bucket, held + 1);
  return bucket;
}

/** Puts what is said of BOARD where an index has it, and its mirror image if that has an index too. */
function place(index: usize, says: i32): void {
  const at = encode(index, BOARD);
  if (at < 0) return;
  const mirrored = isMirrored;
  put(at, says);
  if (!mirrored) return;
  reflect(BOARD);
  put(encode(index, IMAGE), says);
}

/** The same of the board of a row with its man on a square. */
function placeInRow(index: usize, man: i32, own: i32, says: i32): void {
  const at = encodeInRow(own);
  if (at < 0) return;
  const mirrored = isMirrored;
  put(at, says);
  if (!mirrored) return;
  store<u8>(BOARD + man, own as u8);
  reflect(BOARD);
  put(encode(index, IMAGE), says);
}

let digits: i32 = 0;
let placements: i32 = 0;
let rotation: i32 = 0;
/** The man whose square is the last digit. */
let lastMan: i32 = 0;

/** The slice has so many digits and placements of its men; squares are turned by XOR. */
export function setSlice(count: i32, all: i32, rotate: i32): void {
  digits = count;
  placements = all;
  rotation = rotate;
  let men = 0;
  for (let g = 0; g < count; g++) men += word(SLICE_COUNT, g);
  lastMan = word(SLICE_MAN, men - 1);
}

const MEN: usize = memory.data(8, 16);

/** Writes the squares of a placement of the slice into BOARD. */
function placeMen(pair: i32, placement: i32): void {
  store<u8>(BOARD, word(SLICE_WHITE, pair) as u8);
  store<u8>(BOARD + 1, word(SLICE_BLACK, pair) as u8);
  let rest = placement as u32;
  let man = 0;
  for (let g = 0; g < digits; g++) {
    const stride = word(SLICE_STRIDE, g) as u32;
    const digit = rest / stride;
    rest -= digit * stride;
    const count = word(SLICE_COUNT, g);
    unrank(digit as i32, count, MEN, word(SLICE_LOWEST, g));
    for (let i = 0; i < count; i++, man++) {
      store<u8>(BOARD + word(SLICE_MAN, man), load<u8>(MEN + i) ^ (rotation as u8));
    }
  }
}

/** Whether a value was shown that a row has no room for. */
export let isBeyond: bool = false;

/** Says value + 1024 of BOARD. */
export function placeBoard(value: i32): void {
  place(indexAt(0), value + 1024);
}

/**
 * Values of `count` (i16) from a placement on; pairs of kings from `pair` on. Says value + 1024 of each but `broken`, and 2048 more where
 * `captures` (u8: 1 + the outcome of the best capture, 0 without one) has the outcome of the value.
 */
export function placeValues(
  pair: i32,
  placement: i32,
  values: usize,
  captures: usize,
  count: i32,
  broken: i32,
): void {
  const index = indexAt(0);
  let kings = pair;
  let at = placement;
  for (let i = 0; i < count; ) {
    const end = min(count, i + 64 - (at & 63));
    let isBegun = false;
    for (; i < end; i++, at++) {
      const value = load<i16>(values + (i << 1)) as i32;
      if (value === broken) continue;
      if (value < -1024 || value + 1024 >= SAYS_QUIET) isBeyond = true;
      if (!isBegun) {
        placeMen(kings, at);
        beginRow(index, lastMan);
        isBegun = true;
      }
      const outcome = load<u8>(OUTCOME + (((value + 1024) & 0x7ff) as usize));
      const says = (value + 1024) | (((load<u8>(captures + i) === outcome) as i32) << 11);
      placeInRow(index, lastMan, (at & 63) ^ rotation, says);
    }
    if (at === placements) {
      at = 0;
      kings++;
    }
  }
}

/** Says that a quiet move counts, of each of `count` keys (u32) of a part whose first pair of kings is this. */
export function placeQuiet(pair: i32, keys: usize, count: i32): void {
  const index = indexAt(0);
  for (let i = 0; i < count; i++) {
    const key = load<u32>(keys + (i << 2));
    const inPart = key / (placements as u32);
    placeMen(pair + (inPart as i32), (key - inPart * (placements as u32)) as i32);
    place(index, SAYS_QUIET);
  }
}

/** Raw values (u16) of the first index from `from` on, of a file: says their cells by the second index, but for `usual`. */
export function placeCells(pawnFile: i32, from: u64, raw: usize, count: i32, usual: i32): void {
  const source = indexAt(0);
  const target = indexAt(1);
  let squares: u64 = 0;
  for (let i = 0; i < count; i++) {
    squares &= squares - 1;
    const cell = load<u16>(CELL_OF + ((load<u16>(raw + (i << 1)) as usize) << 1)) as i32;
    if (cell === usual) continue;
    if (squares === 0) {
      decode(source, pawnFile, from + (i as u64));
      squares = runSquares;
      if (squares !== 0) beginRow(target, runMan);
    }
    if (squares === 0) place(target, cell);
    else placeInRow(target, runMan, ctz(squares) as i32, cell);
  }
}

/** For `count` indices of the second index from `from` on: the indices (i64) of the first, or -1. */
export function translate(pawnFile: i32, from: u64, count: i32, into: usize): void {
  const source = indexAt(1);
  const target = indexAt(0);
  let squares: u64 = 0;
  for (let i = 0; i < count; i++) {
    squares &= squares - 1;
    if (squares === 0) {
      decode(source, pawnFile, from + (i as u64));
      squares = runSquares;
      if (squares !== 0) beginRow(target, runMan);
    }
    const at = squares === 0 ? encode(target, BOARD) : encodeInRow(ctz(squares) as i32);
    store<i64>(into + (i << 3), at);
  }
}

// What is written in place of a bucket: nothing is wanted, or only whether the file has it. Else the bucket; the next cell is that of the
// same board's mirror image if MIRRORED is added.
const UNWANTED: i32 = 0x7fff;
const UNASKED: i32 = 0x7ffe;
const MIRRORED: i32 = 0x8000;
/** As in slice-cells.ts: there is no cell, or it was not asked for; two cells differ. */
const NO_CELL: u16 = 0x4000;
const UNKNOWN_CELL: u16 = 0x4001;
const TWO_CELLS: u16 = 0x8000;

/**
 * Asks for the cells of `count` positions from a placement on, as far as `wanted` (u8) says (0 no, 1 the cell, 2 only whether there is
 * one) and the leading pawn stands on one of `files` (bits): puts rows that say nothing. The index of each file is that of its number.
 * Writes the bucket of each cell (u16) to `into`, and returns how many there are: a board whose mirror image has a cell of its own has two.
 */
export function askCells(pair: i32, placement: i32, wanted: usize, count: i32, files: i32, into: usize): i32 {
  let kings = pair;
  let at = placement;
  let to = into;
  const byFile = files !== ALL_FILES;
  for (let i = 0; i < count; ) {
    const end = min(count, i + 64 - (at & 63));
    let isBegun = false;
    let isThere = true;
    let index: usize = 0;
    for (; i < end; i++, at++) {
      const want = load<u8>(wanted + i);
      let bucket = want === 0 ? UNWANTED : UNASKED;
      if (!isBegun && (want === 1 || (want !== 0 && byFile))) {
        placeMen(kings, at);
        const pawnFile = leadingFile(INDICES, BOARD);
        isThere = ((files >> pawnFile) & 1) !== 0;
        index = indexAt(pawnFile);
        if (isThere) beginRow(index, lastMan);
        isBegun = true;
      }
      if (want !== 0 && !isThere) bucket = UNWANTED;
      else if (want === 1) {
        const own = (at & 63) ^ rotation;
        bucket = put(encodeInRow(own), 0);
        if (isMirrored) {
          store<u16>(to, (bucket | MIRRORED) as u16);
          to += 2;
          store<u8>(BOARD + lastMan, own as u8);
          reflect(BOARD);
          bucket = put(encode(index, IMAGE), 0);
        }
      }
      store<u16>(to, bucket as u16);
      to += 2;
    }
    if (at === placements) {
      at = 0;
      kings++;
    }
  }
  return ((to - into) >> 1) as i32;
}

/** Files of the leading pawn, as bits. */
const ALL_FILES: i32 = 15;

/** The answer to the next row that was put to a bucket. */
function answerOf(bucket: i32): u16 {
  let taken = word(TAKEN, bucket);
  if (taken === word(HELD, bucket)) {
    recall(bucket);
    taken = 0;
  }
  putWord(TAKEN, bucket, taken + 1);
  return word(pages + (((bucket * pageRows) as usize) << 2), taken) as u16;
}

/** Writes `count` cells that were asked for, whose buckets these are. */
export function takeCells(buckets: usize, count: i32, into: usize): void {
  let from = buckets;
  for (let i = 0; i < count; i++) {
    const bucket = load<u16>(from) as i32;
    from += 2;
    let cell = NO_CELL;
    if (bucket === UNASKED) cell = UNKNOWN_CELL;
    else if (bucket >= MIRRORED) {
      const own = answerOf(bucket - MIRRORED);
      const image = answerOf(load<u16>(from) as i32);
      from += 2;
      cell = own === image ? own : max(own, image) | TWO_CELLS;
    } else if (bucket !== UNWANTED) cell = answerOf(bucket);
    store<u16>(into + (i << 1), cell);
  }
}
