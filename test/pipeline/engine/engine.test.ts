/** Shares of memory that a slice and its members get. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { localStore } from '../../../operators/storage/local.js';
import { newScratch } from '../../../operators/storage/scratch.js';
import { partitionBudget } from '../../../pipeline/engine/crew/engine.js';
import { LocalPartition } from '../../../pipeline/engine/crew/partition.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { testFolder } from '../../support/folders.js';
import { ifUnlisted, LISTS_OPEN_FILES, openFiles } from '../../support/open-files.js';
import { budgetOf, digestsOf, MiB, solveChess } from '../../support/solving.js';

test('the members of a crew share the memory that their slice can use', () => {
  const memory = (given: number, members: number, size: number) =>
    partitionBudget(budgetOf(given), members, { size }).memory;
  expect(memory(256 * MiB, 1, 2e6)).toBe(256 * MiB);
  expect(memory(256 * MiB, 2, 2e6)).toBe(128 * MiB);
  expect(memory(4 * MiB, 1, 1)).toBe(MiB);
  expect(memory(1024 * MiB, 1, 3000)).toBeLessThan(32 * MiB);
  expect(memory(1024 * MiB, 1, 100_000)).toBeGreaterThan(16 * MiB);
  expect(partitionBudget(budgetOf(MiB), 4, { size: 1e6 }).batchRows).toBe(512);
});

test('the smaller share of a small slice suffices: nothing spills, and the table is the same', async () => {
  const solved = await solveChess(['KQK', 'KRK'], { budget: budgetOf(1024 * MiB) });
  for (const { table } of solved.summaries) {
    expect([table.counters.spills ?? 0, table.counters.rowsSpilled ?? 0]).toEqual([0, 0]);
  }
  const small = await solveChess(['KQK', 'KRK'], { budget: budgetOf(2 * MiB) });
  expect(digestsOf(solved.summaries)).toEqual(digestsOf(small.summaries));
});

test.runIf(LISTS_OPEN_FILES)(
  `no thread keeps files open that another has deleted, whose space would stay taken${ifUnlisted}`,
  async () => {
    const folder = testFolder();
    const open = (name: string) => localStore(join(folder, name), { durable: false });
    const { summaries } = await solveChess(['KRKN'], {
      metric: 'wdl',
      budget: budgetOf(4 * MiB),
      store: open('store'),
      workers: 2,
      // Threads have descriptors of their own, and so have these stores.
      open: async (setups, report) =>
        setups.map((setup, i) => {
          // Files that are too large to be kept for the next rows are deleted, here all.
          const { overwrite: _, ...deleting } = open('scratch');
          const scratch = newScratch(deleting, `worker-${i}`);
          return new LocalPartition(setup, { game: chess, store: open('store'), scratch, report });
        }),
    });
    expect(summaries.find(({ slice }) => slice === 'KRKN')!.table.counters.rowsSpilled).toBeGreaterThan(0);
    expect(openFiles(folder).filter(({ path }) => path.endsWith(' (deleted)'))).toEqual([]);
  },
);
