/** The page for everybody, in Chromium: axe finds nothing, at both sizes, by day and by night; layouts use what room there is. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { checkers } from '../../../pipeline/games/checkers/checkers.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { CHROMIUM, DESKTOP, ifNoChromium, PHONE, violations } from '../../support/browser.js';
import { LONGEST, sweep } from '../../support/long.js';
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
  ['position', async (page) => page.locator('.moves .row').first().waitFor()],
  [
    'ending',
    async (page) => {
      await page.getByRole('tab', { name: 'Endings' }).click();
      await page.locator('.ending').filter({ hasText: 'KQK' }).click();
      await page.locator('.chart').first().waitFor();
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
      await page.locator('.annotated button').nth(2).waitFor();
    },
  ],
  [
    'setup',
    async (page) => {
      await page.getByRole('button', { name: 'Set up' }).click();
      await page.locator('.palette').waitFor();
    },
  ],
  [
    'copy',
    async (page) => {
      await page.getByRole('button', { name: 'Done' }).click();
      await page.getByRole('button', { name: 'Share' }).click();
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
});
