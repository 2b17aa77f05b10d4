/**
 * Takes the picture of the README anew, from the page of this program:
 * `MERGEMATE_TEST_PICTURES=docs npx vitest run test/docs/page-picture.test.ts`.
 */
import { expect, test } from 'vitest';
import { chess } from '../../pipeline/games/chess/chess.js';
import { CHROMIUM, ifNoChromium } from '../support/browser.js';
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
  },
  wanted,
);

test.skipIf(CHROMIUM === undefined || !wanted)(`the picture of the README${skipped}`, async () => {
  const place = { game: 'chess', metric: 'dtm', position: '8/8/8/8/2r5/8/2k5/K6Q w - - 0 1' };
  const { page, problems } = await server.open(place, {
    viewport: { width: 1440, height: 900 },
    colorScheme: 'light',
  });
  await page.getByText('wins in 69 plies').first().waitFor();
  await page.locator('.moves').getByText('Qa8').waitFor();
  await page.getByText('2,467,122').first().waitFor();
  await page.screenshot({ path: `${folder}/page.png` });
  expect(problems).toEqual([]);
});
