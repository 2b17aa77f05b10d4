import { expect, it } from 'vitest';
import { ifShort, LONG, sweep } from '../support/long.js';
import { solveOracle } from './oracle.js';

type Published = [ending: string, metric: 'dtm' | 'dtc', longest: number, positions: number];
const few: Published[] = [
  ['KQK', 'dtm', 20, 46_137],
  ['KRK', 'dtc', 32, 50_015],
];
const more: Published[] = [
  ['KRK', 'dtm', 32, 50_015],
  ['KNK', 'dtc', 0, 53_806],
];
it.each(sweep(few, more))(
  '%s, %s: the longest win takes the published number of plies',
  (ending, metric, longest, positions) => {
    const oracle = solveOracle(ending, metric);
    let most = 0;
    let count = 0;
    let blackWins = 0;
    for (const board of oracle.boards()) {
      count++;
      const { wdl, plies } = oracle.value(board);
      if (wdl === (board.side === 0 ? -1 : 1)) blackWins++;
      most = Math.max(most, plies);
    }
    expect(most).toBe(longest);
    expect(count).toBe(oracle.positions);
    expect(count).toBe(positions);
    expect(blackWins).toBe(0);
  },
);

it.skipIf(!LONG)(`has only wins, losses and draws for wdl${ifShort}`, () => {
  const oracle = solveOracle('KQK', 'wdl');
  let mostPlies = 0;
  const counts = { '-1': 0, '0': 0, '1': 0 };
  for (const board of oracle.boards()) {
    const { wdl, plies } = oracle.value(board);
    mostPlies = Math.max(mostPlies, plies);
    counts[wdl]++;
  }
  expect(mostPlies).toBe(0);
  expect(counts).toEqual({ '-1': 25_160, '0': 2_896, '1': 18_081 });
});
