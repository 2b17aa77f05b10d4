/**
 * Published figures: longest wins of pawnless endings, stronger side to move. DTM in moves as every endgame table
 * since Thompson gives them; DTC of KRKN from Wendroff et al. 1993, Table 1. Every table is verified by forward moves.
 */
import { expect, test } from 'vitest';
import { endingsOf, solveChess } from '../support/solving.js';

const movesToMate: Record<string, number> = {
  KQK: 10,
  KRK: 16,
  KBBK: 19,
  KBNK: 33,
  KQKR: 35,
  KQKB: 17,
  KQKN: 21,
  KRKB: 29,
  KRKN: 40,
};

test('all endings up to 4 men: longest mates, every table verified', { timeout: 400_000 }, async () => {
  const { summaries } = await solveChess([...endingsOf(3), ...endingsOf(4)], { verify: true });
  expect(summaries).toHaveLength(1 + 4 + 20);
  const longest = new Map(summaries.map(({ slice, table }) => [slice, table.longestWin[0]]));
  for (const [slice, moves] of Object.entries(movesToMate)) {
    expect([slice, Math.ceil(longest.get(slice)! / 2)]).toEqual([slice, moves]);
  }
  for (const slice of ['KK', 'KBK', 'KNK']) expect(longest.get(slice)).toBeNull();
  for (const { slice, table, verified } of summaries) {
    expect([slice, verified]).toEqual([slice, table.positions[0] + table.positions[1]]);
  }
});

test('KRKN: longest win to conversion', { timeout: 120_000 }, async () => {
  const { summaries } = await solveChess(['KRKN'], { metric: 'dtc', verify: true });
  expect(Math.ceil(summaries.at(-1)!.table.longestWin[0]! / 2)).toBe(27);
});
