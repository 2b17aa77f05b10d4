/** The end of nine men's morris, three men against three: the published number of positions, and every value against a naive solver. */
import { solveInMemory } from 'mergemate';
import { expect, test } from 'vitest';
import game from '../../samples/morris/game.js';
import { ifNotLongest, LONGEST } from '../support/long.js';
import { valuesOf } from '../support/paged.js';

/** Squares of seven by seven that are points, from the uppermost row; and the lines through three of them. */
const AT = [0, 3, 6, 8, 10, 12, 16, 17, 18, 21, 22, 23, 25, 26, 27, 30, 31, 32, 36, 38, 40, 42, 45, 48];
const column = (square: number) => square % 7;
const LINES = [
  ...Array.from({ length: 8 }, (_, i) => AT.slice(3 * i, 3 * i + 3)),
  ...[0, 1, 2, 4, 5, 6].map((x) => AT.filter((square) => column(square) === x)),
  [3, 10, 17],
  [31, 38, 45],
];
const MILLS = LINES.map((line) => line.reduce((set, square) => set | (1 << AT.indexOf(square)), 0));

/** The square of a point of the sample, which counts round squares from the outermost on, clockwise from a corner. */
function squareOf(point: number): number {
  const radius = 3 - Math.floor(point / 8);
  const [x, y] = [
    [-1, -1],
    [0, -1],
    [1, -1],
    [1, 0],
    [1, 1],
    [0, 1],
    [-1, 1],
    [-1, 0],
  ][point % 8];
  return (3 + radius * y) * 7 + 3 + radius * x;
}

/** Sets of three points in the order in which the sample counts them. */
const sets: number[] = [];
const bit = (point: number) => 1 << AT.indexOf(squareOf(point));
for (let a = 0; a < 24; a++)
  for (let b = a + 1; b < 24; b++) for (let c = b + 1; c < 24; c++) sets.push(bit(a) | bit(b) | bit(c));
const numberOf = new Map(sets.map((set, i) => [set, i]));
const isMill = sets.map((set) => MILLS.includes(set));
/** The numbers of the sets after a move. */
const after = sets.map((set) => {
  const found: number[] = [];
  for (let from = 0; from < 24; from++)
    for (let to = 0; to < 24; to++)
      if (((set >> from) & 1) === 1 && ((set >> to) & 1) === 0)
        found.push(numberOf.get((set & ~(1 << from)) | (1 << to))!);
  return found;
});

/** Codes as tables have them (n: won in n plies, -n - 1: lost in n), by own * 2024 + other, in rounds over all positions. */
function naiveValues(): Int8Array {
  const values = new Int8Array(sets.length ** 2);
  for (let ply = 1, found = 1; found > 0; ply++) {
    found = 0;
    for (let at = 0; at < values.length; at++) {
      const [own, other] = [Math.floor(at / sets.length), at % sets.length];
      if (values[at] !== 0 || (sets[own] & sets[other]) !== 0) continue;
      let isLost = true;
      let isWon = false;
      for (const next of after[own]) {
        if ((sets[next] & sets[other]) !== 0) continue;
        const value = isMill[next] ? -1 : values[other * sets.length + next];
        if (value === -ply) isWon = true;
        if (value <= 0 || value >= ply) isLost = false;
      }
      if (!isWon && !isLost) continue;
      values[at] = isWon ? ply : -ply - 1;
      found++;
    }
  }
  return values;
}

test.skipIf(!LONGEST)(
  `three against three: 56,922 positions (Gasser 1996), and their values${ifNotLongest}`,
  async () => {
    const naive = naiveValues();
    const { store } = await solveInMemory(game);
    const values = await valuesOf(game, 'morris', 'dtw', store);
    for (const side of [0, 1] as const) {
      const ofSide = values[side];
      // The last number is that of who has lost a man.
      expect(ofSide.pop()).toBe(-1);
      expect(ofSide.filter((value) => value !== null).length).toBe(56_922);
    }
    let wrong = 0;
    for (let at = 0; at < naive.length; at++) {
      const men = [Math.floor(at / sets.length), at % sets.length] as const;
      if ((sets[men[0]] & sets[men[1]]) !== 0) continue;
      for (const side of [0, 1] as const)
        if (values[side][game.locate({ men, side }).key] !== naive[at]) wrong++;
    }
    expect(wrong).toBe(0);
  },
  1_800_000,
);
