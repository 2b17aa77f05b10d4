/**
 * The position of a key, as sets of men. Positions that follow each other share all but the square of the last man,
 * if that is a piece, the *runner*. The rest, the *row*, is decoded once. Men like the runner are its *twins*. They stand on lesser
 * squares than it does; a key with a twin on a greater square is no position, since the same men have another key.
 */

import {
  ALL_PAIRS,
  blackOf,
  boardsOf,
  GROUP_COUNT,
  GROUP_PLACES,
  GROUP_SLOT,
  GROUP_STRIDE,
  imagesOf,
  KING_RUNS,
  kingsOf,
  PASSANT,
  PAWN,
  whiteOf,
} from './index-tables';
import { mirrorOf, placedAt, restrictedIn, restrictionsOf, slotAt, slotsOf } from './places';
import { restrictBy, standRestricted } from './restrictions';
import { clearBytes, imageOf, lastDigit, rankOf } from './sets';
import {
  BINOMIAL,
  bit,
  COUPLES,
  image,
  KING,
  MOBILITY,
  putSquares,
  putWord,
  squaresAt,
  word,
} from './tables';

export let groups: i32 = 0;
/** Whether there are pawns: the mirror image of the files is the only symmetry then. Else there are eight. */
export let hasPawns: bool = false;
/** Whether the runner is the black king. Where it does not stand, `black` is no square. */
export let kingRuns: bool = false;
/** How the index has the kings (index-tables.ts). */
export let kings: i32 = 0;
let placements: i32 = 0;
let pairsPerPart: i32 = 0;
/** The side that may capture en passant; -1 if there is no such right in the slice. */
export let taker: i32 = -1;
/** Bits of the key that are the last man's square: 6, or 0 if that is not a piece. */
export let lastBits: i32 = 0;
/** The runner's twins, and whether there are any. */
export let twins: u64 = 0;
export let hasTwins: bool = false;

/** u64: the men of each slot, and of each group. */
export const MEN: usize = memory.data(16 * 8, 16);
export const OF_GROUP: usize = memory.data(8 * 8, 16);
export let white: i32 = 0;
export let black: i32 = 0;
export let occupied: u64 = 0;
/** Men of each side. */
let whiteMen: u64 = 0;
let blackMen: u64 = 0;
/** First key of the pair of kings; -1 if what stands is not of any key. */
export let pairBase: i32 = -1;
/** The boards from which moves to this pair are taken back (index-tables.ts), as bits. */
export let boards: i32 = 0;
/** i32, of each single piece: the bits behind its square in the key. */
const SHIFT: usize = memory.data(8 * 4, 16);
/** i32, of each group in a row: how many men stand, and the weight of their rank among sets of squares. */
export const ROW_COUNT: usize = memory.data(8 * 4, 16);
export const ROW_STRIDE: usize = memory.data(8 * 4, 16);
/** i32, of each pair of kings: its part and first key. */
export const PART: usize = memory.data(1806 * 4, 16);
export const BASE: usize = memory.data(1806 * 4, 16);

/**
 * The *head* of a row: kings, pawns and groups of several, whose digits lead. Single pieces follow, each a square in six bits. Rows that
 * follow each other mostly share the head, so it is decoded when it changes.
 */
@unmanaged
class Head {
  white: u64;
  black: u64;
  /** The digits that were decoded; -1: none. */
  digits: i32;
  /** How many groups it has, and the bits of the key behind it. */
  groups: i32;
  tailBits: i32;
  /** The groups from here on have all their men in the head, or none: the last group has its runner apart. */
  tailEnd: i32;
  /** Whether men stand on one another. */
  clash: bool;
  /** The symmetries whose rank is known (`IMAGE_RANKS`), as bits. */
  images: i32;
}
const head = changetype<Head>(memory.data(offsetof<Head>(), 16));
/** i32, of each of its groups: the digit. */
const HEAD_DIGIT: usize = memory.data(8 * 4, 16);
/** i32, by symmetry: the rank of the head's image, of those symmetries whose bit is set. */
const IMAGE_RANKS: usize = memory.data(8 * 4, 16);

/** The row: the men without the last one. */
@unmanaged
class Row {
  occupied: u64;
  white: u64;
  black: u64;
  /** Those of the slot of the last man. */
  slot: u64;
  /** Part and number of the row that was decoded; no row if the part is -1. */
  part: i32;
  number: i32;
  /** Whether men stand on one another. */
  clash: bool;
  /** As `Head.images`. */
  images: i32;
}
export const row = changetype<Row>(memory.data(offsetof<Row>(), 16));
const ROW_IMAGE_RANKS: usize = memory.data(8 * 4, 16);

