/** Board, value and controls are in every window, whatever panel is open, and nothing covers them; keys work wherever the focus is; in Chromium. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { CHROMIUM, ifNoChromium } from '../../support/browser.js';
import { LONG, sweep } from '../../support/long.js';
import { sharedServer } from '../../support/page-server.js';
import { putSolved } from '../../support/solving.js';

const QUEEN = '8/8/8/8/8/2k5/8/KQ6 w - - 0 1';
/** A game of many moves, of which the last thirty are in the tables: the pawn is taken first. */
const LONG_GAME = `[FEN "8/8/8/3p4/8/2k5/8/KQ6 w - - 0 1"]\n\n1. Qb5 d4 2. Qb3+ Kd2 3. Qc4 d3 4. Qxd3+ Kxd3 ${Array.from(
  { length: 25 },
  (_, i) => `${2 * i + 5}. ${['Kb1', 'Ka1'][i % 2]} ${['Kd4', 'Kd3'][i % 2]}`,
).join(' ')} *`;

const HELPMATE = '8/8/8/3k4/8/8/1Q6/K7 b - - 0 1';

const server = sharedServer([chess], async (store) => {
  for (const metric of ['dtm', 'dtz'] as const) await putSolved(store, chess, ['KQK', 'KRK'], { metric });
  // A list that is longer than its panel.
  await putSolved(store, chess, [...chess.ending('KPK').slices, 'KBK', 'KNK']);
  await putSolved(store, chess, ['KQvK'], { metric: 'help' });
});

/** Width and height of windows, those of telephones and tablets by touch, and the least side of a board in pixels. */
const WINDOWS = sweep<readonly [size: string, touch: boolean, board: number]>(
  [
    ['360x640', true, 280],
    ['1280x720', false, 540],
  ],
  [
    ['820x1180', true, 600],
    ['390x844', true, 370],
    ['844x390', true, 330],
    ['1180x820', true, 600],
    ['1440x900', false, 680],
    ['1920x1080', false, 800],
    ['2560x1440', false, 1100],
  ],
);

/** Of these, the windows in which lists are looked at, too. */
const LISTS = sweep(
  WINDOWS.filter(([size]) => ['360x640', '1280x720'].includes(size)),
  WINDOWS.filter(([size]) => ['844x390', '2560x1440'].includes(size)),
  WINDOWS.filter(([size]) => ['820x1180', '390x844', '1180x820', '1440x900', '1920x1080'].includes(size)),
);

const open = (size: string, touch: boolean, place: Readonly<Record<string, string>> = {}) => {
  const [width, height] = size.split('x').map(Number);
  return server.open(
    { game: 'chess', position: QUEEN, ...place },
    { viewport: { width, height }, ...(touch && { hasTouch: true, isMobile: true }) },
  );
};
const says = (page: Page, words: RegExp) =>
  page.locator('.verdict .value').filter({ hasText: words }).waitFor();

/** In the page: what of board, value, controls and tabs is not wholly in the window, lies beneath something, or covers another of them. */
const FAULTS = `(() => {
  const seen = (element) => element.getBoundingClientRect().width > 0;
  const named = ['.frame', '.verdict', '.bar', '[role=tablist]'].map((name) => [name, document.querySelector(name)]);
  const buttons = [...document.querySelectorAll('.bar button, [role=tab], header :is(button, input)')].filter(seen);
  const all = [...named, ...buttons.map((button) => [button.ariaLabel ?? button.textContent, button])];
  const faults = [];
  for (const [name, element] of all) {
    const { left, top, right, bottom, width } = element.getBoundingClientRect();
    if (width === 0) faults.push(name + ' is hidden');
    if (left < -0.5 || top < -0.5 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5) faults.push(name + ' is out of sight');
    const points = [[0.5, 0.5], [0.1, 0.2], [0.9, 0.8]];
    if (!points.every(([x, y]) => element.contains(document.elementFromPoint(left + x * (right - left), top + y * (bottom - top)))))
      faults.push(name + ' is covered');
  }
  for (const [name, element] of named) {
    const box = element.getBoundingClientRect();
    for (const [other, beside] of named) {
      const { left, top, right, bottom } = beside.getBoundingClientRect();
      if (name < other && Math.min(right, box.right) - Math.max(left, box.left) > 1 && Math.min(bottom, box.bottom) - Math.max(top, box.top) > 1)
        faults.push(name + ' covers ' + other);
    }
  }
  const { documentElement: page } = document;
  if (page.scrollWidth > innerWidth || page.scrollHeight > innerHeight) faults.push('the page scrolls');
  return faults;
})()`;

