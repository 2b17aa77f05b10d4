/** Values: codes in words, and their change by a move. */
import { describe, expect, test } from 'vitest';
import { asksPlies, backUp, decodeValue, fromPreference, preference } from '../../../pipeline/game/value.js';

test.each([
  [1, 'win', 1],
  [100, 'win', 100],
  [101, 'cursed win', 101],
  [0, 'draw', null],
  [-1, 'loss', 0],
  [-101, 'loss', 100],
  [-102, 'blessed loss', 101],
] as const)('dtz: code %i is a %s', (code, wdl, plies) => {
  expect(decodeValue(code, 'dtz')).toEqual({ wdl, plies });
});

test.each(['dtm', 'dtc', 'dtw'] as const)('%s ignores the 50-move rule', (metric) => {
  expect(decodeValue(112, metric)).toEqual({ wdl: 'win', plies: 112 });
  expect(decodeValue(-113, metric)).toEqual({ wdl: 'loss', plies: 112 });
});

test('wdl has three values', () => {
  expect([1, 0, -1].map((code) => decodeValue(code, 'wdl'))).toEqual([
    { wdl: 'win', plies: null },
    { wdl: 'draw', plies: null },
    { wdl: 'loss', plies: null },
  ]);
});

describe('a move', () => {
  // Before: the successor's code. After: that of the position before it.
  test.each([
    ['counts on', false, [-1, -101, -102, 1, 100, 101, 0], [1, 101, 102, -3, -102, -103, 0]],
    ['is a zeroing move', true, [-1, -101, -102, 1, 100, 101, 0], [1, 1, 101, -2, -2, -102, 0]],
  ] as const)('under dtz that %s', (_, restarts, before, after) => {
    expect(before.map((code) => backUp(code, 'dtz', restarts))).toEqual(after);
  });

  test('under dtc, dtm and wdl', () => {
    expect([-201, 300].map((code) => backUp(code, 'dtc', true))).toEqual([1, -2]);
    expect([-201, 300].map((code) => backUp(code, 'dtm', false))).toEqual([201, -302]);
    for (const restarts of [false, true]) {
      expect([-1, 1, 0].map((code) => backUp(code, 'wdl', restarts))).toEqual([1, -2, 0]);
    }
  });

  test('needs plies only where they make a difference', () => {
    const cases = [
      ['dtm', false],
      ['dtc', true],
      ['dtz', true],
      ['dtz', false],
      ['wdl', false],
    ] as const;
    for (const [metric, restarts] of cases) {
      const differ = [-202, -5, 7, 300].some(
        (code) => backUp(code, metric, restarts) !== backUp(code < 0 ? -1 : 1, metric, restarts),
      );
      expect([metric, restarts, asksPlies(metric, restarts)]).toEqual([metric, restarts, differ]);
    }
  });
});

test('the mover prefers a win to a cursed win, that to a draw, that to a blessed loss, and any to a loss', () => {
  const codes = [1, 100, 101, 400, 0, -402, -102, -101, -1];
  const ranks = codes.map(preference);
  expect([...ranks].sort((a, b) => b - a)).toEqual(ranks);
  expect(ranks.map(fromPreference)).toEqual(codes);
});