/** Whether the last man stands in what was decoded last. */
let lastStands: bool = false;

export function configure(
  groupCount: i32,
  placementCount: i32,
  pairsInPart: i32,
  takingSide: i32,
  lastIsPiece: bool,
  kingsAs: i32,
): void {
  groups = groupCount;
  kings = kingsAs;
  hasPawns = kings !== ALL_PAIRS;
  kingRuns = kings === KING_RUNS;
  placements = placementCount;
  pairsPerPart = pairsInPart;
  taker = takingSide;
  lastBits = lastIsPiece ? 6 : 0;
  row.part = -1;
  stepsOf = -1;
  restrictBy(0, 0, 0);
  for (let g = 0; g < groups; g++) {
    const runs = lastIsPiece && g === groups - 1;
    const stride = runs ? 64 : word(GROUP_STRIDE, g);
    putWord(SHIFT, g, ctz(stride));
    putWord(ROW_COUNT, g, word(GROUP_COUNT, g) - (runs ? 1 : 0));
    putWord(ROW_STRIDE, g, stride);
  }
  twins = 0;
  hasTwins = lastIsPiece && word(GROUP_COUNT, groups - 1) > 1;
  head.tailEnd = lastIsPiece ? groups - 1 : groups;
  head.groups = head.tailEnd;
  while (head.groups > 0 && isSingle(head.groups - 1)) head.groups--;
  head.tailBits = lastBits + 6 * (head.tailEnd - head.groups);
  head.digits = -1;
  for (let pair = 0; pair < 1806; pair++) {
    const itsPart = pair / pairsPerPart;
    putWord(PART, pair, itsPart);
    putWord(BASE, pair, (pair - itsPart * pairsPerPart) * placements);
  }
}

export function menAt(side: i32, kind: i32): u64 {
  return squaresAt(MEN, (side << 3) | kind);
}

/** Men of a side, its king included. */
export function menOf(side: i32): u64 {
  return side === 0 ? whiteMen : blackMen;
}

/** The pawns of a side, one that may be captured en passant included. */
export function pawnsOf(side: i32): u64 {
  return menAt(side, PAWN) | menAt(side, PASSANT);
}

export function kingOf(side: i32): i32 {
  return side === 0 ? white : black;
}

/** Decodes a key; returns whether no two men stand on one square. */
export function place(newPart: i32, key: i32): bool {
  const newRow = key >> lastBits;
  if (newRow !== row.number || newPart !== row.part) placeRow(newPart, key, newRow);
  if (lastBits === 0 || row.clash) return !row.clash;
  lastStands = true;
  const last = bit(key & 63);
  const slot = word(GROUP_SLOT, groups - 1);
  putSquares(OF_GROUP, groups - 1, twins | last);
  putSquares(MEN, slot, row.slot | last);
  occupied = row.occupied | last;
  whiteMen = slot < 8 ? row.white | last : row.white;
  blackMen = slot < 8 ? row.black : row.black | last;
  if (kingRuns) {
    black = key & 63;
    if (kingsOf(kings, (white << 6) | black) < 0) return false;
  }
  return (row.occupied & last) === 0 && twins < last;
}

/** As `place`, of a row: the runner does not stand. */
export function placeStanding(newPart: i32, key: i32): bool {
  const newRow = key >> 6;
  if (newRow !== row.number || newPart !== row.part) placeRow(newPart, key, newRow);
  else if (lastStands) standRow();
  return !row.clash;
}

function placeRow(newPart: i32, key: i32, newRow: i32): void {
  if (newPart !== row.part || pairBase < 0 || ((key - pairBase) as u32) >= (placements as u32)) {
    const pairInPart = key / placements;
    pairBase = pairInPart * placements;
    const pair = newPart * pairsPerPart + pairInPart;
    white = whiteOf(kings, pair);
    black = kingRuns ? -1 : blackOf(kings, pair);
    boards = boardsOf(kings, pair);
    head.digits = -1;
  }
  row.part = newPart;
  row.number = newRow;
  row.images = 0;
  const newHead = (key - pairBase) >> head.tailBits;
  if (newHead !== head.digits) placeHead(newHead);
  let whites = head.white;
  let blacks = head.black;
  let clash = head.clash;
  for (let g = head.groups; g < head.tailEnd; g++) {
    const square = bit((key >> word(SHIFT, g)) & 63);
    const slot = word(GROUP_SLOT, g);
    if ((whites | blacks) & square) clash = true;
    if (slot < 8) whites |= square;
    else blacks |= square;
    putSquares(OF_GROUP, g, square);
    putSquares(MEN, slot, square);
  }
  row.clash = clash;
  row.white = whites;
  row.black = blacks;
  row.occupied = whites | blacks;
  standRow();
}

