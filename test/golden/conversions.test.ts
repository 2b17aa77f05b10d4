import { expect, test } from 'vitest';
import { newCounters } from '../../operators/core/counters.js';
import { tableStats } from '../../pipeline/analysis/stats.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import { needTable } from '../../pipeline/tables/table.js';
import { LONG, LONGEST } from '../support/long.js';
import { solveChess } from '../support/solving.js';
import { comparePublished, PUBLISHED_ENDINGS } from './published-conversions.js';

// The six-man ending takes a quarter of an hour: `npm run bench -- --only growth --six` compares it.
const endings = PUBLISHED_ENDINGS.filter((ending) => ending.length <= (LONGEST ? 5 : 4));

const METRICS = ['dtc', 'dtz'] as const;
/** Without pawns, and without conversions to cursed wins, plies to zeroing moves are those to conversions. */
const cases = endings.flatMap((ending, i) =>
  (LONG ? METRICS : [METRICS[i % 2]]).map((metric) => [ending, metric] as const),
);

test.each(cases)(
  '%s, %s: as many wins in every number of plies as published',
  {
    timeout: 600_000,
  },
  async (ending, metric) => {
    const { store } = await solveChess([ending], { metric });
    const table = await needTable(store, chess, metric, ending, newCounters());
    const stats = await tableStats({
      game: chess,
      metric,
      table,
      flipped: false,
      report: async () => {},
    });
    const compared = comparePublished(ending, stats);
    expect(compared.length).toBeGreaterThan(15);
    for (const [what, published, found] of compared) expect([what, found]).toEqual([what, published]);
  },
);
