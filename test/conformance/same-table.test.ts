/** The same table under every configuration: memory, fan-in, batch size, strategy, metric by metric. */
import { beforeAll, describe, expect, test } from 'vitest';
import { strategies } from '../../pipeline/game/strategy.js';
import { checkers } from '../../pipeline/games/checkers/checkers.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import { ifNotLongest, ifShort, LONG, LONGEST } from '../support/long.js';
import { digestsOf, MiB, solveChess, solveGame } from '../support/solving.js';

const budgets = [
  { memory: MiB, fanIn: 2, batchRows: 65536 },
  { memory: MiB, fanIn: 64, batchRows: 100 },
  { memory: 4 * MiB, fanIn: 3, batchRows: 1024 },
  { memory: 1024 * MiB, fanIn: 16, batchRows: 65536 },
];

/**
 * KBBK has two like men; KRKN has conversions that lose. All budgets are tried with a small ending, and two of them with KBBK; the longest tests try
 * them all with that, too.
 */
const cases = [
  { metric: 'dtm', ending: 'KBBK', budgets: LONGEST ? budgets : budgets.slice(0, LONG ? 2 : 1) },
  { metric: 'wdl', ending: 'KQK', budgets: LONG ? budgets : budgets.slice(1, 3) },
  ...(LONG ? [{ metric: 'dtc', ending: 'KRKN', budgets: budgets.slice(2, 3) } as const] : []),
  // Conversions that count on, and that are joined with the tables.
  { metric: 'dtm', ending: 'KPK', budgets: budgets.slice(0, 1) },
] as const;

for (const { metric, ending, budgets } of cases) {
  describe(`${metric} ${ending}`, () => {
    let reference: Record<string, string>;
    beforeAll(async () => {
      reference = digestsOf((await solveChess(chess.ending(ending).slices, { metric })).summaries);
    });

    for (const strategy of strategies) {
      for (const budget of budgets) {
        const name = `${strategy}, ${budget.memory / MiB} MiB, fan-in ${budget.fanIn}, batches of ${budget.batchRows}`;
        // Lookups of four men take long, so only those of KBBK run, in the least memory, where label pages are swapped out and read again.
        const isLookup = strategy === 'lookup';
        const isLeast = ending === 'KBBK' && budget === budgets[0];
        const isLongest = isLookup && ending.length === 4 && !isLeast && !LONGEST;
        const isLong = isLookup && metric === 'dtm' && !LONG;
        const why = isLongest ? ifNotLongest : isLong ? ifShort : '';
        test.skipIf(why !== '')(`${name}${why}`, { timeout: 240_000 }, async () => {
          const { summaries } = await solveChess(chess.ending(ending).slices, { metric, strategy, budget });
          expect(digestsOf(summaries)).toEqual(reference);
        });
      }
    }
  });
}

test.skipIf(!LONG)(`batches of one row give the same table${ifShort}`, { timeout: 240_000 }, async () => {
  const slice = LONGEST ? '2100' : '1100';
  const reference = await solveGame(checkers, [slice]);
  for (const strategy of strategies) {
    const budget = { memory: MiB, fanIn: 2, batchRows: 1 };
    const { summaries } = await solveGame(checkers, [slice], { strategy, budget });
    expect(digestsOf(summaries)).toEqual(digestsOf(reference.summaries));
  }
});
