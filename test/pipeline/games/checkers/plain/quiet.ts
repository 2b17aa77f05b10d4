/** Moves that stay in the slice, for the kernels in TypeScript (plain-kernels.ts). */

import {
  type CheckersSpace,
  indexWith,
  menIndex,
  rankSet,
} from '../../../../../pipeline/games/checkers/space.js';
import {
  BACK_STEPS,
  canCapture,
  KING_STEPS,
  lowest,
  MAN_STEPS,
  turned,
} from '../../../../../pipeline/games/checkers/squares.js';
import type { ReadHalf } from './half.js';
import { type PlainRows, writeRow } from './rows.js';

/** Emits the quiet moves within the slice of the position that the first half has read; they lead to the second half. */
export function quietMoves(
  { place, following, leading }: ReadHalf,
  { space }: ReadHalf,
  rows: PlainRows,
): void {
  const { men, kings, enemyMen, enemyKings, turnedMen, turnedEnemyMen, turnedEnemyKings } = place;
  const empty = ~(men | kings | enemyMen | enemyKings);
  const offsets = space.offsets();
  if (kings !== 0) {
    const all = turnedMen | turnedEnemyMen;
    const placement = menIndex(space, offsets, turnedEnemyMen, enemyMen, men);
    const base = placement * space.kings + rankSet(turnedEnemyKings, all) * space.enemyKings;
    const taken = all | turnedEnemyKings;
    for (let rest = kings; rest !== 0; rest &= rest - 1) {
      const square = lowest(rest);
      const others = place.turnedKings ^ (0x80000000 >>> square);
      for (let steps = KING_STEPS[square] & empty; steps !== 0; steps &= steps - 1) {
        writeRow(rows, base + rankSet(others | (0x80000000 >>> lowest(steps)), taken), rows.width);
      }
    }
  }
  for (let rest = men; rest !== 0; rest &= rest - 1) {
    const square = lowest(rest);
    const others = men ^ (1 << square);
    for (let steps = MAN_STEPS[square] & empty & (following | leading); steps !== 0; steps &= steps - 1) {
      const moved = others | (steps & -steps);
      const placement = menIndex(space, offsets, turnedEnemyMen, enemyMen, moved);
      put(rows, space, placement, turnedEnemyKings, place.turnedKings, turnedEnemyMen | turned(moved));
    }
  }
}

/** Emits the predecessors by quiet moves, in the second half, of the position that the first half has read. */
export function quietUnmoves({ place }: ReadHalf, { space, leading }: ReadHalf, rows: PlainRows): void {
  // All is seen by the player who moved here.
  const {
    turnedMen: enemyMen,
    turnedKings: enemyKings,
    turnedEnemyMen: men,
    turnedEnemyKings: kings,
  } = place;
  const enemies = enemyMen | enemyKings;
  const empty = ~(men | kings | enemies);
  const offsets = space.offsets();
  if (kings !== 0) {
    const placement = menIndex(space, offsets, men, place.enemyMen, place.men);
    for (let rest = kings; rest !== 0; rest &= rest - 1) {
      const bit = rest & -rest;
      for (let steps = KING_STEPS[lowest(bit)] & empty; steps !== 0; steps &= steps - 1) {
        const change = bit | (steps & -steps);
        const before = kings ^ change;
        if (canCapture(men, before, enemies, empty ^ change)) continue;
        put(rows, space, placement, before, enemyKings, men | enemyMen);
      }
    }
  }
  for (let rest = men; rest !== 0; rest &= rest - 1) {
    const bit = rest & -rest;
    for (let steps = BACK_STEPS[lowest(bit)] & empty; steps !== 0; steps &= steps - 1) {
      const change = bit | (steps & -steps);
      const before = men ^ change;
      if ((before & leading) === 0 || canCapture(before, kings, enemies, empty ^ change)) continue;
      const placement = menIndex(space, offsets, before, turned(before), place.men);
      put(rows, space, placement, kings, enemyKings, before | enemyMen);
    }
  }
}

function put(
  rows: PlainRows,
  space: CheckersSpace,
  placement: number,
  kings: number,
  enemyKings: number,
  men: number,
): void {
  writeRow(rows, indexWith(space, placement, men, kings, enemyKings), rows.width);
}
