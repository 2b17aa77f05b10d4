import type { Census } from '../../game.js';
import { DRAWN } from '../../labels.js';
import { countKing, countMen } from './census-counts.js';
import { type CensusRow, findBroken, findChecks, OPPOSING_KING } from './census-row.js';
import { BIT_HIGH, BIT_LOW, PAIR_DIAGONAL, REFLECT, REFLECTION } from './geometry.js';
import { placementRank } from './index-space.js';
import { load, type Workspace } from './workspace.js';

/** Bytes of a word that are 255 where the four bits are set. */
const BYTES_OF = Int32Array.from({ length: 16 }, (_, bits) =>
  [0, 1, 2, 3].reduce((word, i) => word | ((bits >> i) & 1 ? 255 << (8 * i) : 0), 0),
);

/** The squares whose mirror image at the a1-h8 diagonal has the smaller number. */
let mirroredLow = 0;
let mirroredHigh = 0;
for (let x = 0; x < 64; x++) {
  if (REFLECT[x] < x) {
    mirroredLow |= BIT_LOW[x];
    mirroredHigh |= BIT_HIGH[x];
  }
}

/** The `census` kernel for endings with at least one man besides the kings. */
export function census(
  w: Workspace,
  row: CensusRow,
  side: number,
  part: number,
  first: number,
  length: number,
  out: Census,
): void {
  const { space, squares } = w;
  const lastGroup = space.groupCount.length - 1;
  const runner = space.groupFirst[lastGroup];
  const single = space.groupCount[lastGroup] === 1;
  const end = first + length;
  out.lost = out.legal = out.drawn = 0;
  out.open.fill(0, 0, (length + 7) >> 3);
  for (let key = first; key < end; ) {
    load(w, part, key);
    const x = squares[runner];
    const next = Math.min(end, key - x + (single ? 64 : squares[runner + 1]));
    classifyRow(w, row, side, runner, x, next - key, key, key - first, out);
    key = next;
  }
}

/** Classifies `count` keys from `key`, the loaded one, on, whose runner stands on x, x + 1, ...; results from `at` on. */
function classifyRow(
  w: Workspace,
  row: CensusRow,
  side: number,
  runner: number,
  x: number,
  count: number,
  key: number,
  at: number,
  out: Census,
): void {
  const { space, squares, board } = w;
  const king = side === 0 ? w.white : w.black;
  const otherKing = side === 0 ? w.black : w.white;
  let occupiedLow = BIT_LOW[king] | BIT_LOW[otherKing];
  let occupiedHigh = BIT_HIGH[king] | BIT_HIGH[otherKing];
  let clash = false;
  for (let man = 0; man < space.men; man++) {
    if (man === runner) continue;
    const square = squares[man];
    if ((BIT_LOW[square] & occupiedLow) | (BIT_HIGH[square] & occupiedHigh)) clash = true;
    occupiedLow |= BIT_LOW[square];
    occupiedHigh |= BIT_HIGH[square];
  }
  if (clash) {
    clearRow(at, count, out);
    return;
  }
  for (let man = 0; man < space.men; man++) {
    if (man !== runner) board[squares[man]] = 1 + space.sideOf[man];
  }
  board[king] = 1 + side;
  board[otherKing] = OPPOSING_KING;
  row.occupiedLow = occupiedLow;
  row.occupiedHigh = occupiedHigh;
  findBroken(w, row, side, runner, otherKing);
  if (PAIR_DIAGONAL[w.pair] !== 0) breakMirrored(w, row, runner, x, count);
  breakOutside(row, x, x + count);
  if ((row.brokenLow & row.brokenHigh) === -1) clearRow(at, count, out);
  else {
    findChecks(w, row, side, runner, king);
    countMen(w, row, side, runner, king);
    countKing(w, row, side, runner, king, otherKing);
    writeRow(row, x, count, key, at, out);
  }
  squares[runner] = x;
  for (let man = 0; man < space.men; man++) if (man !== runner) board[squares[man]] = 0;
  board[king] = 0;
  board[otherKing] = 0;
}

function clearRow(at: number, count: number, out: Census): void {
  out.counts.fill(0, at, at + count);
  out.conversions?.fill(0, at, at + count);
}

