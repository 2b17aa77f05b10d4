/** What stipulations ask for, as editors of studies write them. */
import { expect, test } from 'vitest';
import { claimedOutcomes, outcomeBy } from '../../../jobs/study/aim.js';

test.each([
  ['+', 'w', 'w'],
  ['+-', 'w', 'w'],
  ['-+', 'b', 'b'],
  ['=', null, 'w'],
  ['win', 'w', 'w'],
  ['White to play and win', 'w', 'w'],
  ['White wins.', 'w', 'w'],
  ['Black to move, White wins', 'w', 'w'],
  ['Black to move and win', 'b', 'b'],
  ['White to move, Black wins', 'b', 'b'],
  ['Draw', null, 'w'],
  ['White to play and draw', null, 'w'],
  ['Black to play, White draws', null, 'w'],
  ['Black to play and draw', null, 'b'],
])('%s', (stipulation, winner, solver) => {
  expect(outcomeBy(stipulation)).toEqual({ winner, solver });
});

test.each(['h#3', '#2', 's#5', 'ser-h=4', 'White to play', 'wins in 3'])(
  '%s is no outcome',
  (stipulation) => {
    expect(outcomeBy(stipulation)).toBeUndefined();
  },
);

test('a result names no side that has to draw', () => {
  const fen = '8/8/8/8/8/2k5/1p6/1K6 b - - 0 1';
  const claims = claimedOutcomes({ tags: {}, operations: {}, result: '1/2-1/2', fen });
  expect(claims).toEqual([{ claim: 'Result', text: '1/2-1/2', winner: null }]);
});