/** Puts up the men of the row, without the runner. */
function standRow(): void {
  lastStands = false;
  occupied = row.occupied;
  whiteMen = row.white;
  blackMen = row.black;
  if (lastBits === 0) return;
  putSquares(OF_GROUP, head.tailEnd, twins);
  putSquares(MEN, word(GROUP_SLOT, head.tailEnd), row.slot);
}

function placeHead(newHead: i32): void {
  head.digits = newHead;
  head.images = 0;
  clearMen(MEN);
  head.white = bit(white);
  head.black = kingRuns ? 0 : bit(black);
  putSquares(MEN, KING, head.white);
  putSquares(MEN, 8 | KING, head.black);
  head.clash = false;
  let rest = newHead << head.tailBits;
  for (let g = 0; g < head.groups; g++) {
    const digit = rest / word(ROW_STRIDE, g);
    rest -= digit * word(ROW_STRIDE, g);
    putWord(HEAD_DIGIT, g, digit);
    const table = word(GROUP_PLACES, g) as usize;
    if (table !== 0) {
      standRestricted(restrictionsOf(table, digit), restrictedIn(table));
      for (let s = 0; s < slotsOf(table); s++) addToHead(slotAt(table, s), placedAt(table, digit, s));
      continue;
    }
    const squares = squaresOf(word(ROW_COUNT, g), digit);
    putSquares(OF_GROUP, g, squares);
    addToHead(word(GROUP_SLOT, g), squares);
  }
  if (lastBits === 0) return;
  twins = hasTwins ? squaresOf(word(ROW_COUNT, head.tailEnd), rest >> 6) : 0;
  putSquares(OF_GROUP, head.tailEnd, twins);
  addToHead(word(GROUP_SLOT, head.tailEnd), twins);
  row.slot = squaresAt(MEN, word(GROUP_SLOT, head.tailEnd));
}

function addToHead(slot: i32, squares: u64): void {
  if ((head.white | head.black) & squares) head.clash = true;
  if (slot < 8) head.white |= squares;
  else head.black |= squares;
  putSquares(MEN, slot, squaresAt(MEN, slot) | squares);
}

/** Whether a group is of one piece. */
function isSingle(g: i32): bool {
  return word(GROUP_COUNT, g) === 1 && word(GROUP_PLACES, g) === 0;
}

/** Puts up kings, and no other men; the row is not that of any key. */
export function standKings(whiteKing: i32, blackKing: i32): void {
  row.part = -1;
  pairBase = -1;
  head.digits = -1;
  white = whiteKing;
  black = blackKing;
  clearMen(MEN);
  putSquares(MEN, KING, bit(white));
  putSquares(MEN, 8 | KING, bit(black));
}

/** Clears the sets of all slots. */
export function clearMen(slots: usize): void {
  clearBytes(slots);
  clearBytes(slots + 64);
}

/** Lets a king stand on a square. */
export function standKing(side: i32, square: i32): void {
  if (side === 0) white = square;
  else black = square;
}

/** The squares of so many like pieces by their digit. */
export function squaresOf(count: i32, digit: i32): u64 {
  if (count === 1) return bit(digit);
  if (count === 2) {
    const couple = word(COUPLES, digit);
    return bit(couple & 63) | bit(couple >> 6);
  }
  let squares: u64 = 0;
  let square = 63;
  for (let size = count; size > 0; size--) {
    while (word(BINOMIAL, size * 65 + square) > digit) square--;
    digit -= word(BINOMIAL, size * 65 + square);
    squares |= bit(square);
  }
  return squares;
}

/** The digit of a group of pieces that stand on these squares. */
export function digitOf(g: i32, squares: u64): i32 {
  return lastBits !== 0 && g === groups - 1 ? lastDigit(squares) : rankOf(squares);
}

