/** Board, value and moves are in one screen beside whatever panel is open; keys work wherever the focus is; in Chromium. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { CHROMIUM, ifNoChromium, PHONE } from '../../support/browser.js';
import { ifShort, LONG } from '../../support/long.js';
import { sharedServer } from '../../support/page-server.js';
import { putSolved } from '../../support/solving.js';

const QUEEN = '8/8/8/8/8/2k5/8/KQ6 w - - 0 1';
/** A game of many moves, of which the last thirty are in the tables: the pawn is taken first. */
const LONG_GAME = `[FEN "8/8/8/3p4/8/2k5/8/KQ6 w - - 0 1"]\n\n1. Qb5 d4 2. Qb3+ Kd2 3. Qc4 d3 4. Qxd3+ Kxd3 ${Array.from(
  { length: 25 },
  (_, i) => `${2 * i + 5}. ${['Kb1', 'Ka1'][i % 2]} ${['Kd4', 'Kd3'][i % 2]}`,
).join(' ')} *`;

const server = sharedServer([chess], (store) => putSolved(store, chess, ['KQK', 'KRK']));

const desktop = (width: number, height: number) =>
  [`${width}x${height}`, { viewport: { width, height } }] as const;

const open = (options: object) => server.open({ game: 'chess', position: QUEEN }, options);
const says = (page: Page, words: RegExp) =>
  page.locator('.verdict .value').filter({ hasText: words }).waitFor();

/** In the page: what of board, value, first moves and tabs is not wholly in the window, or covers another of them. */
const FAULTS = `(() => {
  const names = ['.frame', '.verdict', '.moves li:first-child .move', '[role=tablist]'];
  const boxes = names.map((name) => [name, document.querySelector(name).getBoundingClientRect()]);
  const faults = [];
  for (const [name, { left, top, right, bottom, width }] of boxes) {
    if (width === 0) faults.push(name + ' is hidden');
    if (left < -0.5 || top < -0.5 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5) faults.push(name + ' is out of sight');
    for (const [other, box] of boxes)
      if (other !== name && Math.min(right, box.right) - Math.max(left, box.left) > 1 && Math.min(bottom, box.bottom) - Math.max(top, box.top) > 1)
        faults.push(name + ' covers ' + other);
  }
  if (document.documentElement.scrollWidth > innerWidth) faults.push('the page scrolls sideways');
  return faults;
})()`;

describe.skipIf(CHROMIUM === undefined)(`the layout${ifNoChromium}`, () => {
  test.each([desktop(1280, 800), ['390x844', PHONE] as const])(
    'board, value and moves stay visible beside every panel, and through a whole game (%s)',
    async (_, options) => {
      const { page, problems } = await open(options);
      await page.locator('.moves .move').first().waitFor();
      const faults = () => page.evaluate(FAULTS);
      expect(await faults()).toEqual([]);
      for (const name of ['Practise', 'Endings', 'Games']) {
        await page.getByRole('tab', { name }).click();
        expect(await faults(), name).toEqual([]);
      }
      await page.getByLabel(/A game or study as PGN/).fill(LONG_GAME);
      await page.getByRole('button', { name: 'Annotate' }).click();
      // The first position that the tables have is on the board at once.
      await page.locator('.annotated [aria-current]').filter({ hasText: '4. Qxd3+' }).waitFor();
      await says(page, /Black to move|White to move|Draw/);
      const current = page.locator('.annotated [aria-current]');
      const steps = LONG ? 20 : 8;
      for (let at = 0; at < steps; at++) {
        const before = await current.innerText();
        await page.keyboard.press('ArrowRight');
        await expect.poll(() => current.innerText()).not.toBe(before);
      }
      expect(await current.innerText()).toMatch(new RegExp(`^${4 + steps / 2}\\. `));
      await says(page, /draw/);
      const inView = (await page.evaluate(`(() => {
      const { top, bottom } = document.querySelector('.annotated [aria-current]').getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    })()`)) as boolean;
      expect(inView).toBe(true);
      expect(await faults(), 'in a game').toEqual([]);
      expect(problems).toEqual([]);
    },
  );

  test.skipIf(!LONG)(
    `board, value and moves stay visible beside every panel at every width${ifShort}`,
    async () => {
      const { page, problems } = await open(desktop(1366, 768)[1]);
      await page.locator('.moves .move').first().waitFor();
      for (const name of ['Practise', 'Endings', 'Games']) {
        await page.getByRole('tab', { name }).click();
        for (const [size, { viewport }] of [
          desktop(1366, 768),
          desktop(1440, 900),
          desktop(1600, 900),
          desktop(1920, 1080),
        ]) {
          await page.setViewportSize(viewport);
          expect(await page.evaluate(FAULTS), `${name}, ${size}`).toEqual([]);
        }
      }
      expect(problems).toEqual([]);
    },
  );

  test('keys work after the mouse was used, wherever the focus is', async () => {
    const { page, problems } = await open({});
    await says(page, /^White to move/);
    const square = (name: string) => page.getByRole('gridcell', { name: new RegExp(`^${name},`) });
    await square('b1').click();
    await square('b7').click();
    await says(page, /^Black to move/);
    await page.keyboard.press('ArrowLeft');
    await says(page, /^White to move/);
    await page.keyboard.press('ArrowRight');
    await says(page, /^Black to move/);
    await page.getByRole('tab', { name: 'Endings' }).click();
    await page.locator('.endings table').getByRole('button', { name: 'KRK', exact: true }).click();
    await says(page, /^White to move: wins in 31/);
    await page.keyboard.press('b');
    await says(page, /^Black to move/);
    await page.getByLabel('Metric').focus();
    await page.keyboard.press('ArrowLeft');
    await says(page, /^White to move: wins in 31/);
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('play the best move').waitFor();
    expect(problems).toEqual([]);
  });
});
