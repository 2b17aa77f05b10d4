/**
 * Selfmates of five men beside a second solver (test/oracle/selfmates.ts): every position, its plies, and the number of White's best moves. The
 * naive solver compares those of three and four men: test/differential/problems.test.ts.
 */
import { rmSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { localStore } from '../../operators/storage/local.js';
import { withoutRepeats } from '../../pipeline/game/repeats.js';
import { brokenIn, decodeValue, type ValueColumn } from '../../pipeline/game/value.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import { openNumbers, valuesWithNumbers } from '../../pipeline/tables/numbers.js';
import { needTable } from '../../pipeline/tables/table.js';
import { Selfmates } from '../oracle/selfmates.js';
import { newFolder } from '../support/folders.js';
import { sweep } from '../support/long.js';
import { solveGame } from '../support/solving.js';

const game = chess.sided!;
const metric = 'self';
const folder = newFolder();
const store = localStore(folder, { durable: false });
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Case {
  readonly name: string;
  /** The last ranks of its pawn before promotion; all by default. */
  readonly ranks?: readonly number[];
  /** Positions that have a solution, up to symmetry and without a right to capture en passant, by side to move; and the longest in plies. */
  readonly counts: readonly [white: number, black: number, longest: number];
}

const SHORT: readonly Case[] = [{ name: 'KQvKR', counts: [306, 0, 0] }];
const LONG: readonly Case[] = [
  { name: 'KPvKQ', counts: [8156, 0, 0] },
  { name: 'KQRvKR', counts: [8943, 6, 2] },
];
/** White needs a queen's force to drive Black on. */
const LONGEST: readonly Case[] = [
  { name: 'KRBvKP', ranks: [2, 3], counts: [248, 6, 2] },
  { name: 'KQQvKR', counts: [2447, 0, 0] },
  { name: 'KRRvKQ', counts: [24_466, 161, 4] },
  { name: 'KQBvKQ', counts: [49_064, 2056, 28] },
  { name: 'KQRvKQ', counts: [304_145, 63_900, 114] },
  { name: 'KQQvKQ', counts: [4_930_364, 2_457_150, 318] },
  { name: 'KQRvKP', counts: [0, 0, 0] },
  { name: 'KQQvKP', counts: [0, 0, 0] },
];

const titleOf = ({ name, ranks }: Case) =>
  ranks === undefined ? name : `${name} with the pawn on rank ${ranks.join(' or ')}`;
const titled = (cases: readonly Case[]) => cases.map((each) => [titleOf(each), each] as const);

describe.each(sweep(titled(SHORT), titled(LONG), titled(LONGEST)))(
  '%s',
  (_, { name, ranks, counts: expected }) => {
    test('every position has the plies and best first moves of the second solver', {
      timeout: 3_600_000,
    }, async () => {
      const endings = ranks === undefined ? [name] : ranks.map((rank) => `${name}.${rank}`);
      const slices = endings.flatMap((ending) => game.ending(ending).slices);
      await solveGame(game, slices, { metric, store, verify: true });
      const solved = new Selfmates(name, ranks?.length);
      const found: [number, number] = [0, 0];
      const differ: unknown[] = [];
      for (const slice of slices) {
        const table = await needTable(store, game, metric, slice);
        const numbers = openNumbers(store, table);
        for (const side of [0, 1] as const)
          for await (const batch of valuesWithNumbers(table, numbers, side, 0, table.slice.parts)) {
            const { major, first, length, columns } = batch;
            const all = (columns[0] as ValueColumn).subarray(0, length);
            const codes = withoutRepeats(table.slice, major, first, all);
            const broken = brokenIn(codes);
            for (let i = 0; i < length; i++) {
              if (codes[i] === 0 || codes[i] === broken) continue;
              const { squares, passant = -1 } = game.board({ slice, side, part: major, key: first + i });
              if (passant < 0) found[side]++;
              const { plies } = decodeValue(codes[i], metric);
              // Best moves are White's, who has none left where it is mated.
              const number = side === 0 && plies !== 0 ? columns[1][i] : 0;
              const wanted = solved.value({ squares, side, passant });
              if (wanted?.plies === plies && wanted.number === number) continue;
              if (differ.length < 5)
                differ.push({ slice, key: first + i, major, side, plies, number, wanted });
            }
          }
      }
      expect(differ).toEqual([]);
      // As many here as there: so no position has a solution there and none here.
      const counts = [...solved.counts()];
      const there = [0, 1].map((side) =>
        counts.filter(([plies]) => plies % 2 === side).reduce((sum, [, positions]) => sum + positions, 0),
      );
      expect(found).toEqual(there);
      expect([...found, Math.max(0, ...counts.map(([plies]) => plies))]).toEqual(expected);
    });
  },
);
