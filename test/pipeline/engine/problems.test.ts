/** Tables of problem chess: published counts, and the same table whatever solves it. */
import { describe, expect, it } from 'vitest';
import { memoryStore } from '../../../operators/storage/memory.js';
import type { Metric } from '../../../pipeline/game/stipulation.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { openNumbers, valuesWithNumbers } from '../../../pipeline/tables/numbers.js';
import { needTable } from '../../../pipeline/tables/table.js';
import { budgetOf, MiB, putSolved, solveGame } from '../../support/solving.js';

const game = chess.sided!;

/** Positions of an ending up to symmetry, by plies: those with White to move have odd numbers in helpmates. */
async function tally(name: string, metric: Metric) {
  const store = memoryStore();
  const { slices } = game.ending(name);
  await putSolved(store, game, slices, { metric });
  const plies = new Map<number, number>();
  let solved = 0;
  let unique = 0;
  for (const slice of slices) {
    const table = await needTable(store, game, metric, slice);
    const numbers = openNumbers(store, table);
    for (const side of [0, 1] as const) {
      for await (const batch of valuesWithNumbers(table, numbers, side, 0, table.slice.parts)) {
        const keys = Uint32Array.from({ length: batch.length }, (_, i) => batch.first + i);
        const orbits = new Uint8Array(batch.length);
        table.slice.orbitSizes(batch.major, keys, batch.length, orbits);
        for (let i = 0; i < batch.length; i++) {
          const code = batch.columns[0][i];
          if (code === 0 || code === -128 || orbits[i] === 0) continue;
          const count = code > 0 ? code : -code - 1;
          plies.set(count, (plies.get(count) ?? 0) + 1);
          solved++;
          if (batch.columns[1][i] === 1) unique++;
        }
      }
    }
  }
  return { solved, unique, plies: [...plies].sort(([a], [b]) => a - b).map(([, count]) => count) };
}

describe('helpmates as they are published (osick/helpmate-tablebase, 2026)', () => {
  it('of king and queen against king', async () => {
    expect(await tally('KQvK', 'help')).toEqual({
      solved: 45_723,
      unique: 3_064,
      plies: [46, 306, 580, 1751, 4336, 5851, 11208, 7267, 9197, 2551, 1987, 353, 284, 2, 4],
    });
  });

  it('of king against king and queen', async () => {
    expect((await tally('KvKQ', 'help')).solved).toBe(0);
  });
});

describe.each(['help', 'help-stalemate', 'self', 'self-stalemate'] as const)('%s', (metric) => {
  it('has the same table for any number of workers, in any memory, and verifies', async () => {
    const slices = game.ending(metric === 'help' ? 'KPvK' : 'KvKQ').slices;
    const digests = new Set<string>();
    for (const [workers, memory] of [
      [1, 64],
      [3, 64],
      [2, 3],
    ]) {
      const budget = { ...budgetOf(memory * MiB), batchRows: memory === 3 ? 1000 : 65536 };
      const { summaries } = await solveGame(game, slices, { metric, workers, budget, verify: workers > 1 });
      const all = summaries.map(({ slice, table }) => [slice, table.digests, table.numbers?.digests]);
      digests.add(JSON.stringify(all));
    }
    expect(digests.size).toBe(1);
  });
});
