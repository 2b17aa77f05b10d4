/**
 * The index of a board, and back. A board is a byte a man, its square. Both go by rows: boards that differ in
 * where one man stands. What the others add to an index is computed once a row.
 */
import {
  binomial,
  COUNT,
  FILE_BYTES,
  FILES,
  FIRST,
  GROUPS,
  INDEX_BYTES,
  INDICES,
  KINGS_OF,
  KINGS_SQUARES,
  LEADERS,
  LOWEST,
  MIRROR,
  ORDER,
  PAWNS,
  ROOM,
  ROOM_SQUARE,
  SIZES,
  START,
  STRIDES,
  SYMMETRY,
  TRIPLE_OF,
  TRIPLE_SQUARES,
  WEIGHTS,
  word,
} from './tables';

const DIAGONAL = 8;

/** The board that kernels have at hand, and its mirror image. */
export const BOARD: usize = memory.data(8, 16);
export const IMAGE: usize = memory.data(8, 16);
const MOVED: usize = memory.data(8, 16);
const ROOMS: usize = memory.data(8, 16);
const TAKEN: usize = memory.data(8, 16);
const DIGITS: usize = memory.data(8 * 4, 16);

/** The last board: the file of its leading pawn; whether its mirror image has an index of its own. */
export let file: i32 = 0;
export let isMirrored: bool = false;

export function indexAt(which: i32): usize {
  return INDICES + (which as usize) * INDEX_BYTES;
}

function square(board: usize, man: i32): i32 {
  return load<u8>(board + man) as i32;
}

/** The square of the pawn that leads. */
function leaderOf(index: usize, board: usize): i32 {
  const count = word(index + LEADERS, 0);
  let leader = square(board, word(index + ORDER, 0));
  for (let i = 1; i < count; i++) {
    const other = square(board, word(index + ORDER, i));
    if (word(ROOM, other) > word(ROOM, leader)) leader = other;
  }
  return leader;
}

/** The file of the leading pawn of a board, 0 to 3; 0 without pawns. */
export function leadingFile(index: usize, board: usize): i32 {
  if (word(index + PAWNS, 0) === 0) return 0;
  const at = leaderOf(index, board) & 7;
  return min(at, 7 - at);
}

/** The number of the leading pawns, and their symmetry in the lowest bit. */
function pawnNumber(index: usize, board: usize): i32 {
  const count = word(index + LEADERS, 0);
  const leader = leaderOf(index, board);
  const mirror = (leader & 7) > 3 ? 7 : 0;
  file = (leader & 7) ^ mirror;
  isMirrored = false;
  let others = 0;
  for (let i = 0; i < count; i++) {
    const own = square(board, word(index + ORDER, i));
    if (own === leader) continue;
    if (own === (leader ^ 7)) isMirrored = true;
    const room = word(ROOM, own ^ mirror);
    let at = others++;
    for (; at > 0 && square(ROOMS, at - 1) > room; at--) store<u8>(ROOMS + at, load<u8>(ROOMS + at - 1));
    store<u8>(ROOMS + at, room as u8);
  }
  let number = word(index + FILES + (file as usize) * FILE_BYTES + FIRST, leader >> 3);
  for (let i = 0; i < others; i++) number += binomial(square(ROOMS, i), i + 1);
  return number * 2 + (mirror > 0 ? 1 : 0);
}

function leadersNumber(index: usize, board: usize): i32 {
  const a = square(board, word(index + ORDER, 0));
  const b = square(board, word(index + ORDER, 1));
  if (word(index + LEADERS, 0) === 2) return word(KINGS_OF, a * 64 + b);
  return word(TRIPLE_OF, (a * 64 + b) * 64 + square(board, word(index + ORDER, 2)));
}

/** The number of a group of men among the squares that the groups before it leave free. */
function groupNumber(start: i32, count: i32, lowest: i32): i32 {
  for (let i = start + 1; i < start + count; i++) {
    const own = load<u8>(MOVED + i);
    let at = i;
    for (; at > start && load<u8>(MOVED + at - 1) > own; at--)
      store<u8>(MOVED + at, load<u8>(MOVED + at - 1));
    store<u8>(MOVED + at, own);
  }
  let number = 0;
  for (let i = 0; i < count; i++) {
    const own = square(MOVED, start + i);
    let free = own - lowest;
    for (let j = 0; j < start; j++) free -= (square(MOVED, j) < own) as i32;
    number += i === 0 ? free : binomial(free, i + 1);
  }
  return number;
}

