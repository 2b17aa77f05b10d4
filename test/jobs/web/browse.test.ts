/** Positions by query on the page, in Chromium: against the same query of the pipeline; links, files, and both sizes. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { type Selection, selectPositions } from '../../../pipeline/analysis/selection.js';
import type { Game } from '../../../pipeline/game/game.js';
import { checkers } from '../../../pipeline/games/checkers/checkers.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { needTable } from '../../../pipeline/tables/table.js';
import { allOf } from '../../support/batches.js';
import { CHROMIUM, DESKTOP, ifNoChromium, PHONE, visit } from '../../support/browser.js';
import { ifShort, LONG, LONGEST } from '../../support/long.js';
import { sharedServer } from '../../support/page-server.js';
import { putSolved } from '../../support/solving.js';

const server = sharedServer([chess, checkers], async (store) => {
  await putSolved(store, chess, chess.ending('KPK').slices, { verify: true });
  await putSolved(store, checkers, checkers.ending('1100').slices);
});

/** The positions that the pipeline selects. */
async function selected(ending: string, selection: Partial<Selection>): Promise<string[]> {
  const whole = { result: null, plies: null, sides: chess.colours, longest: false, zugzwang: false };
  const found = await allOf(
    selectPositions({
      game: chess as Game,
      metric: 'dtm',
      ending: chess.ending(ending),
      report: async () => {},
      open: (slice) => needTable(server.store, chess as Game, 'dtm', slice),
      selection: { ...whole, ...selection },
    }),
  );
  return found.map(({ board }) => chess.format(board as Parameters<typeof chess.format>[0]));
}

const listed = (page: Page) =>
  page.evaluate(
    `[...document.querySelectorAll('.found button')].map((each) => each.dataset.position)`,
  ) as Promise<string[]>;
const { open } = server;
const choose = async (page: Page, ending: string) => {
  await page.getByRole('tab', { name: 'Endings' }).click();
  const back = page.getByRole('button', { name: 'All endings' });
  if (await back.isVisible()) await back.click();
  await page.locator('.ending').filter({ hasText: ending }).first().click();
  await page.getByRole('heading', { name: `Positions of ${ending}` }).waitFor();
};
const fits = (page: Page) => page.evaluate('document.documentElement.scrollWidth <= screen.width');