/** In the page: texts that their controls or columns are too narrow for, numbers that stand apart from their moves, and controls too low for a finger. */
const CUT = `(() => {
  const seen = (name) => [...document.querySelectorAll(name)].filter((each) => each.checkVisibility({ visibilityProperty: true }));
  const text = (element) => (element.ariaLabel ?? element.textContent).trim().slice(0, 60);
  const lines = (element) => Math.round(element.clientHeight / parseFloat(getComputedStyle(element).lineHeight));
  const least = matchMedia('(pointer: coarse)').matches ? 36 : 24;
  const natural = (select) => {
    const whole = select.cloneNode(true);
    whole.style.cssText = 'position: absolute; width: max-content; max-width: none';
    select.after(whole);
    const width = whole.offsetWidth;
    whole.remove();
    return width;
  };
  return [
    ...seen('button:not(.cells *), summary').filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => text(each) + ' is too wide'),
    ...seen('select').filter((each) => each.offsetWidth < natural(each) - 1).map((each) => (each.name || each.ariaLabel) + ' is cut off'),
    ...seen('.heads h2, .row > span, .count').filter((each) => lines(each) > 1).map((each) => text(each) + ' is broken'),
    ...seen('.area-value, .groups, .setup, .panel').filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.className + ' scrolls sideways'),
    ...seen('.numbered').filter((each) => each.getClientRects().length > 1).map((each) => text(each) + ' is apart'),
    ...seen('button:not(.cells *), select, summary').filter((each) => each.offsetHeight < least).map((each) => text(each) + ' is low'),
  ];
})()`;