/** The index, within the subtable of `file`; -1 where the kings that lead touch. */
export function encode(index: usize, board: usize): i64 {
  let symmetry: i32;
  let number: i32;
  if (word(index + PAWNS, 0) !== 0) {
    const packed = pawnNumber(index, board);
    symmetry = packed & 1;
    number = packed >> 1;
  } else {
    const packed = leadersNumber(index, board);
    if (packed < 0) return -1;
    file = 0;
    symmetry = packed & 7;
    isMirrored = (packed & DIAGONAL) !== 0;
    number = packed >> 4;
  }
  const map = SYMMETRY + (symmetry << 6);
  const groups = word(index + GROUPS, 0);
  const strides = index + FILES + (file as usize) * FILE_BYTES + STRIDES;
  const men = word(index + START, groups - 1) + word(index + COUNT, groups - 1);
  for (let i = 0; i < men; i++) store<u8>(MOVED + i, load<u8>(map + square(board, word(index + ORDER, i))));
  let result = (number as i64) * load<i64>(strides);
  for (let g = 1; g < groups; g++) {
    const digit = groupNumber(word(index + START, g), word(index + COUNT, g), word(index + LOWEST, g));
    result += (digit as i64) * load<i64>(strides + ((g as usize) << 3));
  }
  return result;
}

/** The file of the leading pawn of BOARD, for programs that probe. */
export function fileOfBoard(index: usize): i32 {
  return leadingFile(index, BOARD);
}

/** The index of BOARD in the subtable of that file; -1 where the kings that lead touch. */
export function indexOfBoard(index: usize): f64 {
  return encode(index, BOARD) as f64;
}

// Rows. With the row's man on square s, each other man of a group adds one of two numbers to an index: that man's place among the
// squares that earlier groups leave free, and its place in its group, depend on whether s is below it. Leading men may turn the board by any
// symmetry, so there is an entry for each of the eight, made when the row first needs it.

/** Of an entry, i32: how many numbers depend on s, -1 if it is not made. Then, i64, what does not; squares, as bits, of men of earlier groups, of like men. */
const ENTRIES: usize = memory.data(8 * 256, 16);
const ENTRY_BYTES: usize = 256;
const CONSTANT: usize = 8;
const EARLIER: usize = 16;
const LIKE: usize = 24;
/** Then of each other man: its square, and what it adds where s is above it, below it. */
const OTHERS: usize = 32;
const OTHER_BYTES: usize = 24;

let rowIndex: usize = 0;
let rowMan: i32 = 0;
let rowGroup: i32 = 0;
let rowLowest: i32 = 0;
let rowStride: i64 = 0;
/** Of a man who leads: numbers of the leading men by square, their distance, and what the number weighs. */
let leads: bool = false;
let leadNumbers: usize = 0;
let leadStep: usize = 0;
let leadStride: i64 = 0;
/** Else the number of the leading men, as a packed one. */
let leadPacked: i32 = 0;

function strideOf(index: usize, group: i32): i64 {
  return load<i64>(index + FILES + (file as usize) * FILE_BYTES + STRIDES + ((group as usize) << 3));
}

/** Begins a row of boards: the other men stand on BOARD. Sets `file`. */
export function beginRow(index: usize, man: i32): void {
  rowIndex = index;
  rowMan = man;
  const leaders = word(index + LEADERS, 0);
  let at = 0;
  while (word(index + ORDER, at) !== man) at++;
  leads = at < leaders;
  if (leads) {
    const last = leaders - 1;
    let first = 0;
    for (let i = 0; i < leaders; i++) {
      if (i !== at) first |= square(BOARD, word(index + ORDER, i)) << (6 * (last - i));
    }
    leadNumbers = (leaders === 2 ? KINGS_OF : TRIPLE_OF) + ((first as usize) << 2);
    leadStep = 4 << (6 * (last - at));
    file = 0;
    rowGroup = 0;
  } else {
    if (word(index + PAWNS, 0) !== 0) {
      const packed = pawnNumber(index, BOARD);
      leadPacked = (packed >> 1) * 16 + (packed & 1);
    } else {
      leadPacked = leadersNumber(index, BOARD);
      file = 0;
      isMirrored = leadPacked >= 0 && (leadPacked & DIAGONAL) !== 0;
    }
    rowGroup = 1;
    while (at >= word(index + START, rowGroup) + word(index + COUNT, rowGroup)) rowGroup++;
    rowLowest = word(index + LOWEST, rowGroup);
    rowStride = strideOf(index, rowGroup);
  }
  leadStride = strideOf(index, 0);
  for (let entry = ENTRIES; entry < ENTRIES + 8 * ENTRY_BYTES; entry += ENTRY_BYTES) store<i32>(entry, -1);
}

