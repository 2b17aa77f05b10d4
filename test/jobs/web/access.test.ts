/** The page for everybody, in Chromium: axe finds nothing, at both sizes, by day and by night; layouts use what room there is. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { checkers } from '../../../pipeline/games/checkers/checkers.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { CHROMIUM, DESKTOP, ifNoChromium, PHONE, violations } from '../../support/browser.js';
import { ifShort, LONG, LONGEST, sweep } from '../../support/long.js';
import { sharedServer } from '../../support/page-server.js';
import { putSolved } from '../../support/solving.js';

const QUEEN = '8/8/8/8/3k4/8/8/K6Q w - - 0 1';

const server = sharedServer([chess, checkers], async (store) => {
  await putSolved(store, chess, chess.ending('KPK').slices, { verify: true });
  await putSolved(store, chess, chess.ending('KPK').slices, { metric: 'dtz' });
  await putSolved(store, checkers, checkers.ending('1100').slices);
});

const { open } = server;
const picture = async (page: Page, name: string) => {
  const folder = process.env.MERGEMATE_TEST_PICTURES;
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` });
};

/** The scenes that are shown, one after another, on one page. */
const SCENES: readonly (readonly [name: string, show: (page: Page) => Promise<void>])[] = [
  ['position', async (page) => page.locator('.moves .other').first().waitFor()],
  [
    'ending',
    async (page) => {
      await page.getByRole('tab', { name: 'Endings' }).click();
      await page.locator('.endings table').getByRole('button', { name: 'KQK', exact: true }).click();
      await page.locator('.uplot').first().waitFor();
      await page.getByRole('button', { name: 'Find' }).click();
      await page.locator('.found button').first().waitFor();
    },
  ],
  [
    'game',
    async (page) => {
      await page.getByRole('tab', { name: 'Games' }).click();
      await page.getByLabel(/A game or study as PGN/).fill(`[FEN "${QUEEN}"]\n\n1. Qh5 Kc3 2. Qd1 *`);
      await page.getByRole('button', { name: 'Annotate' }).click();
      await page.locator('.annotated li').nth(3).waitFor();
    },
  ],
  [
    'setup',
    async (page) => {
      // A telephone has no room for that beside a panel.
      const setUp = page.getByRole('button', { name: 'Set up' });
      if (!(await setUp.isVisible())) await page.getByRole('tab', { name: 'Games' }).click();
      await setUp.click();
      await page.locator('.setup .checked').filter({ hasText: /./ }).waitFor();
    },
  ],
  [
    'copy',
    async (page) => {
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'Copy…' }).click();
      await page.getByRole('button', { name: 'Copy the FEN' }).waitFor();
    },
  ],
  [
    'practice',
    async (page) => {
      await page.getByRole('button', { name: 'Close' }).last().click();
      await page.getByRole('tab', { name: 'Practise' }).click();
      await page.getByRole('button', { name: 'Begin' }).click();
      await page.locator('.practice-status .value').filter({ hasText: 'to move' }).waitFor();
      await page.getByRole('button', { name: 'Hint' }).click();
    },
  ],
];

describe.skipIf(CHROMIUM === undefined)(`the page for everybody${ifNoChromium}`, () => {
  // Each size and each scheme once in the long tests.
  test.each(
    sweep<readonly [string, typeof DESKTOP | typeof PHONE, 'light' | 'dark']>(
      [],
      [
        ['desktop, light', DESKTOP, 'light'],
        ['phone, dark', PHONE, 'dark'],
        ...(LONGEST ? ([['desktop, dark', DESKTOP, 'dark']] as const) : []),
        ...(LONGEST ? ([['phone, light', PHONE, 'light']] as const) : []),
      ],
    ),
  )(
    'axe finds nothing wrong (%s)',
    async (name, size, colorScheme) => {
      const { page, problems } = await open({ game: 'chess', position: QUEEN }, { ...size, colorScheme });
      for (const [scene, show] of SCENES) {
        await show(page);
        expect(await violations(page), scene).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth <= screen.width'), scene).toBe(true);
        await picture(page, `${scene}-${name.replace(', ', '-')}`);
      }
      expect(problems).toEqual([]);
    },
    120_000,
  );

  test.each<'light' | 'dark'>(LONGEST ? ['light', 'dark'] : ['light'])(
    'axe finds nothing wrong with checkers (%s)',
    async (colorScheme) => {
      const { page, problems } = await open({ game: 'checkers' }, { ...PHONE, colorScheme });
      await page.locator('.moves .move').first().waitFor();
      expect(await violations(page)).toEqual([]);
      expect(problems).toEqual([]);
    },
  );

  // In the short tests, layout.test.ts finds all that is out of sight.
  test.each(sweep([], ['chess', 'checkers']))(
    'a telephone shows board, value and moves at once (%s)',
    async (game) => {
      const { page } = await open({ game }, PHONE);
      await page.locator('.moves .move').first().waitFor();
      const [board, value, moves] = await Promise.all(
        ['.frame', '.verdict', '.moves .groups'].map((each) => page.locator(each).boundingBox()),
      );
      const { height, width } = PHONE.viewport;
      expect(board!.width).toBeGreaterThan(0.9 * width);
      expect(board!.y + board!.height).toBeLessThan(value!.y + 1);
      expect(value!.y + value!.height).toBeLessThan(moves!.y + 1);
      const first = await page.locator('.moves .move').first().boundingBox();
      expect(first!.y + first!.height).toBeLessThan(height);
      expect(moves!.y + moves!.height).toBeLessThanOrEqual(height);
    },
  );

  test.skipIf(!LONG)(
    `a wide window is used: the lists stand beside the moves, and stay beside the board${ifShort}`,
    async () => {
      const { page } = await open(
        { game: 'chess', position: QUEEN },
        { viewport: { width: 1600, height: 900 } },
      );
      await page.locator('.endings table').waitFor();
      const [board, moves, more] = await Promise.all(
        ['.frame', '.moves', '.area-more'].map((each) => page.locator(each).boundingBox()),
      );
      expect(moves!.x).toBeGreaterThan(board!.x + board!.width);
      expect(more!.x).toBeGreaterThan(moves!.x + moves!.width);
      expect(more!.x + more!.width).toBeGreaterThan(1500);
      expect(more!.height).toBeLessThanOrEqual(900);
    },
  );
});