describe.skipIf(CHROMIUM === undefined)(`positions by query${ifNoChromium}`, () => {
  test.each([['desktop', DESKTOP] as const, ...(LONGEST ? ([['phone', PHONE]] as const) : [])])(
    'are those of the tables, and can be clicked through (%s)',
    async (_, options) => {
      const { page, problems } = await open({ game: 'chess' }, options);
      await choose(page, 'KQK');
      await page.getByLabel('Plies', { exact: true }).fill('17..18');
      await page.getByLabel('To move').selectOption('black');
      await page.getByRole('button', { name: 'Find' }).click();
      const expected = await selected('KQK', { plies: { least: 17, most: 18 }, sides: ['black'] });
      expect(expected.length).toBeGreaterThan(100);
      await expect.poll(() => listed(page)).toEqual(expected.slice(0, 100));
      // Each is a small board with its men.
      const boards = page.locator('.found img');
      await expect.poll(() => boards.count()).toBe(100);
      const svg = decodeURIComponent((await boards.first().getAttribute('src'))!);
      expect(svg.match(/<use /g)).toHaveLength(3);
      await page.getByRole('button', { name: 'More' }).click();
      await expect.poll(() => listed(page)).toEqual(expected.slice(0, 200));
      await page.locator('.found button').nth(3).click();
      await page.locator('.verdict .value').filter({ hasText: 'Black to move: loses in 18 plies' }).waitFor();
      expect(await page.locator('#position').inputValue()).toBe(expected[3]);
      expect(await page.locator('.found [aria-current]').getAttribute('data-position')).toBe(expected[3]);
      // Keys go through the list, too.
      await page.locator('.found button').nth(3).press('ArrowDown');
      await expect.poll(() => page.locator('#position').inputValue()).toBe(expected[4]);
      expect([await fits(page), problems]).toEqual([true, []]);
    },
  );

  test.skipIf(!LONG)(
    `with men on given squares are shown in the image that has them there${ifShort}`,
    async () => {
      const { page, problems } = await open({ game: 'chess' });
      await choose(page, 'KQK');
      await page.getByLabel('Men on').fill('Kh8 kf');
      await page.getByLabel('Result').selectOption('win');
      await page.getByRole('button', { name: 'Find' }).click();
      const standing = chess.standing!('Kh8 kf');
      const expected = await selected('KQK', { result: 'win', standing: standing as never });
      expect(expected.length).toBeGreaterThan(0);
      expect(expected.every((fen) => /^[^/]*K /.test(`${fen.split('/')[0]} `))).toBe(true);
      await expect.poll(() => listed(page)).toEqual(expected.slice(0, 100));
      await page.getByLabel('Men on').fill('Kj9');
      await page.getByRole('button', { name: 'Find' }).click();
      await page
        .getByRole('alert')
        .filter({ hasText: '"Kj9" is not a man on a square, file or rank' })
        .waitFor();
      // The browser reports the request that the server refused.
      expect(problems).toEqual([expect.stringContaining('400')]);
    },
  );

  test.skipIf(!LONG)(
    `may be the longest wins or mutual zugzwangs, and a link shows the list again${ifShort}`,
    async () => {
      const { page } = await open({ game: 'chess' });
      await choose(page, 'KPK');
      await page.locator('select[name=kind]').selectOption('zugzwang');
      await page.getByRole('button', { name: 'Find' }).click();
      const expected = await selected('KPK', { zugzwang: true, sides: ['white'] });
      expect(expected.length).toBeGreaterThan(10);
      await expect.poll(() => listed(page)).toEqual(expected.slice(0, 100));
      await page.locator('.found button').first().click();
      await expect.poll(() => page.locator('#position').inputValue()).toBe(expected[0]);
      await expect.poll(() => page.url()).toContain('ending=KPK&zugzwang=true');
      await expect.poll(() => decodeURIComponent(page.url())).toContain(expected[0].split(' ')[0]);
      const { page: other, problems } = await visit(page.url());
      await expect.poll(() => listed(other)).toEqual(expected.slice(0, 100));
      await expect.poll(() => other.locator('#position').inputValue()).toBe(expected[0]);
      await other.locator('select[name=kind]').selectOption('longest');
      await other.getByRole('button', { name: 'Find' }).click();
      const longest = await selected('KPK', { result: 'win', longest: true });
      await expect.poll(() => listed(other)).toEqual(longest);
      // Pressed once more, the ending begins without a list, and so does its link.
      await choose(other, 'KPK');
      await expect.poll(() => other.url()).not.toContain('ending=');
      await expect.poll(() => listed(other)).toEqual([]);
      expect(problems).toEqual([]);
    },
  );

  test.skipIf(!LONG).each([
    [{ ending: 'KPK', zugzwang: 'true' }, { kind: 'zugzwang' }],
    [
      { ending: 'KPK', zugzwang: 'true', side: 'black' },
      { kind: 'zugzwang', side: 'black' },
    ],
    [
      { ending: 'KPK', longest: 'true', result: 'loss' },
      { kind: 'longest', result: 'loss' },
    ],
    [
      { ending: 'KQK', result: 'loss', plies: '4..6', side: 'black', on: 'kf' },
      { result: 'loss', plies: '4..6', side: 'black', on: 'kf' },
    ],
    [
      { ending: 'KQK', result: 'win', plies: '19' },
      { result: 'win', plies: '19' },
    ],
  ])(`%j: a link fills the form, and Find asks for the same again${ifShort}`, async (query, fields) => {
    const { page, problems } = await open({ game: 'chess', ...query });
    await expect.poll(() => listed(page).then((all) => all.length)).toBeGreaterThan(0);
    const form = () =>
      page.evaluate(`Object.fromEntries(new FormData(document.querySelector('form.query')))`);
    const shown = { kind: '', result: '', side: '', plies: '', on: '', ...fields };
    expect(await form()).toEqual(shown);
    const before = [new URL(page.url()).hash, await listed(page)];
    const answered = page.waitForResponse((answer) => answer.url().includes('/api/positions'));
    await page.getByRole('button', { name: 'Find' }).click();
    const asked = new URL((await answered).url()).searchParams;
    for (const [name, value] of Object.entries(query)) expect([name, asked.get(name)]).toEqual([name, value]);
    await expect.poll(async () => [new URL(page.url()).hash, await listed(page)]).toEqual(before);
    expect(await form()).toEqual(shown);
    expect(problems).toEqual([]);
  });

  test.skipIf(!LONG)(`are saved as CSV, EPD and PGN as the API gives them${ifShort}`, async () => {
    const query = { game: 'chess', ending: 'KQK', plies: '19' };
    const { page, problems } = await open(query);
    await expect.poll(() => listed(page).then((all) => all.length)).toBeGreaterThan(0);
    for (const format of ['csv', 'epd', 'pgn']) {
      const coming = page.waitForEvent('download');
      await page.getByRole('button', { name: format.toUpperCase() }).click();
      const file = await coming;
      expect(file.suggestedFilename()).toBe(`KQK.${format}`);
      const asked = new URLSearchParams({ ...query, format, limit: '10000' });
      const answer = await fetch(`${server.url}/api/positions?${asked}`);
      expect(readFileSync(await file.path(), 'utf8')).toBe(await answer.text());
    }
    expect(problems).toEqual([]);
  });

  test.skipIf(!LONG)(
    `of checkers are found by squares in its own notation, and are not saved as EPD${ifShort}`,
    async () => {
      const { page, problems } = await open({ game: 'checkers' });
      await choose(page, '1100');
      await page.getByLabel('Men on').fill('BK4');
      await page.getByLabel('To move').selectOption('black');
      await page.getByRole('button', { name: 'Find' }).click();
      await expect.poll(() => listed(page).then((all) => all.length)).toBeGreaterThan(5);
      expect((await listed(page)).every((each) => each.endsWith(':BK4'))).toBe(true);
      expect(await page.getByRole('button', { name: 'EPD' }).count()).toBe(0);
      expect(problems).toEqual([]);
    },
  );
});
