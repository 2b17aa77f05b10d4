/**
 * Rows on their way to the blocks of a subtable: each goes to the page of the bucket that its index is in. A row is a word,
 * the index in the bucket times 4096 plus what it says.
 */
import { spill } from './host';
import { BOARD, decode, encode, file, IMAGE, indexAt, isMirrored, reflect, unrank } from './numbers';
import {
  CELL_OF,
  FIRST_BUCKET,
  HELD,
  putWord,
  SLICE_BLACK,
  SLICE_COUNT,
  SLICE_LOWEST,
  SLICE_MAN,
  SLICE_STRIDE,
  SLICE_WHITE,
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

function put(index: i64, says: i32): void {
  putIn(word(FIRST_BUCKET, file), index, says);
}

/** Puts a row to the buckets of a subtable, from `first` on. */
export function putIn(first: i32, index: i64, says: i32): void {
  const bucket = first + ((index >> bucketBits) as i32);
  let held = word(HELD, bucket);
  if (held === pageRows) {
    spill(bucket, held);
    held = 0;
  }
  const local = (index as i32) & ((1 << bucketBits) - 1);
  putWord(pages + (((bucket * pageRows) as usize) << 2), held, (local << 12) | says);
  putWord(HELD, bucket, held + 1);
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

let groups: i32 = 0;
let placements: i32 = 0;
let rotation: i32 = 0;

/** The slice has so many groups and placements of them; squares are turned by XOR. */
export function setSlice(count: i32, all: i32, rotate: i32): void {
  groups = count;
  placements = all;
  rotation = rotate;
}

const MEN: usize = memory.data(8, 16);

/** Writes the squares of a placement of the slice into BOARD. */
function placeMen(pair: i32, placement: i32): void {
  store<u8>(BOARD, word(SLICE_WHITE, pair) as u8);
  store<u8>(BOARD + 1, word(SLICE_BLACK, pair) as u8);
  let rest = placement as u32;
  let man = 0;
  for (let g = 0; g < groups; g++) {
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
 * Values of `count` (i16) from a placement on; pairs of kings from `pair` on. Says value + 1024 of each but `broken`.
 */
export function placeValues(pair: i32, placement: i32, values: usize, count: i32, broken: i32): void {
  const index = indexAt(0);
  let kings = pair;
  let at = placement;
  for (let i = 0; i < count; i++) {
    const value = load<i16>(values + (i << 1)) as i32;
    if (value !== broken) {
      if (value < -1024 || value > 1023) isBeyond = true;
      placeMen(kings, at);
      place(index, value + 1024);
    }
    if (++at === placements) {
      at = 0;
      kings++;
    }
  }
}

/** Says 2048 + flag (u8) of each of `count` keys (u32) of a part whose first pair of kings is this. */
export function placeFlags(pair: i32, keys: usize, flags: usize, count: i32): void {
  const index = indexAt(0);
  for (let i = 0; i < count; i++) {
    const key = load<u32>(keys + (i << 2));
    const inPart = key / (placements as u32);
    placeMen(pair + (inPart as i32), (key - inPart * (placements as u32)) as i32);
    place(index, 2048 + (load<u8>(flags + i) as i32));
  }
}

/** Raw values (u16) of the first index from `from` on, of a file: says their cells by the second index, but for `usual`. */
export function placeCells(pawnFile: i32, from: u64, raw: usize, count: i32, usual: i32): void {
  const source = indexAt(0);
  const target = indexAt(1);
  for (let i = 0; i < count; i++) {
    const cell = load<u16>(CELL_OF + ((load<u16>(raw + (i << 1)) as usize) << 1)) as i32;
    if (cell === usual) continue;
    decode(source, pawnFile, from + (i as u64));
    place(target, cell);
  }
}

/** For `count` indices of the second index from `from` on: the indices (f64) of the first, or -1. */
export function translate(pawnFile: i32, from: u64, count: i32, into: usize): void {
  for (let i = 0; i < count; i++) {
    decode(indexAt(1), pawnFile, from + (i as u64));
    store<f64>(into + (i << 3), encode(indexAt(0), BOARD) as f64);
  }
}
