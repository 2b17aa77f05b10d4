/**
 * Kernels of checkers in TypeScript, which those in WebAssembly are tested and measured against. These are the
 * conversions: captures, and steps of leading men.
 */
import { assert } from '../../../../../operators/core/errors.js';
import { type Captures, findCaptures } from '../../../../../pipeline/games/checkers/captures.js';
import { targetNumber } from '../../../../../pipeline/games/checkers/conversions.js';
import { indexWith, menIndex } from '../../../../../pipeline/games/checkers/space.js';
import {
  leadingRank,
  lowest,
  MAN_STEPS,
  popcount,
  ranksBelow,
  turned,
} from '../../../../../pipeline/games/checkers/squares.js';
import type { ReadHalf } from './half.js';
import { type PlainRows, writeRow } from './rows.js';

/** Emits the positions after the conversions of the position that `mover` has read; `captures` is overwritten. */
export function convert(
  mover: ReadHalf,
  captures: Captures,
  conversionBias: ArrayLike<number>,
  rows: PlainRows,
): void {
  const { place, leading } = mover;
  const { men, kings, enemyMen, enemyKings } = place;
  findCaptures(men, kings, enemyMen | enemyKings, captures);
  for (let c = 0; c < captures.length; c++) {
    arrive(rows, mover, captures.men[c], captures.kings[c], captures.taken[c], conversionBias);
  }
  if (captures.length > 0) return;
  const empty = ~(men | kings | enemyMen | enemyKings);
  for (let rest = men & leading; rest !== 0; rest &= rest - 1) {
    const bit = rest & -rest;
    for (let steps = MAN_STEPS[lowest(bit)] & empty; steps !== 0; steps &= steps - 1) {
      const step = steps & -steps;
      const crowned = (step & ranksBelow(7)) === 0;
      arrive(
        rows,
        mover,
        crowned ? men ^ bit : men ^ bit ^ step,
        crowned ? kings | step : kings,
        0,
        conversionBias,
      );
    }
  }
}

/** Emits a position that a conversion leads to, given as the player sees it who moved. */
function arrive(
  rows: PlainRows,
  { space: { shape }, place, arrivals }: ReadHalf,
  men: number,
  kings: number,
  taken: number,
  conversionBias: ArrayLike<number>,
): void {
  const enemyMen = place.enemyMen & ~taken;
  const enemyKings = place.enemyKings & ~taken;
  const turnedEnemyMen = turned(enemyMen);
  const number = targetNumber(
    shape.enemyMen,
    popcount(taken & place.enemyKings),
    popcount(taken & place.enemyMen),
    shape.ownMen - popcount(men),
    leadingRank(turnedEnemyMen),
    leadingRank(men),
  );
  const arrival = arrivals.get(number);
  assert(arrival !== undefined, `a conversion of ${rows.name} leads to one of its dependencies`);
  rows.bias = conversionBias[arrival.to];
  const { space, width: widthThere } = arrival;
  if (space === null) {
    writeRow(rows, 0, 1);
    return;
  }
  const placement = menIndex(space, space.offsets(), turnedEnemyMen, enemyMen, men);
  const all = turned(men) | turnedEnemyMen;
  writeRow(rows, indexWith(space, placement, all, turned(enemyKings), turned(kings)), widthThere);
}
