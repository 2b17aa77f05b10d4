/** Reasons of draws, from the moves of a position. */
import { expect, test } from 'vitest';
import { drawReason, isInsufficient } from '../../../jobs/web/drawn.js';
import type { ShownMove, ShownPosition } from '../../../jobs/web/source.js';

const move = (san: string, wdl: ShownMove['wdl'], position: string): ShownMove => ({
  uci: san,
  san,
  position,
  wdl,
  plies: null,
  precise: true,
  category: wdl === 'draw' ? 'draw' : 'loss',
  conversion: false,
});
const FULL = '8/8/8/8/2r5/8/2k5/K6Q b - - 0 1';
const BARE = '8/8/8/8/8/8/2k5/K7 b - - 0 1';
const drawn = (...moves: readonly ShownMove[]): ShownPosition => ({
  game: 'chess',
  metric: 'dtm',
  position: '8/8/8/8/2r5/8/2k5/K6Q w - - 0 1',
  ending: 'KQKR',
  mover: 'white',
  isOver: false,
  wdl: 'draw',
  plies: null,
  precise: true,
  category: 'draw',
  diagram: '',
  moves: [...moves],
});

test('the only move that holds the draw is named, and the others are counted', () => {
  const answer = drawn(move('Kg7', 'draw', FULL), move('Kg8', 'loss', FULL), move('Kh7', 'loss', FULL));
  expect(drawReason(answer)).toBe('Only Kg7 draws; the other 2 lose.');
});

test('captures that leave too few men to mate are named', () => {
  const answer = drawn(move('Kxb5', 'draw', BARE), move('Ka7', 'draw', FULL));
  expect(drawReason(answer)).toBe('Every move draws. Kxb5 leaves men that cannot mate.');
});

test('many moves that hold the draw are counted', () => {
  const holding = ['a', 'b', 'c', 'd'].map((san) => move(san, 'draw', FULL));
  expect(drawReason(drawn(...holding, move('e', 'loss', FULL)))).toBe(
    '4 of 5 moves draw; the other move loses.',
  );
});

test('moves to a loss that the 50-move rule draws hold, and are named', () => {
  const answer = drawn(
    move('Kg7', 'draw', FULL),
    move('Kg8', 'blessed loss', FULL),
    move('Kh7', 'loss', FULL),
  );
  expect(drawReason(answer)).toBe(
    'Only Kg7 and Kg8 draw; the other move loses. Kg8 draws by the 50-move rule alone.',
  );
  const every = drawn(move('Kg7', 'draw', FULL), move('Kg8', 'blessed loss', BARE));
  expect(drawReason(every)).toMatch(/^Every move draws\. Kg8 draws by the 50-move rule alone\./);
});

test('wins, finished games and men that cannot mate get no reason', () => {
  expect(drawReason({ ...drawn(), wdl: 'win' })).toBe(null);
  expect(drawReason({ ...drawn(), isOver: true })).toBe(null);
  expect(drawReason({ ...drawn(move('Kb1', 'draw', BARE)), position: BARE })).toBe(null);
});

test.each([
  ['8/8/8/8/8/8/2k5/K7 w - - 0 1', true],
  ['8/8/8/8/8/8/2k5/K6N w - - 0 1', true],
  ['b7/8/8/8/8/8/2k5/K6B w - - 0 1', true],
  ['8/b7/8/8/8/8/2k5/K6B w - - 0 1', false],
  ['8/8/8/8/8/8/2k5/K5NN w - - 0 1', false],
])('whether the men of %s cannot mate: %s', (fen, expected) => {
  expect(isInsufficient(fen)).toBe(expected);
});
