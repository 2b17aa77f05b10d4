/** The same table under every configuration: memory, fan-in, batch size, strategy, metric by metric. */
import { beforeAll, describe, expect, test } from 'vitest';
import { metrics } from '../../pipeline/value.js';
import { digestsOf, MiB, solveChess } from '../support/solving.js';

const budgets = [
  { memory: MiB, fanIn: 2, batchRows: 65536 },
  { memory: MiB, fanIn: 64, batchRows: 100 },
  { memory: 4 * MiB, fanIn: 3, batchRows: 1024 },
  { memory: 1024 * MiB, fanIn: 16, batchRows: 65536 },
];

for (const metric of metrics) {
  describe(metric, () => {
    const slices = metric === 'dtc' ? ['KRKN'] : ['KQKB'];
    let reference: Record<string, string>;
    beforeAll(async () => {
      reference = digestsOf((await solveChess(slices, { metric })).summaries);
    });

    for (const strategy of ['count', 'lookup'] as const) {
      for (const budget of budgets) {
        const name = `${strategy}, ${budget.memory / MiB} MiB, fan-in ${budget.fanIn}, batches of ${budget.batchRows}`;
        test(name, { timeout: 240_000 }, async () => {
          const { summaries } = await solveChess(slices, { metric, strategy, budget });
          expect(digestsOf(summaries)).toEqual(reference);
        });
      }
    }
  });
}

test('batches of one row', { timeout: 240_000 }, async () => {
  const reference = await solveChess(['KRK']);
  for (const strategy of ['count', 'lookup'] as const) {
    const budget = { memory: MiB, fanIn: 2, batchRows: 1 };
    const { summaries } = await solveChess(['KRK'], { strategy, budget });
    expect(digestsOf(summaries)).toEqual(digestsOf(reference.summaries));
  }
});