/** Broken: the mirror image, with both kings on the diagonal, has the smaller rank. */
function breakMirrored(w: Workspace, row: CensusRow, runner: number, x: number, count: number): void {
  const { space, squares } = w;
  const base = w.rank - x;
  if (space.groupCount[space.groupOf[runner]] === 1) {
    // The runner's square is the last digit: it matters only where the others are their own mirror image.
    squares[runner] = 0;
    const mirrored = placementRank(space, squares, REFLECTION);
    if (mirrored < base) row.brokenLow = row.brokenHigh = -1;
    else if (mirrored === base) {
      row.brokenLow |= mirroredLow;
      row.brokenHigh |= mirroredHigh;
    }
    return;
  }
  for (let square = x; square < x + count; square++) {
    squares[runner] = square;
    if (placementRank(space, squares, REFLECTION) < base + square) {
      row.brokenLow |= BIT_LOW[square];
      row.brokenHigh |= BIT_HIGH[square];
    }
  }
}

/** Nothing is asked of an x outside [from, to). */
function breakOutside(row: CensusRow, from: number, to: number): void {
  if (from >= 32) {
    row.brokenLow = -1;
    row.brokenHigh |= (1 << (from - 32)) - 1;
  } else row.brokenLow |= (1 << from) - 1;
  if (to <= 32) {
    row.brokenHigh = -1;
    if (to < 32) row.brokenLow |= -1 << to;
  } else if (to < 64) row.brokenHigh |= -1 << (to - 32);
}

/** Adds up and writes what was found for x, x + 1, ...; `key` and `at` are those of x. */
function writeRow(row: CensusRow, x: number, count: number, key: number, at: number, out: Census): void {
  const { bytes, words } = row;
  const legalLow = ~row.brokenLow;
  const legalHigh = ~row.brokenHigh;
  out.legal += ones(legalLow) + ones(legalHigh);
  if (out.conversions !== null) {
    addUp(row.takeWords, row.takesAll, legalLow, legalHigh, words);
    copyRow(bytes, x, count, out.conversions, at);
  }
  let openLow = legalLow;
  let openHigh = legalHigh;
  if (addUp(row.countWords, row.countAll, legalLow, legalHigh, words)) {
    for (let i = x; i < x + count; i++) {
      if (bytes[i] !== 0 || !((legalLow & BIT_LOW[i]) | (legalHigh & BIT_HIGH[i]))) continue;
      openLow ^= BIT_LOW[i];
      openHigh ^= BIT_HIGH[i];
      if ((row.checkLow & BIT_LOW[i]) | (row.checkHigh & BIT_HIGH[i])) {
        out.lostKeys[out.lost++] = key + i - x;
      } else {
        bytes[i] = DRAWN;
        out.drawn++;
      }
    }
  }
  copyRow(bytes, x, count, out.counts, at);
  if (x >= 32) {
    openLow = openHigh >>> (x - 32);
    openHigh = 0;
  } else if (x > 0) {
    openLow = (openLow >>> x) | (openHigh << (32 - x));
    openHigh >>>= x;
  }
  setBits(out.open, at, openLow);
  setBits(out.open, at + 32, openHigh);
}

/**
 * Writes corrections + `all` where a position is legal, 0 elsewhere, as four bytes a word (Warren, Hacker's Delight,
 * section 2-18). Returns whether the sum might be 0 for a legal position.
 */
function addUp(
  corrections: Int32Array,
  all: number,
  legalLow: number,
  legalHigh: number,
  words: Int32Array,
): boolean {
  const base = Math.imul(all & 255, 0x01010101);
  const baseLow = base & 0x7f7f7f7f;
  let zero = 0;
  let legal = legalLow;
  for (let i = 0; i < 16; i++) {
    if (i === 8) legal = legalHigh;
    const mask = BYTES_OF[legal & 15];
    legal >>>= 4;
    const correction = corrections[i];
    const sum = ((correction & 0x7f7f7f7f) + baseLow) ^ ((correction ^ base) & 0x80808080);
    zero |= (sum - 0x01010101) & ~sum & mask & 0x80808080;
    words[i] = sum & mask;
  }
  return zero !== 0;
}

function copyRow(bytes: Uint8Array, x: number, count: number, to: Uint8Array, at: number): void {
  if (count === 64) to.set(bytes, at);
  else for (let i = 0; i < count; i++) to[at + i] = bytes[x + i];
}

/** Sets the bits of a word from bit `at` on. */
function setBits(bits: Uint8Array, at: number, word: number): void {
  if (word === 0) return;
  let byte = at >> 3;
  const shift = at & 7;
  bits[byte++] |= word << shift;
  for (let rest = word >>> (8 - shift); rest !== 0; rest >>>= 8) bits[byte++] |= rest;
}

function ones(word: number): number {
  let x = word - ((word >>> 1) & 0x55555555);
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
