/**
 * Solved tables against a brute-force search that shares only the plain rules: random legal positions of each ending,
 * boards, locating and probing included.
 */
import { beforeAll, expect, test } from 'vitest';
import type { Store } from '../../../../operators/storage/store.js';
import { chess } from '../../../../pipeline/games/chess/chess.js';
import { newProber } from '../../../../pipeline/tables/probe/prober.js';
import { newSearch } from '../../../oracle/search.js';
import { LONG, LONGEST } from '../../../support/long.js';
import { randomPositions } from '../../../support/random-positions.js';
import { budgetOf, MiB, solveChess } from '../../../support/solving.js';

interface Material {
  readonly ending: string;
  /** Positions with a right to capture en passant. */
  readonly passant: boolean;
  /** Twice as many in the long tests, twenty times in the longest. */
  readonly positions: number;
  /** The mates that the search looks for. */
  readonly plies: number;
  /** Mates are so rare that there may be none among the positions. */
  readonly rare?: boolean;
}

const MATERIALS: readonly Material[] = [
  { ending: 'KQK', passant: false, positions: 30, plies: 5 },
  { ending: 'KRK', passant: false, positions: 40, plies: 5 },
  // Tables of four men are needed for these, of pawns against each other more than half of them.
  ...(LONG
    ? [
        { ending: 'KPK', passant: false, positions: 200, plies: 7 },
        { ending: 'KRKN', passant: false, positions: 300, plies: 3 },
        { ending: 'KNKP', passant: false, positions: 200, plies: 5, rare: true },
        { ending: 'KPKP', passant: false, positions: 150, plies: 5 },
        { ending: 'KPKP', passant: true, positions: 150, plies: 7, rare: true },
        { ending: 'KQKP', passant: false, positions: 50, plies: 5 },
      ]
    : []),
  // All tables of four men are needed for these.
  ...(LONGEST
    ? [
        { ending: 'KPPK', passant: false, positions: 250, plies: 5 },
        { ending: 'KRPK', passant: false, positions: 50, plies: 5 },
      ]
    : []),
];

let store: Store;
beforeAll(async () => {
  const slices = new Set(MATERIALS.flatMap(({ ending }) => chess.ending(ending).slices));
  ({ store } = await solveChess([...slices], { budget: budgetOf(64 * MiB) }));
}, 900_000);

test.each(MATERIALS)(
  '$ending, en passant $passant: the table has the mates in $plies plies and no others',
  { timeout: 900_000 },
  async ({ ending, passant, positions, plies, rare }) => {
    const prober = newProber({ game: chess, metric: 'dtm', store, cacheBytes: 16 * MiB });
    const search = newSearch();
    const boards = randomPositions(ending, positions * (LONGEST ? 20 : LONG ? 2 : 1), {
      seed: 2001,
      passant,
      close: 0.7,
    });
    let mates = 0;
    for (const board of boards) {
      const mate = search.mateWithin(board, plies);
      const probed = await prober.probe(board);
      const isNear = probed.plies !== null && probed.plies <= plies;
      const expected = mate === null ? null : { wdl: mate.wdl === 1 ? 'win' : 'loss', plies: mate.plies };
      const found = isNear ? { wdl: probed.wdl, plies: probed.plies } : null;
      if (JSON.stringify(found) !== JSON.stringify(expected)) {
        const fen = chess.format(board);
        expect({ fen, found }).toEqual({ fen, found: expected });
      }
      if (mate !== null) mates++;
    }
    expect(mates).toBeGreaterThanOrEqual(rare ? 0 : 1);
    expect(mates).toBeLessThan(boards.length);
  },
);