/** Rank of the image of the prepared row, whose runner does not stand. */
export function imageRankOfRow(symmetry: i32): i32 {
  if ((row.images & (1 << symmetry)) === 0) rankImageOfRow(symmetry);
  return word(ROW_IMAGE_RANKS, symmetry);
}

function rankImageOfRow(symmetry: i32): void {
  row.images |= 1 << symmetry;
  if ((head.images & (1 << symmetry)) === 0) rankImageOfHead(symmetry);
  let rank = word(IMAGE_RANKS, symmetry);
  for (let g = head.groups; g < head.tailEnd; g++) {
    rank += image(ctz(squaresAt(OF_GROUP, g)) as i32, symmetry) << word(SHIFT, g);
  }
  putWord(ROW_IMAGE_RANKS, symmetry, rank);
}

function rankImageOfHead(symmetry: i32): void {
  head.images |= 1 << symmetry;
  let rank = hasTwins ? rankOf(imageOf(twins, symmetry)) << 6 : 0;
  for (let g = 0; g < head.groups; g++) {
    const table = word(GROUP_PLACES, g) as usize;
    const digit =
      table !== 0 ? mirrorOf(table, word(HEAD_DIGIT, g)) : rankOf(imageOf(squaresAt(OF_GROUP, g), symmetry));
    rank += digit * word(ROW_STRIDE, g);
  }
  putWord(IMAGE_RANKS, symmetry, rank);
}

/** Rank of an image of the prepared row with the runner on a square, which may be less than that of a twin. */
function rankWith(square: i32, symmetry: i32): i32 {
  const rank = imageRankOfRow(symmetry);
  if (!hasTwins) return rank + image(square, symmetry);
  const men = imageOf(twins, symmetry);
  return rank - (rankOf(men) << 6) + lastDigit(men | bit(image(square, symmetry)));
}

/** Rank of an image of the position that stands. */
export function imageRank(symmetry: i32): i32 {
  return lastBits === 0 ? 0 : rankWith(ctz(squaresAt(OF_GROUP, head.tailEnd) ^ twins) as i32, symmetry);
}

/** Part, first key and symmetries of the pair of kings found by {@link stepPair}, as bits; a move leads there by the lowest of them. */
export let stepPart: i32 = 0;
export let stepKey: i32 = 0;
export let stepImages: i32 = 0;

/** Finds the pair of kings with that of `side` on `target`; returns whether there is one, and its first key in `stepKey`. */
export function stepPair(side: i32, target: i32): bool {
  const stepped = side === 0 ? (target << 6) | black : (white << 6) | target;
  const pair = kingsOf(kings, stepped);
  if (pair < 0) return false;
  stepImages = imagesOf(kings, stepped);
  stepPart = word(PART, pair);
  stepKey = word(BASE, pair);
  return true;
}

/**
 * i32: the unmoves of a king from the pair that stands to where it does not touch the other, and the images that they lead to: the target, and
 * part, first key and symmetry of the pair.
 */
export const STEP_TARGET: usize = memory.data(16 * 4, 16);
export const STEP_SYMMETRY: usize = memory.data(16 * 4, 16);
export const STEP_PART: usize = memory.data(16 * 4, 16);
export const STEP_BASE: usize = memory.data(16 * 4, 16);
export let steps: i32 = 0;
/** What they are the steps of: kings and side. */
let stepsOf: i32 = -1;

/** Lists the unmoves of the king of `side`, unless they are listed. */
export function listSteps(side: i32): void {
  const pair = (((white << 6) | (kingRuns ? 0 : black)) << 1) | side;
  if (pair === stepsOf) return;
  stepsOf = pair;
  steps = 0;
  if (kingRuns && side === 1) return;
  for (let to = squaresAt(MOBILITY, (KING << 6) | kingOf(side)); to; to &= to - 1) {
    const target = ctz(to) as i32;
    // The black king stands anywhere: where it touches the other, the caller leaves it out.
    if (kingRuns) black = ctz(~(bit(target) | squaresAt(MOBILITY, (KING << 6) | target))) as i32;
    if (!stepPair(side, target)) continue;
    for (let images = stepImages & boards; images; images &= images - 1) {
      putWord(STEP_TARGET, steps, target);
      putWord(STEP_SYMMETRY, steps, ctz(images));
      putWord(STEP_PART, steps, stepPart);
      putWord(STEP_BASE, steps++, stepKey);
    }
  }
}
