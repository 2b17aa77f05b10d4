/** Shares of memory that a slice and its members get. */
import { expect, test } from 'vitest';
import { partitionBudget } from '../../../pipeline/engine/crew/engine.js';
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
