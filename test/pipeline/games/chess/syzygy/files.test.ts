/** Files of three men, looked into by a reader of the tests' own. */

import { beforeAll, describe, expect, it } from 'vitest';
import { parseFen } from '../../../../../pipeline/games/chess/fen.js';
import { legalMoves } from '../../../../../pipeline/games/chess/rules.js';
import type { Plies } from '../../../../../pipeline/games/chess/syzygy/cells.js';
import { knownOracle, type Oracle } from '../../../../oracle/oracle.js';
import { ifShort, LONG, LONGEST, sweep } from '../../../../support/long.js';
import {
  expectedOf,
  type Files,
  filesOf,
  pawnFiles,
  positionsOf,
  type SolvedEnding,
  solveEnding,
} from './making.js';
import { syzygyProber } from './syzygy-prober.js';

const proberOf = (files: Files) => syzygyProber((name) => files.get(name) ?? null);

/** Bytes of the published files (syzygy-tables.info, checksums/bytes.tsv). */
const PUBLISHED: Record<string, [wdl: number, dtz: number]> = {
  KQvK: [272, 5328],
  KRvK: [208, 8272],
  KBvK: [80, 80],
  KNvK: [80, 80],
  KPvK: [7824, 4176],
};

describe("Syzygy's files", () => {
  let solved: SolvedEnding;
  let files: Files;
  let oracle: Oracle;
  beforeAll(async () => {
    solved = await solveEnding('KPK');
    files = await pawnFiles('exact');
    oracle = knownOracle(LONG ? 'KPK' : 'KQK', 'dtz');
  });

  it('are written for the ending and all that it converts to, about as large as published ones', () => {
    expect(files.size).toBe(10);
    for (const [name, [wdl, dtz]] of Object.entries(PUBLISHED)) {
      expect(files.get(`${name}.rtbw`)!.length, name).toBeLessThanOrEqual(wdl);
      expect(files.get(`${name}.rtbz`)!.length, name).toBeLessThan(1.05 * dtz);
    }
  });

  it.each(
    sweep(
      [{ ending: 'KQK', step: 23 }],
      [
        { ending: 'KPK', step: 59 },
        { ending: 'KRK', step: 23 },
        { ending: 'KNK', step: 101 },
      ],
    ),
  )('of $ending have the values of the oracle', async ({ ending, step }) => {
    const prober = proberOf(files);
    const wrong: unknown[] = [];
    for (const { fen } of await positionsOf(solved, ending, step)) {
      const board = parseFen(fen);
      const { wdl, plies } = oracle.value(board);
      const is = { wdl: prober.wdl(board) + 0, dtz: prober.dtz(board) + 0 };
      const should = { wdl: 2 * wdl, dtz: wdl === 0 ? 0 : wdl * Math.max(1, plies) };
      if (is.wdl !== should.wdl || is.dtz !== should.dtz) wrong.push({ fen, is, should });
    }
    expect(wrong).toEqual([]);
  });

  it.skipIf(!LONG)(`have the same values and about the same size in any memory${ifShort}`, async () => {
    const prober = proberOf(files);
    const positions = await positionsOf(solved, 'KPK', 59);
    for (const memory of LONGEST ? [256 << 20, 1 << 20] : [1 << 20]) {
      const others = await filesOf(solved, 'exact', { memory });
      expect([...others.keys()]).toEqual([...files.keys()]);
      for (const [name, bytes] of others)
        expect(bytes.length, name).toBeLessThan(1.02 * files.get(name)!.length + 64);
      const other = proberOf(others);
      const wrong = positions.filter(({ fen }) => {
        const board = parseFen(fen);
        return other.wdl(board) !== prober.wdl(board) || other.dtz(board) !== prober.dtz(board);
      });
      expect(wrong).toEqual([]);
    }
  });

  /** Files of KRK as if its mates took some more plies, and the right values of some positions. */
  async function lateMates(later: number, plies: Plies) {
    const late = (code: number) => (code === 0 ? 0 : code > 0 ? code + later : code - later);
    const change = (_: unknown, code: number) => late(code);
    const prober = proberOf(await filesOf({ ...solved, name: 'KRK' }, plies, { change, alone: true }));
    const positions = await positionsOf(solved, 'KRK', LONG ? 23 : 41);
    return positions.flatMap(({ fen, code }) => {
      const board = parseFen(fen);
      const found = { outcome: prober.wdl(board) + 2, plies: Math.abs(prober.dtz(board)) };
      // Programs know without a file that a mate is one.
      return legalMoves(board).length === 0 ? [] : [{ fen, should: expectedOf(late(code)), found }];
    });
  }

  it('may have plies halved: an even number is then the odd one below', async () => {
    const differences = new Set<number>();
    for (const { fen, should, found } of await lateMates(1, 'halved')) {
      expect(found.outcome, fen).toBe(should.outcome);
      differences.add(should.plies - found.plies);
    }
    expect([...differences].sort()).toEqual([0, 1]);
  });

  it('have wins that the 50-move rule draws, in pairs of plies', async () => {
    const seen = new Set<number>();
    for (const { fen, should, found } of await lateMates(80, 'exact')) {
      seen.add(should.outcome);
      expect(found.outcome, fen).toBe(should.outcome);
      const difference = Math.abs(found.plies - should.plies);
      expect(difference, fen).toBeLessThanOrEqual(should.plies > 100 ? 1 : 0);
    }
    expect([...seen].sort()).toEqual([0, 1, 2, 3, 4]);
  });
});