describe.skipIf(CHROMIUM === undefined)(`the layout${ifNoChromium}`, () => {
  test.each(WINDOWS)(
    'board, value and controls are in a window of %s beside every panel',
    async (size, touch, least) => {
      const { page, problems } = await open(size, touch);
      await page.locator('.moves .move').first().waitFor();
      const faults = () => page.evaluate(FAULTS);
      expect(await faults()).toEqual([]);
      expect((await page.locator('.frame').boundingBox())!.width).toBeGreaterThanOrEqual(least);
      // The first move can be pressed as it stands.
      const first = (await page.locator('.moves .move').first().boundingBox())!;
      expect(first.y + first.height).toBeLessThanOrEqual(page.viewportSize()!.height);
      expect(await page.evaluate(CUT)).toEqual([]);
      for (const name of ['Practise', 'Endings', 'Solutions', 'Games']) {
        await page.getByRole('tab', { name }).click();
        expect(await faults(), name).toEqual([]);
        expect(await page.evaluate(CUT), name).toEqual([]);
      }
      await page.keyboard.press('s');
      await page.locator('.palette').waitFor();
      expect(await faults(), 'set up').toEqual([]);
      expect(await page.evaluate(CUT), 'set up').toEqual([]);
      expect(problems).toEqual([]);
    },
  );

  test.each(LISTS)(
    'lists have their controls above them, and nothing cut off, in a window of %s',
    async (size, touch) => {
      const { page, problems } = await open(size, touch, { metric: 'dtm', ending: 'KQK', plies: '15' });
      await page.locator('.found button').first().waitFor();
      await page.getByRole('button', { name: 'Find' }).click();
      const [save, board] = [
        page.getByRole('button', { name: 'CSV' }),
        page.locator('.found button').first(),
      ];
      await expect
        .poll(async () => (await save.boundingBox())!.y)
        .toBeLessThan((await board.boundingBox())!.y);
      expect([...(await page.evaluate<string[]>(FAULTS)), ...(await page.evaluate<string[]>(CUT))]).toEqual(
        [],
      );

      const problem = await open(size, touch, { metric: 'help', position: HELPMATE, panel: 'solutions' });
      await problem.page.locator('.solutions li').first().waitFor();
      expect(await problem.page.evaluate(FAULTS), 'solutions').toEqual([]);
      expect(await problem.page.evaluate(CUT), 'solutions').toEqual([]);
      // Helpmates do not know the 50-move rule.
      expect(await problem.page.locator('.clock').count()).toBe(0);
      expect([...problems, ...problem.problems]).toEqual([]);
    },
  );

  test.each(sweep([['390x844', true] as const], [['1280x720', false] as const]))(
    'a whole game is gone through with board, value and moves in sight (%s)',
    async (size, touch) => {
      const { page, problems } = await open(size, touch);
      await page.getByRole('tab', { name: 'Games' }).click();
      await page.getByLabel(/A game or study as PGN/).fill(LONG_GAME);
      await page.getByRole('button', { name: 'Annotate' }).click();
      // The board begins before the first move that the tables have.
      const current = page.locator('.annotated [aria-current]');
      await current.filter({ hasText: 'Qxd3+' }).waitFor();
      const steps = LONG ? 20 : 8;
      for (let at = 0; at < steps; at++) {
        const before = await current.getAttribute('aria-label');
        await page.keyboard.press('ArrowRight');
        await expect.poll(() => current.getAttribute('aria-label')).not.toBe(before);
      }
      expect(await current.getAttribute('aria-label')).toMatch(new RegExp(`^${4 + steps / 2}\\. `));
      await says(page, /draw/);
      const inView = (await page.evaluate(`(() => {
        const { top, bottom } = document.querySelector('.annotated [aria-current]').getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
      })()`)) as boolean;
      expect(inView).toBe(true);
      expect(await page.evaluate(FAULTS), 'in a game').toEqual([]);
      expect(await page.evaluate(CUT), 'in a game').toEqual([]);
      await page.keyboard.press('End');
      await expect.poll(() => current.getAttribute('aria-label')).toMatch(/^29\.\.\. /);
      if (touch) await page.getByRole('tab', { name: 'Moves' }).click();
      // The list of the moves made follows, too.
      const isInList = `(() => {
        const list = document.querySelector('.record ol').getBoundingClientRect();
        const { top, bottom } = document.querySelector('.record [aria-current]').getBoundingClientRect();
        return top >= list.top - 1 && bottom <= list.bottom + 1;
      })()`;
      await expect.poll(() => page.evaluate(isInList)).toBe(true);
      expect(problems).toEqual([]);
    },
  );

  test('keys work after the mouse was used, wherever the focus is', async () => {
    const { page, problems } = await open('1280x720', false);
    await says(page, /^White to move/);
    const square = (name: string) => page.getByRole('gridcell', { name: new RegExp(`^${name},`) });
    await square('b1').click();
    await square('b7').click();
    await says(page, /^Black to move/);
    await page.keyboard.press('ArrowLeft');
    await says(page, /^White to move/);
    await page.keyboard.press('End');
    await says(page, /^Black to move/);
    await page.locator('.ending').filter({ hasText: 'KRK' }).click();
    await says(page, /^White to move: wins in 31/);
    await page.keyboard.press('b');
    await says(page, /^Black to move/);
    await page.getByRole('button', { name: 'Mate', exact: true }).focus();
    await page.keyboard.press('ArrowLeft');
    await says(page, /^White to move: wins in 31/);
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('play the best move').waitFor();
    expect(problems).toEqual([]);
  });
});
