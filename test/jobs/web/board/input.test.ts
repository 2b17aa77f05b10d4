/** Setting positions up, keys alone, fingers on a telephone, and what the page says when something is wrong; in Chromium. */
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { memoryStore } from '../../../../operators/storage/memory.js';
import { checkers } from '../../../../pipeline/games/checkers/checkers.js';
import { chess } from '../../../../pipeline/games/chess/chess.js';
import { CHROMIUM, ifNoChromium, PHONE, visit } from '../../../support/browser.js';
import { ifShort, LONG } from '../../../support/long.js';
import { servePages, sharedServer } from '../../../support/page-server.js';
import { putSolved } from '../../../support/solving.js';

const QUEEN = '8/8/8/8/8/2k5/8/KQ6 w - - 0 1';

const server = sharedServer(
  [chess, checkers],
  async (store) => {
    await putSolved(store, chess, ['KQK', 'KRK']);
    const two = checkers.endingsUpTo(2).flatMap(({ slices }) => slices);
    await putSolved(store, checkers, two);
  },
  { wanted: LONG },
);

const open = (game: string, position: string, options = {}) => server.open({ game, position }, options);
const verdict = (page: Page) => page.locator('.verdict .value');
const says = (page: Page, words: string | RegExp) => verdict(page).filter({ hasText: words }).waitFor();
const square = (page: Page, name: string) => page.getByRole('gridcell', { name: new RegExp(`^${name},`) });
const stands = (page: Page, what: string) =>
  page.getByRole('gridcell', { name: what, exact: true }).waitFor();
const positionOf = (page: Page) => page.locator('#position').inputValue();
const focused = (page: Page) => page.locator(':focus');

/** Presses Tab until the focus is in there. */
async function tabTo(page: Page, there: Locator): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab');
    const inside = there.locator(':focus').or(there.and(page.locator(':focus')));
    if ((await inside.count()) > 0) return;
  }
  throw new Error('the focus does not come there');
}

const REST_MS = 100;

/**
 * A finger goes down in the middle of one, moves, and goes up in that of the other. As fingers do, it waits until the
 * page is drawn with what was tapped last.
 */
async function dragByFinger(page: Page, from: Locator, to: Locator): Promise<void> {
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
  const touches = await page.context().newCDPSession(page);
  const middles = await Promise.all(
    [from, to].map(async (each) => {
      const { x, y, width, height } = (await each.boundingBox())!;
      return { x: x + width / 2, y: y + height / 2 };
    }),
  );
  const [begin, end] = middles as [{ x: number; y: number }, { x: number; y: number }];
  const half = { x: (begin.x + end.x) / 2, y: (begin.y + end.y) / 2 };
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: (typeof half)[]) =>
    touches.send('Input.dispatchTouchEvent', { type, touchPoints });
  await touch('touchStart', begin);
  await touch('touchMove', half);
  await touch('touchMove', end);
  // It rests before it lets go: what is flung swallows the next tap.
  await page.waitForTimeout(REST_MS);
  await touch('touchMove', { x: end.x + 1, y: end.y });
  await page.waitForTimeout(REST_MS);
  await touch('touchEnd');
}