function makeEntry(entry: usize, symmetry: i32): void {
  const map = SYMMETRY + (symmetry << 6);
  const index = rowIndex;
  const groups = word(index + GROUPS, 0);
  let earlier: u64 = 0;
  let constant: i64 = 0;
  let count = 0;
  store<i64>(entry, 0, LIKE);
  for (let g = 0; g < groups; g++) {
    const start = word(index + START, g);
    const lowest = word(index + LOWEST, g);
    const stride = strideOf(index, g);
    let group: u64 = 0;
    for (let i = 0; i < word(index + COUNT, g); i++) {
      const man = word(index + ORDER, start + i);
      if (man !== rowMan) group |= (1 as u64) << (load<u8>(map + square(BOARD, man)) as u64);
    }
    if (g === rowGroup) {
      store<u64>(entry, earlier, EARLIER);
      store<u64>(entry, group, LIKE);
    }
    let place = 1;
    for (let rest = g === 0 ? 0 : group; rest !== 0; rest &= rest - 1, place++) {
      const own = ctz(rest) as i32;
      const free = own - lowest - (popcnt(earlier & (((1 as u64) << own) - 1)) as i32);
      const above = (binomial(free, place) as i64) * stride;
      if (g < rowGroup) {
        constant += above;
        continue;
      }
      const below = g === rowGroup ? binomial(free, place + 1) : free > 0 ? binomial(free - 1, place) : 0;
      const other = entry + (count++ as usize) * OTHER_BYTES;
      store<i64>(other, own as i64, OTHERS);
      store<i64>(other, above, OTHERS + 8);
      store<i64>(other, (below as i64) * stride, OTHERS + 16);
    }
    earlier |= group;
  }
  store<i64>(entry, constant, CONSTANT);
  store<i32>(entry, count);
}

/** The index of the row's board with its man on a square, within the subtable of `file`; -1 where the kings that lead touch. */
export function encodeInRow(own: i32): i64 {
  let packed = leadPacked;
  if (leads) {
    packed = load<i32>(leadNumbers + (own as usize) * leadStep);
    isMirrored = (packed & DIAGONAL) !== 0;
  }
  if (packed < 0) return -1;
  const symmetry = packed & 7;
  const entry = ENTRIES + (symmetry as usize) * ENTRY_BYTES;
  if (load<i32>(entry) < 0) makeEntry(entry, symmetry);
  const image = load<u8>(SYMMETRY + (symmetry << 6) + own) as i64;
  let result = ((packed >> 4) as i64) * leadStride + load<i64>(entry, CONSTANT);
  const end = entry + (load<i32>(entry) as usize) * OTHER_BYTES;
  for (let other = entry; other < end; other += OTHER_BYTES) {
    result += load<i64>(other + (((image < load<i64>(other, OTHERS)) as usize) << 3), OTHERS + 8);
  }
  if (leads) return result;
  const below = ((1 as u64) << image) - 1;
  const free = (image as i32) - rowLowest - (popcnt(load<u64>(entry, EARLIER) & below) as i32);
  const place = 1 + (popcnt(load<u64>(entry, LIKE) & below) as i32);
  return result + (binomial(free, place) as i64) * rowStride;
}

/** Writes the mirror image of the board that was encoded last. */
export function reflect(board: usize): void {
  for (let man = 0; man < 8; man++) store<u8>(IMAGE + man, load<u8>(MIRROR + (square(board, man) & 63)));
}

