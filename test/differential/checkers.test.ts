/** Positions of checkers against the naive oracle, and the same tables under every configuration. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Store } from '../../operators/storage/store.js';
import type { SliceSummary } from '../../pipeline/engine/crew/solve.js';
import type { Game, Side } from '../../pipeline/game/game.js';
import { decodeValue, type Metric, type Wdl } from '../../pipeline/game/value.js';
import { halfOf } from '../../pipeline/game/views.js';
import { checkers } from '../../pipeline/games/checkers/checkers.js';
import { type CheckersOracle, solveClasses, solveUpTo } from '../oracle/checkers/oracle.js';
import { toPosition } from '../pipeline/games/checkers/boards.js';
import { ifNotLongest, ifShort, LONG, LONGEST, sweep } from '../support/long.js';
import { valuesOf } from '../support/paged.js';
import { budgetOf, digestsOf, MiB, type Solving, solveGame } from '../support/solving.js';

const game = checkers as Game;
const SIGNS: Partial<Record<Wdl, number>> = { win: 1, draw: 0, loss: -1 };
const slicesUpTo = (pieces: number) => checkers.endingsUpTo(pieces).flatMap(({ slices }) => slices);

/** Compares every position of solved slices; returns how many. */
async function compare(
  slices: readonly string[],
  metric: Metric,
  store: Store,
  oracle: CheckersOracle,
): Promise<number> {
  let compared = 0;
  for (const slice of slices) {
    const { width } = checkers.slice(slice);
    for (const [side, values] of (await valuesOf(game, slice, metric, store)).entries()) {
      for (let index = 0; index < values.length; index++) {
        const at = { slice, side: side as Side, part: Math.floor(index / width), key: index % width };
        const board = checkers.board(at);
        const wanted = oracle.value(toPosition(board));
        const code = values[index];
        const found = code === null ? null : decodeValue(code, metric);
        compared++;
        // Draws have no plies, and under wdl nothing has.
        const plies = wanted.wdl === 0 || metric === 'wdl' ? null : wanted.plies;
        if (found !== null && SIGNS[found.wdl] === wanted.wdl && found.plies === plies) continue;
        expect({ fen: checkers.format(board), metric, found }).toEqual({ ...wanted, plies });
      }
    }
  }
  return compared;
}

const sizeOf = (slices: readonly string[]) =>
  slices.reduce((sum, slice) => sum + 2 * checkers.slice(slice).size, 0);

/** If both sides of a slice are the same positions with the colours exchanged, their tables are the same. */
function expectRepeats(summaries: readonly SliceSummary[]): number {
  let repeats = 0;
  for (const { slice, table } of summaries) {
    if (!halfOf(checkers as Game, slice, 1).repeats || slice === '0000') continue;
    expect([slice, table.digests[1]]).toEqual([slice, table.digests[0]]);
    repeats++;
  }
  return repeats;
}

describe('every position has the value of the oracle, either side to move', () => {
  const solveAndCompare = async (
    slices: readonly string[],
    metric: Metric,
    oracle: CheckersOracle,
  ): Promise<SliceSummary[]> => {
    const { store, summaries } = await solveGame(checkers, slices, { metric, budget: budgetOf(8 * MiB) });
    const solved = summaries.map(({ slice }) => slice).filter((slice) => slice !== '0000');
    expect(solved).toEqual(expect.arrayContaining([...slices]));
    expect(await compare(solved, metric, store, oracle)).toBe(sizeOf(solved));
    return summaries;
  };

  describe('up to three pieces', () => {
    let oracle: CheckersOracle;
    beforeAll(() => {
      oracle = solveUpTo(3);
    });
    test.each(sweep<[number, Metric]>([[3, 'dtw']], [[2, 'wdl']], [[3, 'wdl']]))(
      '%i, %s',
      async (pieces, metric) => {
        const summaries = await solveAndCompare(slicesUpTo(pieces), metric, oracle);
        // King against king, and man against man with both on the same rank.
        expect(expectRepeats(summaries)).toBe(1 + 7);
      },
    );
  });

  test.skipIf(!LONG)(`two kings against two${ifShort}`, async () => {
    const oracle = solveClasses(['2200']);
    for (const metric of LONGEST ? (['dtw', 'wdl'] as const) : (['wdl'] as const)) {
      expect(expectRepeats(await solveAndCompare(['2200'], metric, oracle))).toBe(2);
    }
  });

  test.skipIf(!LONGEST)(`up to four pieces${ifNotLongest}`, { timeout: 900_000 }, async () => {
    const summaries = await solveAndCompare(slicesUpTo(4), 'dtw', solveUpTo(4));
    // 1100 and 2200; 0011, 1111 and 0022 by rank.
    expect(expectRepeats(summaries)).toBe(2 + 3 * 7);
  });
});

describe('the same tables under every configuration', () => {
  /** Kings alone, men of one side and of both; some slices are their own mirror images. */
  const three = ['1100', '1110.50', '1011.63', '0011.22'];
  const four = ['2200', ...three.slice(1)];
  const tight = { memory: MiB, fanIn: 2, batchRows: 65536 };
  const batches: Solving = { strategy: 'lookup', budget: { ...tight, batchRows: 1000 } };
  const lookup: Solving = { strategy: 'lookup', budget: tight };
  const cases = sweep<[string, Metric, readonly string[], Solving]>(
    [['1 MiB, verified', 'dtw', four, { budget: tight, verify: true }]],
    [
      ['lookup, batches of 1000', 'dtw', three, batches],
      ['lookup, 1 MiB', 'wdl', three, lookup],
    ],
    [
      ['lookup, batches of 1000, four pieces', 'dtw', four, batches],
      ['lookup, 1 MiB, four pieces', 'wdl', four, lookup],
    ],
  );

  test.each(cases)('%s, %s', async (_, metric, slices, configuration) => {
    const { summaries } = await solveGame(checkers, slices, { metric, ...configuration });
    const reference = await solveGame(checkers, slices, { metric });
    expect(digestsOf(summaries)).toEqual(digestsOf(reference.summaries));
    for (const { table, verified } of summaries) {
      expect(verified).toBe(configuration.verify ? table.positions[0] + table.positions[1] : null);
    }
  });

  test.skipIf(!LONG)(`a slice of four parts solved by one member and by three${ifShort}`, async () => {
    expect(checkers.slice('4100').parts).toBe(4);
    const how = { metric: 'wdl', budget: budgetOf(16 * MiB) } as const;
    const one = await solveGame(checkers, ['4100'], how);
    const three = await solveGame(checkers, ['4100'], { ...how, workers: 3 });
    expect(digestsOf(three.summaries)).toEqual(digestsOf(one.summaries));
  });
});
