/**
 * Metrics side by side, in Chromium: every column is what its tables say, and the clock is the rule's.
 */

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { Metric } from '../../../pipeline/game/value.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { newProber } from '../../../pipeline/tables/probe/prober.js';
import { CHROMIUM, DESKTOP, expectMoves, ifNoChromium, PHONE } from '../../support/browser.js';
import { ifShort, LONG } from '../../support/long.js';
import { sharedServer } from '../../support/page-server.js';
import { putSolved } from '../../support/solving.js';

const METRICS: readonly Metric[] = ['dtm', 'dtc', 'dtz', 'wdl'];
const PAWN = '8/8/8/3K4/3P4/8/8/k7 w - - 0 1';
const QUEEN = '8/8/8/8/3k4/8/8/K6Q w - - 0 1';

const server = sharedServer(
  [chess],
  async (store) => {
    const pawns = chess.ending('KPK').slices;
    for (const metric of METRICS)
      await putSolved(store, chess, metric === 'dtc' ? ['KQK'] : pawns, { metric });
  },
  { wanted: LONG },
);

const open = (position: string, metric: Metric, options = {}) =>
  server.open({ game: 'chess', metric, position }, options);
const heads = (page: Page) => page.locator('.moves .group').first().locator('.heads > span').allInnerTexts();
const probe = (position: string, metric: Metric) =>
  newProber({ game: chess, metric, store: server.store }).probe(chess.parse(position));
/** Nothing is cut off: neither the page at its edge, nor a value in its column. */
const uncut = (page: Page) =>
  page.evaluate(
    `[...document.querySelectorAll('.moves .row > span, .groups')].every((each) => each.scrollWidth <= each.clientWidth)`,
  );
const fits = (page: Page) => page.evaluate('document.documentElement.scrollWidth <= innerWidth');

/** The texts of a column by the names of the moves; moves that share their values have them once. */
async function column(page: Page, metric: Metric): Promise<Map<string, string>> {
  return new Map(
    (await page.evaluate(`[...document.querySelectorAll('.moves .row')].flatMap((row) => {
      const text = row.querySelector('[data-metric=${metric}]')?.textContent ?? 'draw';
      return [...row.querySelectorAll('.san')].map((san) => [san.textContent, text]);
    })`)) as [string, string][],
  );
}

describe.skipIf(CHROMIUM === undefined || !LONG)(`metrics side by side${ifNoChromium}${ifShort}`, () => {
  test.each([
    ['desktop', DESKTOP],
    ['phone', { ...PHONE, colorScheme: 'dark' }],
  ] as const)('every move has the value that each table gives it (%s)', async (name, options) => {
    const { page, problems } = await open(QUEEN, 'dtm', options);
    await expectMoves(page, (await probe(QUEEN, 'dtm')).moves);
    await expect.poll(() => heads(page)).toEqual(['DTM', 'DTC', 'DTZ', 'WDL']);
    for (const metric of ['dtc', 'dtz', 'wdl'] as const) {
      const shown = await column(page, metric);
      for (const { san, wdl, plies } of (await probe(QUEEN, metric)).moves)
        expect(shown.get(san), `${metric} ${san}`).toBe(plies === null ? wdl : `${wdl} ${plies}`);
    }
    expect([await fits(page), await uncut(page)]).toEqual([true, true]);
    const [first] = (await probe(QUEEN, 'dtm')).moves;
    await page.getByRole('button', { name: 'Settings and keys' }).click();
    await page.getByLabel('Distances').selectOption('moves');
    await page.getByRole('button', { name: 'Close' }).click();
    const value = page.locator('.moves .row > .main').first();
    await expect.poll(() => value.innerText()).toBe(`win ${Math.ceil(first.plies! / 2)}`);
    if (process.env.MERGEMATE_TEST_PICTURES)
      await page.screenshot({
        path: `${process.env.MERGEMATE_TEST_PICTURES}/beside-${name}.png`,
        fullPage: true,
      });
    expect(problems).toEqual([]);
  });

  test('a metric without a table of the ending has no column', async () => {
    const { page, problems } = await open(PAWN, 'dtm');
    await expect.poll(() => heads(page)).toEqual(['DTM', 'DTZ', 'WDL']);
    // A pawn's move zeroes: one ply under dtz, many under dtm.
    const shown = await column(page, 'dtz');
    for (const { san, wdl, plies } of (await probe(PAWN, 'dtz')).moves)
      expect(shown.get(san)).toBe(plies === null ? wdl : `${wdl.split(' ')[0]} ${plies}`);
    expect(problems).toEqual([]);
  });

  test.each([
    ['dtm', DESKTOP],
    ['dtz', PHONE],
  ] as const)(
    'the clock says where the win vanishes, and sets the position (%s)',
    async (metric, options) => {
      const { page, problems } = await open(QUEEN, metric, options);
      const { plies } = await probe(QUEEN, 'dtz');
      const last = 100 - plies!;
      const words = page.locator('.clock .words');
      await words.filter({ hasText: `Won while the clock is at most ${last}.` }).waitFor();
      const slide = (clock: number) =>
        page.getByRole('slider', { name: 'Half-move clock' }).fill(String(clock));
      const position = () => page.locator('#position').inputValue();
      await slide(last);
      await expect.poll(position).toBe(QUEEN.replace(' 0 1', ` ${last} 1`));
      await words.filter({ hasText: `Won while` }).waitFor();
      await slide(last + 1);
      await expect.poll(position).toBe(QUEEN.replace(' 0 1', ` ${last + 1} 1`));
      await words
        .filter({ hasText: `A draw by the 50-move rule: won only while the clock is at most ${last}.` })
        .waitFor();
      // The verdict and the arrows say so, too, whatever the metric: one colour a category.
      const best = page.locator('.marks .shaft.cursed-win');
      await expect.poll(() => best.count()).toBeGreaterThan(0);
      expect(await page.locator('.marks .shaft').count()).toBe(await best.count());
      await page.locator('.verdict .value').filter({ hasText: 'cursed win' }).waitFor();
      expect([await fits(page), await uncut(page)]).toEqual([true, true]);
      if (process.env.MERGEMATE_TEST_PICTURES)
        await page.screenshot({
          path: `${process.env.MERGEMATE_TEST_PICTURES}/clock-${metric}.png`,
          fullPage: true,
        });
      expect(problems).toEqual([]);
    },
  );

  test('a drawn position and one that is over have no clock', async () => {
    for (const position of [
      '8/8/8/8/8/k7/p7/K7 w - - 0 1',
      '8/8/8/8/8/2k5/8/KQ6 b - - 0 1',
      'k7/1Q6/1K6/8/8/8/8/8 b - - 0 1',
    ]) {
      const { page } = await open(position, 'dtz');
      await page.locator('.verdict .value').filter({ hasText: /./ }).waitFor();
      const { wdl } = await probe(position, 'dtz');
      const isOpen = chess.terminal(chess.parse(position)) === 'open';
      await expect.poll(() => page.locator('.clock').isVisible()).toBe(wdl !== 'draw' && isOpen);
    }
  });
});
