/** Guesses of how many positions a game has, from those of its first layers. */
import { expect, test } from 'vitest';
import { guessAhead, guessNodes } from '../../../pipeline/graph/guess-nodes.js';

/** Positions of Connect Four on 5 x 5 squares by moves made, mirror images counted once: 34,888,367 in all. */
const FIVE = [
  ...[1, 3, 13, 49, 177, 545, 1686, 4699, 12562, 30477, 69873, 150005, 298208, 564459, 974705, 1616135],
  ...[2385289, 3395606, 4198598, 4978556, 4906950, 4511068, 3316658, 2173593, 1006013, 292439],
];
const sum = (layers: readonly number[]): number => layers.reduce((all, layer) => all + layer, 0);
const guessed = (layers: readonly number[]): number => guessNodes(layers, sum(layers));

test('are within a factor of four for a game whose growth falls evenly', () => {
  const all = sum(FIVE);
  expect(all).toBe(34_888_367);
  for (let moves = 11; moves < FIVE.length; moves++) {
    const guess = guessed(FIVE.slice(0, moves + 1));
    expect(guess).toBeGreaterThan(all / 2);
    expect(guess).toBeLessThan(4 * all);
  }
});

test('are none while layers are small, and infinite while growth does not fall', () => {
  expect(guessed(FIVE.slice(0, 7))).toBe(0);
  expect(guessed([1 << 10, 1 << 11, 1 << 12, 1 << 13])).toBe(Number.POSITIVE_INFINITY);
});

test('are finite where growth falls very slowly', () => {
  expect(guessed([1e6, 1e6 + 2, 1e6 + 4, 1e6 + 5.999_999])).toBeGreaterThan(1e9);
});

test('are the positions found once layers become smaller', () => {
  const layers = [40_000, 30_000, 20_000, 10_000];
  expect(guessed(layers)).toBe(100_000);
});

test('of the layers ahead follow them until they have shrunk to nothing', () => {
  for (let moves = 16; moves < FIVE.length - 3; moves++) {
    const ahead = guessAhead(FIVE.slice(0, moves + 1), 0)!;
    expect(ahead / sum(FIVE.slice(moves + 1))).toBeGreaterThan(0.5);
    expect(ahead / sum(FIVE.slice(moves + 1))).toBeLessThan(2.5);
  }
  expect(guessAhead(FIVE.slice(0, 7), 0)).toBe(null);
  // Each half as large as the one before.
  expect(guessAhead([8192, 4096, 2048, 1024], 0)).toBeCloseTo(1023.5, 3);
  // Shrinking, though less and less.
  expect(guessAhead([9000, 4000, 2500, 2000], 0)).toBeLessThan(2000 / (1 - Math.sqrt(2000 / 4000)));
});
