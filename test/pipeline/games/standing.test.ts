/** Positions by where men stand: the image that is found is the same position, and stands as it was asked. */
import { expect, test } from 'vitest';
import { checkers } from '../../../pipeline/games/checkers/checkers.js';
import { chess } from '../../../pipeline/games/chess/chess.js';

const imageOf = (fen: string, wish: string) => {
  const image = chess.standing!(wish).imageOf(chess.parse(fen));
  return image === null ? null : chess.format(image);
};

const QUEEN = '8/8/8/8/8/3k4/8/K6Q w - - 0 1';
const PAWN = '4k3/8/8/8/8/8/1P6/K7 b - - 0 1';

test('men are found on squares, files and ranks, without pawns in any of eight images', () => {
  for (const [wish, found] of [
    ['Ka1', '8/8/8/8/8/3k4/8/K6Q w - - 0 1'],
    ['Qh1, kd3', '8/8/8/8/8/3k4/8/K6Q w - - 0 1'],
    ['Kh8', 'Q6K/8/4k3/8/8/8/8/8 w - - 0 1'],
    ['Kh8 Qh1', '7K/8/8/5k2/8/8/8/7Q w - - 0 1'],
    ['Ka8 ke6', null],
    ['kd Q8', 'K6Q/8/3k4/8/8/8/8/8 w - - 0 1'],
    ['Ra1', null],
    ['qa', null],
  ] as const)
    expect(imageOf(QUEEN, wish), wish).toBe(found);
});

test('every image is the position that it is an image of', () => {
  const { slice, ...place } = chess.locate(chess.parse(QUEEN));
  for (const square of ['a1', 'h1', 'a8', 'h8']) {
    for (const other of ['a1', 'h1', 'a8', 'h8']) {
      const image = chess.standing!(`K${square} Q${other}`).imageOf(chess.parse(QUEEN));
      if (image !== null) expect(chess.locate(image)).toEqual({ slice, ...place });
      // The king in a corner, and the queen in one beside it.
      const beside = square !== other && (square[0] === other[0] || square[1] === other[1]);
      expect(image !== null).toBe(beside);
    }
  }
});

test('with pawns only the left-right image counts', () => {
  expect(imageOf(PAWN, 'Pg2')).toBe('3k4/8/8/8/8/8/6P1/7K b - - 0 1');
  expect(imageOf(PAWN, 'Pb7')).toBe(null);
  expect(imageOf('8/8/8/8/k2Pp3/8/8/K7 b - d3 0 1', 'Pe4')).toBe('8/8/8/8/3pP2k/8/8/7K b - e3 0 1');
});

test('in checkers men and kings are found on squares', () => {
  const board = checkers.parse('B:WK18,22:B4');
  const stands = (wish: string) => checkers.standing!(wish).imageOf(board) !== null;
  expect(['WK18', 'w22 b4', 'W18', 'WK22', 'BK4', 'B3'].map(stands)).toEqual([
    ...[true, true, false, false, false, false],
  ]);
});

test('a text that names no man and square is refused', () => {
  for (const wish of ['K', 'Ki1', 'Ka9', 'a1', 'Ka1b', ''])
    expect(() => chess.standing!(wish), wish).toThrow(/expected for example Kg1/);
  for (const wish of ['W0', 'W33', 'K18', 'x']) expect(() => checkers.standing!(wish), wish).toThrow(/W18/);
});
