/** The paged solver makes the tables of the external one also of checkers. */

import { expect, test } from 'vitest';
import { memoryStore } from '../../../../operators/storage/memory.js';
import type { Game } from '../../../../pipeline/game/game.js';
import type { TableManifest } from '../../../../pipeline/game/manifest.js';
import type { Metric } from '../../../../pipeline/game/value.js';
import { checkers } from '../../../../pipeline/games/checkers/checkers.js';
import { sweep } from '../../../support/long.js';
import { solvePaged } from '../../../support/paged.js';
import { budgetOf, MiB, solveGame } from '../../../support/solving.js';

/** With all that they lead to. */
const slices = ['2200', '1110.50', '1011.63', '0011.22'];

/** Fields of a manifest that all solvers have in common: all but those on how the work was done. */
function facts(table: TableManifest): object {
  const { rounds, requests, counters, values, ...same } = table;
  return { ...same, values: values.map((runs) => runs.map(({ from, to }) => ({ from, to }))) };
}

test.each(
  sweep<[Metric, number]>(
    [['dtw', 4]],
    [
      ['dtc', 100],
      ['wdl', 4],
    ],
  ),
)('%s with %i buffers has the table of the sorting solver', async (metric, buffers) => {
  const { summaries } = await solveGame(checkers, slices, { metric, budget: budgetOf(8 * MiB) });
  expect(summaries.length).toBeGreaterThan(20);
  const store = memoryStore();
  for (const { slice, table } of summaries) {
    const paged = await solvePaged(checkers as Game, slice, metric, store, { buffers });
    expect(facts(paged.table)).toEqual(facts(table));
  }
});
