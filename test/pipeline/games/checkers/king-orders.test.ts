/** The orders of published files: every position has one place, and the places are in the documented order. */
import { expect, test } from 'vitest';
import type { Side } from '../../../../pipeline/game/game.js';
import { checkers } from '../../../../pipeline/games/checkers/checkers.js';

const OWN_TURNED = 1;
const ENEMY_TURNED = 2;
const OWN_LEAST = 4;

/** Squares as the player to move sees them, the greatest first; counted from the far side if `turned`. */
function squaresOf(set: number, side: Side, turned: boolean): number[] {
  const squares: number[] = [];
  for (let i = 31; i >= 0; i--) {
    if (((set >>> ((side === 1) !== turned ? 31 - i : i)) & 1) === 1) squares.push(i);
  }
  return squares;
}

function digitsOf(slice: string, side: Side, index: number, number: number): number[] {
  const { width } = checkers.slice(slice);
  const board = checkers.board({ slice, side, part: Math.floor(index / width), key: index % width });
  const { blackKings, whiteKings } = board;
  const [own, enemy] = side === 0 ? [blackKings, whiteKings] : [whiteKings, blackKings];
  const mine = squaresOf(own, side, (number & OWN_TURNED) !== 0);
  const theirs = squaresOf(enemy, side, (number & ENEMY_TURNED) !== 0);
  return (number & OWN_LEAST) !== 0 ? [...theirs, ...mine] : [...mine, ...theirs];
}

function isLess(a: readonly number[], b: readonly number[]): boolean {
  const at = a.findIndex((digit, i) => digit !== b[i]);
  return at >= 0 && a[at] < b[at];
}

test.each<[string, number[][]]>([
  [
    '2100',
    [
      [1, 2, 3, 4, 5, 6, 7],
      [1, 2, 3, 4, 5, 6, 7],
    ],
  ],
  [
    '1110.30',
    [
      [1, 2, 3, 4, 5, 6, 7],
      [1, 2, 3, 4, 5, 6, 7],
    ],
  ],
  ['1011.06', [[1], [2]]],
  ['0011.66', [[], []]],
])('%s', (slice, known) => {
  for (const side of [0, 1] as const) {
    const { size, orders } = checkers.slice(slice);
    const numbers: number[] = [];
    for (const [number, order] of orders!(side).entries()) {
      if (order === null) continue;
      numbers.push(number);
      const { span, periods, placeOf } = order;
      expect(size % span).toBe(0);
      expect(periods.every((period) => span % period === 0)).toBe(true);
      for (const first of [0, size - span]) {
        const indices = new Array<number>(span).fill(-1);
        for (let i = 0; i < span; i++) indices[placeOf(first + i) - first] = first + i;
        const digits = indices.map((index) => digitsOf(slice, side, index, number));
        expect(digits.findIndex((each, i) => i > 0 && !isLess(digits[i - 1], each))).toBe(-1);
      }
    }
    expect(numbers).toEqual(known[side]);
  }
});