describe.skipIf(CHROMIUM === undefined || !LONG)(`the page${ifNoChromium}${ifShort}`, () => {
  test('a position of chess is set up by pressing, dragging and letters', async () => {
    const { page, problems } = await open('chess', QUEEN);
    await page.getByRole('button', { name: 'Set up' }).click();
    await page.getByRole('button', { name: 'Clear' }).click();
    await expect.poll(() => positionOf(page)).toBe('8/8/8/8/8/8/8/8 w - - 0 1');
    await says(page, /./);
    // Pressed, dragged, by its letter.
    await page.getByRole('button', { name: 'white king' }).click();
    await square(page, 'e6').click();
    await page.getByRole('button', { name: 'white rook' }).dragTo(square(page, 'a1'));
    await square(page, 'e8').focus();
    await page.keyboard.press('k');
    await page.getByRole('button', { name: 'Black to move' }).click();
    await says(page, /^Black to move: loses in \d+ plies/);
    // The rook is dragged to where it gives check, and Black is mated.
    await page.getByRole('button', { name: 'white king' }).click(); // lets go of it
    await square(page, 'a1').dragTo(square(page, 'a8'));
    await says(page, 'Black is mated');
    await page.getByRole('button', { name: 'White to move' }).click();
    await says(page, /in check/);
    await page.getByRole('button', { name: 'Black to move' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await says(page, 'Black is mated');
    await expect.poll(() => positionOf(page)).toBe('R3k3/8/4K3/8/8/8/8/8 b - - 0 1');
    expect(page.url()).toContain('position=R3k3/8/4K3');
    expect(problems).toEqual([]);
  });

  test('a position of checkers is set up, and men dragged off the board are gone', async () => {
    const { page, problems } = await open('checkers', 'B:WK18:BK14');
    await says(page, /^Black/);
    await page.getByRole('button', { name: 'Set up' }).click();
    await square(page, '14').dragTo(page.locator('h1'));
    await expect.poll(() => positionOf(page)).toBe('B:WK18:B');
    await page.getByRole('button', { name: 'black man' }).click();
    await square(page, '1').click();
    await page.getByRole('button', { name: 'Remove' }).click();
    await square(page, '18').click();
    await page.getByRole('button', { name: 'white man' }).click();
    await square(page, '32').click();
    await page.getByRole('button', { name: 'Done' }).click();
    await says(page, /^Black to move/);
    await expect.poll(() => positionOf(page)).toBe('B:W32:B1');
    expect(problems).toEqual([]);
  });

  test('all that was set up is taken back at once', async () => {
    const { page } = await open('chess', QUEEN);
    await says(page, /wins/);
    await page.getByRole('button', { name: 'Set up' }).click();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByRole('button', { name: 'white rook' }).dragTo(square(page, 'a1'));
    await stands(page, 'a1, white rook');
    await page.goBack();
    await expect.poll(() => positionOf(page)).toBe(QUEEN);
    await expect.poll(() => square(page, 'b1').getAttribute('aria-label')).toBe('b1, white queen');
  });

  test('everything can be done with keys alone', async () => {
    const { page, problems } = await open('chess', QUEEN);
    await says(page, /wins/);
    // On the board: the queen from b1 to b7.
    await tabTo(page, page.getByRole('grid'));
    for (const key of ['Home', ...'ArrowDown '.repeat(7).trim().split(' '), 'ArrowRight', 'Enter']) {
      await page.keyboard.press(key);
    }
    await expect.poll(() => focused(page).getAttribute('aria-label')).toBe('b1, white queen');
    await expect.poll(() => focused(page).getAttribute('aria-selected')).toBe('true');
    for (let i = 0; i < 6; i++) await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await says(page, /^Black to move/);
    await expect.poll(() => square(page, 'b7').getAttribute('aria-label')).toBe('b7, white queen');
    // In the list of moves: the second one.
    await page.keyboard.press('l');
    await page.keyboard.press('ArrowDown');
    const second = page.locator('.moves .move').nth(1);
    await expect
      .poll(() => focused(page).getAttribute('aria-label'))
      .toBe(await second.getAttribute('aria-label'));
    await page.keyboard.press('Enter');
    await says(page, /^White to move/);
    await expect.poll(() => page.locator('.moves .move:focus').count()).toBe(1);
    // Taken back and made again.
    await page.keyboard.press('ArrowLeft');
    await says(page, /^Black to move/);
    await page.keyboard.press('ArrowLeft');
    await page.locator('[aria-current=step]').getByText('Start').waitFor();
    await page.keyboard.press('ArrowRight');
    await says(page, /^Black to move/);
    await page.keyboard.press('b');
    await says(page, /^White to move/);
    // The list of keys.
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('play the best move').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    // Another position as text.
    await tabTo(page, page.locator('#position'));
    await page.keyboard.type('8/8/8/8/8/2k5/1R6/K7 w - - 0 1');
    await page.keyboard.press('Enter');
    await page.locator('.verdict').getByText('KRK').waitFor();
    // An ending.
    await tabTo(page, page.locator('.ending').filter({ hasText: 'KQK' }));
    await page.keyboard.press('Enter');
    await says(page, 'White to move: wins in 19 plies');
    expect(problems).toEqual([]);
  });

  test('on a telephone a finger is enough, and nothing is wider than the screen', async () => {
    const { page, problems } = await open('chess', QUEEN, PHONE);
    await says(page, /wins/);
    const fits = () =>
      page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth');
    await expect.poll(() => fits()).toBe(true);
    const board = (await page.locator('.frame').boundingBox())!;
    expect(board.width).toBeGreaterThan(350);
    // The value is seen without scrolling.
    const value = (await verdict(page).boundingBox())!;
    expect(value.y + value.height).toBeLessThan(PHONE.viewport.height);
    await square(page, 'b1').tap();
    await expect.poll(() => page.locator('.marks .target').count()).toBeGreaterThan(10);
    await square(page, 'b7').tap();
    await says(page, /^Black to move/);
    await page.locator('.moves .move').first().tap();
    await says(page, /^White to move/);
    await page.getByRole('button', { name: 'Back', exact: true }).tap();
    await says(page, /^Black to move/);
    await page.getByRole('button', { name: 'Back', exact: true }).tap();
    await says(page, /^White to move/);
    await dragByFinger(page, square(page, 'b1'), square(page, 'b7'));
    await says(page, /^Black to move/);
    await page.getByRole('button', { name: 'Set up' }).tap();
    await page.getByRole('button', { name: 'Done' }).waitFor();
    await dragByFinger(page, square(page, 'b7'), page.locator('h1'));
    await stands(page, 'b7, empty');
    await page.getByRole('button', { name: 'white rook' }).tap();
    await square(page, 'h7').tap();
    await expect.poll(() => fits()).toBe(true);
    await page.getByRole('button', { name: 'Done' }).tap();
    await page.locator('.verdict').getByText('KRK').waitFor();
    await page.getByRole('tab', { name: 'Endings' }).tap();
    await page.locator('.ending').filter({ hasText: 'KQK' }).tap();
    await page.locator('.chart').first().waitFor();
    await expect.poll(() => fits()).toBe(true);
    expect(problems).toEqual([]);
  });

  test('a text that is no position is refused in a line, and the last position stays', async () => {
    const { page, problems } = await open('chess', QUEEN);
    await says(page, /wins/);
    await page.locator('#position').fill('8/8/8 w');
    await page.keyboard.press('Enter');
    const alert = page.getByRole('alert').filter({ hasText: /FEN "8\/8\/8 w"/ });
    await alert.waitFor();
    await expect.poll(() => alert.innerText()).not.toContain('\n');
    await expect.poll(() => square(page, 'b1').getAttribute('aria-label')).toBe('b1, white queen');
    expect(page.url()).toContain('KQ6');
    expect(problems).toEqual([]);
  });

  test('a link to a missing ending reports that, and shows an example', async () => {
    const { page } = await open('halma', 'x');
    await page.getByRole('alert').filter({ hasText: 'There are no tables of halma here.' }).waitFor();
    await says(page, / to move/);
  });

  test('light or dark follows the system until the user chooses', async () => {
    const { page } = await open('chess', QUEEN, { colorScheme: 'dark' });
    const paper = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    await says(page, /wins/);
    const dark = await paper();
    await page.getByRole('button', { name: 'Change to light colours' }).click();
    const light = await paper();
    expect(light).not.toBe(dark);
    await page.reload();
    await says(page, /wins/);
    await expect.poll(() => paper()).toBe(light);
  });

  test('an empty store shows how to fill it, and a missing server how to go on', async () => {
    const store = memoryStore();
    const empty = await servePages(store, [chess]);
    const { page } = await visit(empty.url);
    await page.getByText('npx mergemate solve').waitFor();
    await putSolved(store, chess, ['KRK']);
    await empty.stop();
    await page.getByRole('button', { name: 'Look again' }).click();
    await page.getByRole('heading', { name: 'The tables cannot be reached' }).waitFor();
    const port = Number(new URL(empty.url).port);
    const filled = await servePages(store, [chess], port);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.moves .move').first().waitFor();
    await filled.stop();
    await page.locator('.moves .move').first().click();
    await page.getByRole('alert').filter({ hasText: 'The server does not answer.' }).waitFor();
    // The move is not made, then.
    await expect.poll(() => page.locator('.record').isVisible()).toBe(false);
    const again = await servePages(store, [chess], port);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.record').getByText('1.').waitFor();
    await again.stop();
  });
});
