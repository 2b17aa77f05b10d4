/** The paged solver on chess: the tables of the external solver, with few buffers and many, killed and not. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { localPageFolder } from '../../../../operators/storage/local-page-folder.js';
import { memoryStore } from '../../../../operators/storage/memory.js';
import type { TableManifest } from '../../../../pipeline/game/manifest.js';
import { planSlices } from '../../../../pipeline/game/plan.js';
import type { Metric } from '../../../../pipeline/game/value.js';
import { chess } from '../../../../pipeline/games/chess/chess.js';
import { verifyPagedSlice } from '../../../../pipeline/rivals/paged/verify-slice.js';
import { directMetrics } from '../../../support/direct-metrics.js';
import { killAfterWrites } from '../../../support/kills.js';
import { ifNotLongest, ifShort, LONG, LONGEST } from '../../../support/long.js';
import { memoryPageFolder } from '../../../support/memory-page-folder.js';
import { Crash, killedFolder, solvePaged } from '../../../support/paged.js';
import { budgetOf, endingsOf, MiB, solveChess } from '../../../support/solving.js';

/** Fields that must be equal in the manifests of all solvers. */
const FIELDS = [
  'digests',
  'positions',
  'wins',
  'losses',
  'longestWin',
  'valueType',
  'parts',
  'width',
  'size',
] as const;

/** The external solver's tables, solved once for all tests. */
const references = new Map<string, Promise<Record<string, TableManifest>>>();
function referenceOf(slices: string[], metric: Metric): Promise<Record<string, TableManifest>> {
  const key = `${metric} ${slices.join(' ')}`;
  let tables = references.get(key);
  if (tables === undefined) {
    tables = solveChess(slices, { metric }).then(({ summaries }) =>
      Object.fromEntries(summaries.map(({ slice, table }) => [slice, table])),
    );
    references.set(key, tables);
  }
  return tables;
}

/** Solves the endings and their dependencies, and holds each table against the external solver's. */
async function sameTables(slices: string[], metric: Metric, buffers: number): Promise<void> {
  const wanted = await referenceOf(slices, metric);
  const store = memoryStore();
  for (const { slice } of planSlices(chess, slices)) {
    const { table } = await solvePaged(chess, slice, metric, store, { buffers });
    for (const field of FIELDS)
      expect([slice, field, table[field]]).toEqual([slice, field, wanted[slice][field]]);
  }
}

/** This solver knows no clock; scores are of keyed games. */
const all = directMetrics.filter((metric) => metric !== 'dtm50' && metric !== 'score');

describe.each(LONG ? all : (['dtm', 'dtz'] as const))('%s', (metric) => {
  test.each([4, 100])('all endings of three men, %i buffers', (buffers) =>
    sameTables(endingsOf(3), metric, buffers),
  );

  // A crash comes to all metrics alike: only the longest tests crash with others than these, with and without distances.
  const isSkipped = !LONGEST && !['wdl', 'dtm'].includes(metric);
  const why = isSkipped ? ifNotLongest : '';
  test.skipIf(isSkipped)(
    `a solve of KRK killed at every fourth checkpoint ends in the same table${why}`,
    async () => {
      const wanted = await referenceOf(endingsOf(3), metric);
      let crashed = 0;
      for (let at = 1; ; at += 4) {
        const store = memoryStore();
        await solvePaged(chess, 'KK', metric, store);
        const folder = memoryPageFolder();
        const options = { buffers: 4, checkpointRows: 50_000 };
        const pages = killedFolder(folder, 'after', at);
        const first = await solvePaged(chess, 'KRK', metric, store, { ...options, pages }).catch(
          (error) => error,
        );
        if (!(first instanceof Crash)) break;
        crashed++;
        const { table, counters } = await solvePaged(chess, 'KRK', metric, store, {
          ...options,
          pages: folder,
        });
        expect(counters.restarts).toBe(1);
        expect(table.digests).toEqual(wanted.KRK.digests);
      }
      expect(crashed).toBeGreaterThan(1);
    },
  );
});

test.skipIf(!LONGEST)(`KRKN, WDL, 8 buffers${ifNotLongest}`, () => sameTables(['KRKN'], 'wdl', 8));
test.skipIf(!LONGEST)(`KRKN, DTM, 8 buffers${ifNotLongest}`, () => sameTables(['KRKN'], 'dtm', 8));
test.skipIf(!LONGEST)(`KQKR, DTC, 200 buffers${ifNotLongest}`, () => sameTables(['KQKR'], 'dtc', 200));

const large = LONGEST ? 'KBBK' : 'KRK';
test(`${large}, DTC, as many buffers as the budget has; verified; solved once`, async () => {
  const store = memoryStore();
  const slices = planSlices(chess, [large]);
  for (const { slice } of slices) {
    const { counters } = await solvePaged(chess, slice, 'dtc', store);
    expect(counters.buffers).toBeGreaterThanOrEqual(counters.pages);
    const options = {
      game: chess,
      slice,
      metric: 'dtc' as const,
      store,
      budget: budgetOf(2 * MiB),
      progress: () => {},
    };
    expect(await verifyPagedSlice({ ...options, pages: memoryPageFolder() })).toMatchObject({ wrong: 0 });
  }
  const { table, counters } = await solvePaged(chess, large, 'dtc', store);
  expect(table.digests).toEqual((await referenceOf([large], 'dtc'))[large].digests);
  expect(counters.lookups).toBe(0);
});

test('too little memory and missing dependencies are errors of use', async () => {
  const store = memoryStore();
  await expect(solvePaged(chess, 'KRKN', 'dtm', store)).rejects.toThrow(/is not solved for dtm/);
  await expect(solvePaged(chess, 'KK', 'dtm', store, { budget: budgetOf(100_000) })).rejects.toThrow(
    /needs \d+ bytes/,
  );
});

test('pages are on a disk, and bypass the page cache', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'paged-'));
  try {
    const store = memoryStore();
    const pages = localPageFolder(join(folder, 'pages'), { direct: true });
    for (const slice of ['KK', 'KRK']) {
      const { table } = await solvePaged(chess, slice, 'dtm', store, { pages, buffers: 16 });
      expect(table.digests).toEqual((await referenceOf(endingsOf(3), 'dtm'))[slice].digests);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.skipIf(!LONG)(
  `a process that is killed again and again ends with the same table${ifShort}`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'paged-'));
    try {
      let kills = 0;
      let text = '';
      for (let writes = 400; text === ''; writes *= 4) {
        text = await solveInProcess(folder, writes);
        if (text === '') kills++;
      }
      const { digests, restarts } = JSON.parse(text);
      expect(kills).toBeGreaterThan(0);
      expect(restarts).toBeGreaterThan(0);
      expect(digests).toEqual((await referenceOf(['KRKN'], 'dtm')).KRKN.digests);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

/** Output of the process, '' if it was killed after `writes` writes. */
async function solveInProcess(folder: string, writes: number): Promise<string> {
  const program = join(import.meta.dirname, '../../../support/solve-paged.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', program, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (bytes) => (text += bytes));
  if (await killAfterWrites(child, folder, writes)) return '';
  expect(child.exitCode).toBe(0);
  return text;
}
