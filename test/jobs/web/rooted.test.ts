/** The page on positions that only the tables of a root have, and on those that no table has. */
import { describe, expect, test } from 'vitest';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { CHROMIUM, ifNoChromium } from '../../support/browser.js';
import { sharedServer } from '../../support/page-server.js';
import { LOCKED, putRoot, SHORT } from '../../support/roots.js';

const NINE = '8/k7/3p4/p2P3p/P2P3P/8/8/K7 w - - 0 1';

const server = sharedServer([chess], (store) => putRoot(store, LOCKED, SHORT));
const at = (position: string) => server.open({ game: 'chess', metric: 'dtm', position });

describe.skipIf(CHROMIUM === undefined)(`roots on the page${ifNoChromium}`, () => {
  test('a position with bounds says in words what is known, as do its moves', async () => {
    const { page, problems } = await at(LOCKED);
    await page.getByText('White to move: at least a draw').waitFor();
    await page.getByRole('heading', { name: 'At least a draw' }).waitFor();
    expect(await page.locator('.moves .move .value').allTextContents()).toEqual([
      '≥ draw',
      '≥ draw',
      '≥ draw',
    ]);
    await page.locator('.moves .move').first().click();
    await page.getByText('Black to move: at most a draw').waitFor();
    expect(problems).toEqual([]);
  });

  test('a position with more men than any table has the command that solves it, and its forecast', async () => {
    const { page, problems } = await at(NINE);
    const plan = page.locator('.plan');
    await plan.getByText(/^Forecast: \d+ slices?, /).waitFor();
    expect(await plan.locator('code').innerText()).toContain(`npx mergemate solve chess --from "${NINE}"`);
    await plan.getByRole('button', { name: 'Copy' }).waitFor();
    expect(problems).toEqual([]);
  });
});