/** Writes the squares of the set of `count` with this number in colexicographic order, each `lowest` higher. */
export function unrank(digit: i32, count: i32, into: usize, lowest: i32): void {
  let rest = digit;
  for (let i = count; i > 1; i--) {
    let n = i - 1;
    while (binomial(n + 1, i) <= rest) n++;
    store<u8>(into + i - 1, (n + lowest) as u8);
    rest -= binomial(n, i);
  }
  store<u8>(into, (rest + lowest) as u8);
}

const SET: usize = memory.data(8, 16);

function take(own: i32, men: i32): void {
  let at = men;
  for (; at > 0 && square(TAKEN, at - 1) > own; at--) store<u8>(TAKEN + at, load<u8>(TAKEN + at - 1));
  store<u8>(TAKEN + at, own as u8);
}

function leadingPawns(index: usize, pawnFile: i32, number: i32): void {
  const first = index + FILES + (pawnFile as usize) * FILE_BYTES + FIRST;
  let rank = 6;
  while (word(first, rank) > number) rank--;
  const count = word(index + LEADERS, 0);
  store<u8>(BOARD + word(index + ORDER, 0), (rank * 8 + pawnFile) as u8);
  if (count === 1) return;
  unrank(number - word(first, rank), count - 1, SET, 0);
  for (let i = 1; i < count; i++) {
    store<u8>(BOARD + word(index + ORDER, i), word(ROOM_SQUARE, square(SET, i - 1)) as u8);
  }
}

/** The man that indices from the decoded one on differ in, and the squares, as bits, that others leave to him. */
export let runMan: i32 = 0;
export let runSquares: u64 = 0;

/**
 * Writes the squares of an index of the subtable of a file into BOARD. If the last group has the least weight, the indices that follow
 * are boards of one row: its man takes the next of `runSquares`, one after the other, the decoded square being the first.
 */
export function decode(index: usize, pawnFile: i32, at: u64): void {
  const groups = word(index + GROUPS, 0);
  const sizes = index + FILES + (pawnFile as usize) * FILE_BYTES + SIZES;
  let rest = at;
  for (let w = 0; w < groups; w++) {
    const g = word(index + WEIGHTS, w);
    const size = word(sizes, g) as u64;
    const next = rest <= 0xffffffff ? (((rest as u32) / (size as u32)) as u64) : rest / size;
    store<i32>(DIGITS + (g << 2), (rest - next * size) as i32);
    rest = next;
  }
  const count = word(index + LEADERS, 0);
  if (word(index + PAWNS, 0) !== 0) leadingPawns(index, pawnFile, word(DIGITS, 0));
  else {
    const packed = word(count === 3 ? TRIPLE_SQUARES : KINGS_SQUARES, word(DIGITS, 0));
    for (let i = 0; i < count; i++) {
      store<u8>(BOARD + word(index + ORDER, i), ((packed >> (6 * i)) & 63) as u8);
    }
  }
  runSquares = 0;
  let men = 0;
  for (; men < count; men++) take(square(BOARD, word(index + ORDER, men)), men);
  for (let g = 1; g < groups; g++) {
    const like = word(index + COUNT, g);
    unrank(word(DIGITS, g), like, SET, word(index + LOWEST, g));
    for (let i = 0; i < like; i++) {
      let own = square(SET, i);
      for (let j = 0; j < men; j++) own += (own >= square(TAKEN, j)) as i32;
      store<u8>(BOARD + word(index + ORDER, word(index + START, g) + i), own as u8);
    }
    if (g === groups - 1 && word(index + WEIGHTS, 0) === g) {
      runMan = word(index + ORDER, word(index + START, g));
      const first = square(BOARD, runMan);
      let end = 64;
      if (like > 1) end = square(BOARD, word(index + ORDER, word(index + START, g) + 1));
      else if (word(index + LOWEST, g) > 0) end = 56;
      runSquares = (end === 64 ? -1 : ((1 as u64) << end) - 1) & ~(((1 as u64) << first) - 1);
      for (let j = 0; j < men; j++) runSquares &= ~((1 as u64) << square(TAKEN, j));
      return;
    }
    const before = men;
    for (let i = 0; i < like; i++) take(square(BOARD, word(index + ORDER, before + i)), men++);
  }
}
