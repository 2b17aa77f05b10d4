/** Every position of every 3-man ending and of some 4-man endings against the naive oracle, under every metric. */
import { describe, expect, test } from 'vitest';
import type { Side } from '../../pipeline/game.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import { needTable } from '../../pipeline/table/table.js';
import { brokenIn, decodeValue, type ValueColumn } from '../../pipeline/value.js';
import { type Metric, solveOracle } from '../oracle/oracle.js';
import { ifShort, LONG } from '../support/long.js';
import { endingsOf, solveChess } from '../support/solving.js';

/** The oracle takes a minute for a 4-man ending: one of each kind, between them all metrics. */
const cases: [Metric, string][] = [
  ...(['dtm', 'dtc', 'wdl'] as const).flatMap((metric) =>
    endingsOf(3).map((ending): [Metric, string] => [metric, ending]),
  ),
  ['wdl', 'KBBK'],
];
const longCases: [Metric, string][] = [
  ['dtm', 'KQKR'],
  ['dtc', 'KRKN'],
];

const signs = { win: 1, 'cursed win': 1, draw: 0, 'blessed loss': -1, loss: -1 };

describe('every position as the oracle says', () => {
  async function agrees(metric: Metric, ending: string): Promise<void> {
    const { store } = await solveChess([ending], { metric });
    const table = await needTable(store, chess, metric, ending);
    const oracle = solveOracle(ending, metric);
    let compared = 0;
    const wrong: unknown[] = [];
    for (const side of [0, 1] as Side[]) {
      for await (const batch of table.values(side, 0, table.slice.parts)) {
        const column = batch.columns[0] as ValueColumn;
        for (let i = 0; i < batch.length; i++) {
          if (column[i] === brokenIn(column)) continue;
          compared++;
          const address = { slice: ending, side, part: batch.major, key: batch.first + i };
          const expected = oracle.value(chess.board(address));
          const actual = decodeValue(column[i]!, metric);
          if (signs[actual.wdl] === expected.wdl && expected.plies === (actual.plies ?? 0)) continue;
          if (wrong.length < 5) wrong.push({ fen: chess.format(chess.board(address)), expected, actual });
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(compared).toBe(table.manifest.positions[0] + table.manifest.positions[1]);
    expect(compared).toBeGreaterThan(0);
  }

  test.each(cases)('%s %s', { timeout: 400_000 }, agrees);
  test.skipIf(!LONG).each(longCases)(`%s %s${ifShort}`, { timeout: 400_000 }, agrees);
});
