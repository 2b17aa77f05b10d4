/** Every position of every 3-man ending and of some 4-man endings against the naive oracle, under every metric. */
import { describe, expect, test } from 'vitest';
import type { Store } from '../../operators/storage/store.js';
import type { Side } from '../../pipeline/game/game.js';
import { countRepeats } from '../../pipeline/game/repeats.js';
import { brokenIn, decodeValue, type ValueColumn } from '../../pipeline/game/value.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import { needTable } from '../../pipeline/tables/table.js';
import { knownOracle, type Oracle, type OracleMetric, solveOracle } from '../oracle/oracle.js';
import { ifNotLongest, ifShort, LONG, LONGEST } from '../support/long.js';
import { endingsOf, solveChess } from '../support/solving.js';

type Metric = OracleMetric | 'dtz';

/** The oracle takes a minute for a 4-man ending: one of each kind, between them all metrics. */
const cases: [Metric, string][] = [
  ['dtm', 'KQK'],
  ['dtm', 'KNK'],
  ['dtc', 'KRK'],
  ['wdl', 'KRK'],
];
const longCases: [Metric, string][] = [
  ['dtz', 'KRK'],
  ['dtc', 'KQK'],
  ['wdl', 'KBK'],
  ['dtz', 'KNK'],
  ['dtc', 'KPK'],
  ['dtz', 'KPK'],
];
const longestCases: [Metric, string][] = [
  ...(['dtm', 'dtc', 'dtz', 'wdl'] as const).flatMap((metric) =>
    endingsOf(3)
      .filter((ending) => ![...cases, ...longCases].some(([by, of]) => by === metric && of === ending))
      .map((ending): [Metric, string] => [metric, ending]),
  ),
  ['wdl', 'KBBK'],
  ['dtm', 'KQKR'],
  ['dtz', 'KQKR'],
  ['dtc', 'KRKN'],
  // Of mates with a pawn there are published figures, too: test/golden/pawn-mates.test.ts.
  ['dtm', 'KPK'],
  ['wdl', 'KPK'],
];

const signs = { win: 1, 'cursed win': 1, draw: 0, 'blessed loss': -1, loss: -1 };

/** Compares the tables of an ending with the oracle; returns how many positions there are. */
async function compare(store: Store, metric: Metric, ending: string, oracle: Oracle): Promise<number> {
  let compared = 0;
  const wrong: unknown[] = [];
  for (const slice of chess.ending(ending).slices) {
    const before = compared;
    const table = await needTable(store, chess, metric, slice);
    for (const side of [0, 1] as Side[]) {
      for await (const batch of table.values(side, 0, table.slice.parts)) {
        const column = batch.columns[0] as ValueColumn;
        for (let i = 0; i < batch.length; i++) {
          if (column[i] === brokenIn(column)) continue;
          // Of two mirror images with an index each, both are compared and one is counted.
          compared += 1 - countRepeats(table.slice, batch.major, batch.first + i, 1, () => true);
          const board = chess.board({ slice, side, part: batch.major, key: batch.first + i });
          const expected = oracle.value(board);
          const actual = decodeValue(column[i], metric);
          const sign = signs[actual.wdl];
          const { cursed } = expected;
          const right = sign === expected.wdl && expected.plies === (actual.plies ?? 0);
          if (right && cursed === (actual.wdl === 'cursed win' || actual.wdl === 'blessed loss')) continue;
          if (wrong.length < 5) wrong.push({ fen: chess.format(board), expected, actual });
        }
      }
    }
    const { positions } = table.manifest;
    expect(compared - before).toBe(positions[0] + positions[1]);
  }
  expect(wrong).toEqual([]);
  expect(compared).toBeGreaterThan(0);
  return compared;
}

describe('every position has the value of the oracle', () => {
  async function agrees(metric: Metric, ending: string): Promise<void> {
    const { store } = await solveChess(chess.ending(ending).slices, { metric });
    await compare(store, metric, ending, knownOracle(ending, metric));
  }

  test.each(cases)('%s %s', { timeout: 400_000 }, agrees);
  test.skipIf(!LONG).each(longCases)(`%s %s${ifShort}`, { timeout: 400_000 }, agrees);
  test.skipIf(!LONGEST).each(longestCases)(`%s %s${ifNotLongest}`, { timeout: 400_000 }, agrees);

  test.skipIf(!LONGEST).each(['dtm', 'dtz'] as const)(
    `%s KPKP, with en passant, and the endings with a pawn that it leads to${ifNotLongest}`,
    { timeout: 7_200_000 },
    async (metric) => {
      const { store } = await solveChess(chess.ending('KPKP').slices, { metric });
      const oracle = solveOracle('KPKP', metric);
      let compared = 0;
      for (const ending of ['KPKP', 'KPKPep', 'KQKP', 'KRKP', 'KBKP', 'KNKP', 'KPK']) {
        compared += await compare(store, metric, ending, oracle);
      }
      expect(compared).toBe(4_350_992 + 21_183 + 8_352_472 + 9_031_524 + 9_427_184 + 9_685_770 + 165_676);
    },
  );
});
