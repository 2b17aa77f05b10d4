/** The index of a board and back, as `encode`, `mirror`, `decode` of arrangement.ts. A board is a byte a man, its square. */
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

/** Writes the squares of an index of the subtable of a file into BOARD. */
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
    const before = men;
    for (let i = 0; i < like; i++) take(square(BOARD, word(index + ORDER, before + i)), men++);
  }
}
