/** The paged solver on chess: the tables of the external solver, with few buffers and many, killed and not. */
import { describe, expect, test } from 'vitest';
import { localStore } from '../../operators/storage/local.js';
import { memoryStore } from '../../operators/storage/memory.js';
import { memoryPageFolder } from '../../operators/storage/memory-page-folder.js';
import type { Store } from '../../operators/storage/store.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import { planSlices } from '../../pipeline/plan.js';
import { verifyPagedSlice } from '../../pipeline/solvers/paged/verify-slice.js';
import { type Metric, metrics } from '../../pipeline/value.js';
import { Crash, killedFolder, solvePaged } from '../support/paged.js';
import { budgetOf, endingsOf, MiB, solveChess } from '../support/solving.js';

/** What must be the same in the manifests of all solvers. */
const FIELDS = ['digests', 'positions', 'wins', 'losses', 'longestWin', 'valueType', 'parts', 'width', 'size'] as const;

/** Solves the endings and what they convert to, and holds each table against the external solver's. */
async function sameTables(slices: string[], metric: Metric, buffers: number, store: Store = memoryStore()): Promise<void> {
  const { summaries } = await solveChess(slices, { metric });
  for (const { slice } of planSlices(chess, slices)) {
    const { table } = await solvePaged(chess, slice, metric, store, { buffers });
    const wanted = summaries.find((summary) => summary.slice === slice)!.table;
    for (const field of FIELDS) expect([slice, field, table[field]]).toEqual([slice, field, wanted[field]]);
  }
}

describe.each(metrics)('%s', (metric) => {
  test.each([4, 100])('all endings of three men, %i buffers', (buffers) => sameTables(endingsOf(3), metric, buffers));
  test('KRKN, 8 buffers', () => sameTables(['KRKN'], metric, 8));

  test('killed at every fourth checkpoint of KRK', async () => {
    const { summaries } = await solveChess(['KRK'], { metric });
    const dependencies = memoryStore();
    await solvePaged(chess, 'KK', metric, dependencies);
    let crashed = 0;
    for (let at = 1; ; at += 4) {
      const store = memoryStore();
      await solvePaged(chess, 'KK', metric, store);
      const folder = memoryPageFolder();
      const options = { buffers: 4, checkpointRows: 50_000 };
      const pages = killedFolder(folder, 'after', at);
      const first = await solvePaged(chess, 'KRK', metric, store, { ...options, pages }).catch((error) => error);
      if (!(first instanceof Crash)) break;
      crashed++;
      const { table, counters } = await solvePaged(chess, 'KRK', metric, store, { ...options, pages: folder });
      expect(counters.restarts).toBe(1);
      expect(table.digests).toEqual(summaries.at(-1)!.table.digests);
    }
    expect(crashed).toBeGreaterThan(1);
  });
});

test('KQKR, DTM, 8 buffers', () => sameTables(['KQKR'], 'dtm', 8));
test('KBNK, DTC, as many buffers as the budget has', async () => {
  const { summaries } = await solveChess(['KBNK'], { metric: 'dtc' });
  const store = memoryStore();
  for (const { slice } of planSlices(chess, ['KBNK'])) await solvePaged(chess, slice, 'dtc', store);
  const { table, counters } = await solvePaged(chess, 'KBNK', 'dtc', store);
  expect(table.digests).toEqual(summaries.at(-1)!.table.digests);
  expect(counters.lookups).toBe(0);
});
