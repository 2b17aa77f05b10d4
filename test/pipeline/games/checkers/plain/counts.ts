/** Counting the moves of positions, for the kernels in TypeScript (plain-kernels.ts). */
import type { Census } from '../../../../../pipeline/game/game.js';
import { bitBytes, setBit } from '../../../../../pipeline/game/labels.js';
import { type Captures, findCaptures } from '../../../../../pipeline/games/checkers/captures.js';
import {
  downLeft,
  downRight,
  popcount,
  upLeft,
  upRight,
} from '../../../../../pipeline/games/checkers/squares.js';
import { type ReadHalf, readsCapture } from './half.js';

/** Takes the census of `length` positions from that with index `index`, whose key is `key`; `captures` is overwritten. */
export function takeCensus(
  mover: ReadHalf,
  index: number,
  key: number,
  length: number,
  captures: Captures,
  census: Census,
): void {
  const { place, read } = mover;
  clear(census, length);
  census.legal = length;
  for (let i = 0; i < length; i++) {
    read(index + i);
    const moves = countMoves(mover, captures, readsCapture(place));
    census.counts[i] = moves.all;
    if (census.conversions !== null) census.conversions[i] = moves.conversions;
    if (moves.all > 0) setBit(census.open, i);
    else census.lostKeys[census.lost++] = key + i;
  }
}

function clear(census: Census, length: number): void {
  census.lost = census.drawn = 0;
  census.open.fill(0, 0, bitBytes(length));
}

const counted = { all: 0, conversions: 0 };

/** Counts the moves of the position that has been read. The result is used again. */
function countMoves(
  { place, following, leading }: ReadHalf,
  captures: Captures,
  capture: boolean,
): { readonly all: number; readonly conversions: number } {
  const { men, kings, enemyMen, enemyKings } = place;
  const enemies = enemyMen | enemyKings;
  if (capture) {
    findCaptures(men, kings, enemies, captures);
    counted.all = counted.conversions = captures.length;
    return counted;
  }
  const empty = ~(men | kings | enemies);
  const advances = men & leading;
  const steps = (men & following) | kings;
  counted.conversions = popcount(upLeft(advances) & empty) + popcount(upRight(advances) & empty);
  counted.all = counted.conversions + popcount(upLeft(steps) & empty) + popcount(upRight(steps) & empty);
  if (kings !== 0) {
    counted.all += popcount(downLeft(kings) & empty) + popcount(downRight(kings) & empty);
  }
  return counted;
}
