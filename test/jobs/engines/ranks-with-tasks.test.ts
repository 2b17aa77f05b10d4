/** Child processes are as many as there are slices and partitions left to solve or verify. */
import { describe, expect, test } from 'vitest';
import { type AskedRanks, ranksWithTasks } from '../../../jobs/engines/ranks-with-tasks.js';
import { memoryStore } from '../../../operators/storage/memory.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { MiB, solveChess } from '../../support/solving.js';

const asked = (more: Partial<AskedRanks>): AskedRanks => ({
  game: chess,
  slices: ['KK', 'KQK', 'KRK', 'KQKR'],
  metric: 'dtm',
  verify: false,
  store: memoryStore(),
  memory: 256 * MiB,
  wholeBelow: 64 * MiB,
  ranks: 8,
  ...more,
});

describe('child processes', () => {
  test('are one for each slice that is solved whole, and at most as many as --workers', async () => {
    expect(await ranksWithTasks(asked({}))).toBe(4);
    expect(await ranksWithTasks(asked({ ranks: 3 }))).toBe(3);
  });

  test('are one for each partition of a cut slice', async () => {
    expect(await ranksWithTasks(asked({ slices: ['KQKR'], wholeBelow: 0, partitions: 5 }))).toBe(5);
    expect(await ranksWithTasks(asked({ wholeBelow: 0, partitions: 2 }))).toBe(5);
  });

  test('are one where everything is solved, and one for each table that is still to be verified', async () => {
    const store = memoryStore();
    await solveChess(['KQK', 'KRK'], { store, verify: false });
    const slices = ['KK', 'KQK', 'KRK'];
    expect(await ranksWithTasks(asked({ slices, store }))).toBe(1);
    expect(await ranksWithTasks(asked({ slices, store, verify: true }))).toBe(3);
  });
});
