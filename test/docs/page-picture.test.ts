/**
 * Takes the pictures of the page in README and docs anew, from the page of this program:
 * `MERGEMATE_TEST_PICTURES=docs npx vitest run test/docs/page-picture.test.ts`.
 */
import { expect, test } from 'vitest';
import { chess } from '../../pipeline/games/chess/chess.js';
import { CHROMIUM, ifNoChromium, PHONE } from '../support/browser.js';
import { sharedServer } from '../support/page-server.js';
import { putSolved } from '../support/solving.js';

const folder = process.env.MERGEMATE_TEST_PICTURES;
const skipped = folder ? ifNoChromium : ' (skipped: MERGEMATE_TEST_PICTURES is not set)';
const wanted = folder !== undefined && folder !== '';

const server = sharedServer(
  [chess],
  async (store) => {
    for (const ending of ['KPK', 'KQKR'])
      await putSolved(store, chess, chess.ending(ending).slices, { verify: true });
    await putSolved(store, chess, chess.ending('KQKR').slices, { metric: 'dtz' });
    await putSolved(store, chess, chess.sided!.ending('KQvKP').slices, { metric: 'help' });
  },
  { wanted },
);

const QUEEN = '8/8/8/8/2r5/8/2k5/K6Q w - - 0 1';
const DESKTOP = { viewport: { width: 1440, height: 900 } };

test.skipIf(CHROMIUM === undefined || !wanted).each([
  ['page', DESKTOP, { metric: 'dtm', position: QUEEN }, '.ending'],
  [
    'page-problem',
    DESKTOP,
    { metric: 'help', position: '8/8/8/8/1p6/k7/8/2K4Q b - - 0 1', panel: 'solutions' },
    '.solutions li',
  ],
  ['page-phone', PHONE, { metric: 'dtm', position: QUEEN }, '.moves .row'],
])(`the picture %s${skipped}`, async (name, options, place, last) => {
  const { page, problems } = await server.open(
    { game: 'chess', ...place },
    { ...options, colorScheme: 'light' },
  );
  await page.locator('.moves .move').first().waitFor();
  await page.locator(last).first().waitFor();
  await page.screenshot({ path: `${folder}/${name}.png` });
  expect(problems).toEqual([]);
});
