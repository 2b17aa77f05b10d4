/**
 * Published figures: longest wins in moves of pawnless endings, stronger side to move, by distance to mate, as every
 * endgame table since Thompson gives them.
 */
import { expect } from 'vitest';
import { solveChess } from '../support/solving.js';

const movesToMate: Record<string, number | null> = {
  KK: null,
  KBK: null,
  KNK: null,
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

/** Solves and verifies the endings, and compares the longest wins of those that have a published one. */
export async function expectPublished(endings: readonly string[]): Promise<void> {
  const { summaries } = await solveChess(endings, { verify: true });
  let compared = 0;
  for (const { slice, table, verified } of summaries) {
    expect([slice, verified]).toEqual([slice, table.positions[0] + table.positions[1]]);
    const published = movesToMate[slice];
    if (published === undefined) continue;
    const plies = table.longestWin[0];
    expect([slice, plies === null ? null : Math.ceil(plies / 2)]).toEqual([slice, published]);
    compared++;
  }
  expect(summaries.map(({ slice }) => slice)).toEqual(expect.arrayContaining([...endings]));
  expect(compared).toBeGreaterThanOrEqual(5);
}
