/** What solving costs, in a line: beside advice, before large solves, and where the disk cannot hold it. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type Begun, costOf, costText, cpuText, forecastBefore } from '../../../jobs/plan/cost.js';
import { memoryStore } from '../../../operators/storage/memory.js';
import type { Game } from '../../../pipeline/game/game.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { program } from '../../support/command.js';
import { newFolder } from '../../support/folders.js';
import { sweep } from '../../support/long.js';

const GiB = 2 ** 30;
const folder = newFolder();
const store = join(folder, 'tables');
mkdirSync(store);
const mergemate = program(store);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const cost = (slice: string, solved: readonly string[] = [], cpuMs = 60_000) =>
  costOf(chess as Game, [slice], { metric: 'dtm', solved: new Set(solved), cpuMs });

describe('a cost', () => {
  // To estimate a slice with a pawn that can be taken en passant takes longest.
  test.each(sweep(['KRBKN'], ['KQQQQQK'], ['KBBKNN', 'KPPKPep.555w']))(
    'of %s is near what plan --estimate says',
    async (slice) => {
      const plan = ['plan', 'chess', slice, '--estimate'];
      const { estimate } = await mergemate.succeedJson<{
        estimate: { slices: object[]; tableBytes: number; total: { cpuSeconds: number } };
      }>(plan);
      const found = (await cost(slice))!;
      expect(found.slices).toBe(estimate.slices.length);
      expect(found.cpuSeconds / estimate.total.cpuSeconds).toBeGreaterThan(0.7);
      expect(found.cpuSeconds / estimate.total.cpuSeconds).toBeLessThan(1.4);
      expect(found.tableBytes / estimate.tableBytes).toBeGreaterThan(0.8);
      expect(found.tableBytes / estimate.tableBytes).toBeLessThan(1.2);
    },
  );

  test('leaves out what is solved, and what only that converts to', async () => {
    // KRBKN converts to KRBK, KRKN, KBKN, and these to four endings with two men less and the kings.
    expect((await cost('KRBKN'))!.slices).toBe(8);
    expect((await cost('KRBKN', ['KRBK', 'KRKN', 'KBKN']))!.slices).toBe(1);
  });

  test('is left out if it takes too long to find', async () => {
    expect(await cost('KRBKN', [], -1)).toBeNull();
  });

  test('has two digits that mean something', () => {
    expect([0.2, 1, 59, 119, 120, 150, 1700, 7300, 40_000, 200_000].map(cpuText)).toEqual([
      'less than a CPU second',
      '1 CPU second',
      '59 CPU seconds',
      '119 CPU seconds',
      '2 CPU minutes',
      '2.5 CPU minutes',
      '28 CPU minutes',
      '2 CPU hours',
      '11 CPU hours',
      '2.3 CPU days',
    ]);
    const found = {
      slices: 297,
      cpuSeconds: 1700,
      positions: 1,
      tableBytes: 1,
      mostBytes: 22.3 * GiB,
      lookups: 0,
    };
    expect(costText(found)).toBe('297 slices, 28 CPU minutes, 22.3 GiB');
    expect(costText({ ...found, lookups: 924_672 })).toBe(
      '297 slices, 28 CPU minutes, 22.3 GiB, up to 924,672 positions looked up in Syzygy files',
    );
  });
});

const COST = /\d+ slices?, (less than a|[\d.]+) CPU (second|minute)s?, [\d.]+ [KMG]iB/;

describe('advice to solve says what that costs', () => {
  // Of few men: a forecast that takes too long is left out, which a slow machine would do to greater ones.
  const position = '8/8/8/3k4/8/1p6/2P5/4K3 w - - 0 1';
  test.each([
    ['probe', 'chess', position],
    ['export', 'chess', 'KRBKN'],
    ['export', 'chess', 'KQK', 'KRK'],
    ['verify', 'chess', 'KRBKN'],
    ['publish', 'chess', 'KRBKN'],
    ['publish', 'chess', 'KRBKN', '--as', 'syzygy'],
    ['stats', 'checkers', '1100'],
  ])('%s %s %s %s %s', async (...args) => {
    const { code, stderr } = await mergemate.run(args.filter((arg) => arg !== undefined));
    expect(code).toBe(2);
    expect(stderr).toMatch(new RegExp(`run "mergemate solve [^"]*" first: ${COST.source}\n$`));
  });
});

describe('before a solve', () => {
  const begun = (ending: string, more: Partial<Begun> = {}) => {
    const all = { game: chess as Game, slices: chess.ending(ending).slices, metric: 'dtm' as const };
    const disk = { folder: '/tables', free: 1000 * GiB };
    return forecastBefore({
      ...all,
      verify: true,
      memory: 2 ** 28,
      store: memoryStore(),
      disk,
      files: false,
      ...more,
    });
  };

  test('of some minutes there is a line', async () => {
    expect(await begun('KQQQQQK')).toMatch(
      /^forecast: 6 slices, \d+ CPU minutes, 1\d\d\.\d GiB of 1000.0 GiB free$/,
    );
    expect(await begun('KQRKRB', { metric: 'dtm50' })).toMatch(
      /^forecast: \d+ slices, \d+(\.\d)? CPU (minutes|hours)/,
    );
  });

  test('of some seconds there is none', async () => {
    expect(await begun('KQKR')).toBeNull();
    expect(await begun('KRBKN')).toBeNull();
  });

  test('that takes much of the disk there is a line, and one that cannot be held is refused', async () => {
    const on = (free: number) => begun('KRBKN', { disk: { folder: '/tables', free: free * GiB } });
    expect(await on(2)).toMatch(/^forecast: 8 slices, \d+ CPU seconds, [\d.]+ (GiB|MiB) of 2.0 GiB free$/);
    expect(await on(0.6)).toMatch(/free: it may not fit$/);
    await expect(on(0.01)).rejects.toThrow(
      /^the tables take about .*, and \/tables has 10.2 MiB free: .*--ignore-forecast/,
    );
  });
});
