/** The page on which endings are looked into, in Chromium, on the real server: what is shown is what the tables say. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { checkers } from '../../../pipeline/games/checkers/checkers.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { newProber } from '../../../pipeline/tables/probe/prober.js';
import ticTacToe from '../../../samples/tic-tac-toe/game.js';
import { CHROMIUM, expectMoves, ifNoChromium, visit } from '../../support/browser.js';
import { ifNotLongest, ifShort, LONG, LONGEST } from '../../support/long.js';
import { sharedServer } from '../../support/page-server.js';
import { MiB, putSolved, solveGame } from '../../support/solving.js';

/** White wins in 31 plies: the longest there is with a rook. */
const ROOK = '8/8/8/8/8/2k5/1R6/K7 w - - 0 1';

const server = sharedServer([chess, checkers, ticTacToe], async (store) => {
  await putSolved(store, chess, ['KQK', 'KRK', 'KPK.7']);
  await putSolved(store, chess, ['KQK'], { metric: 'wdl' });
  const slices = checkers.endingsUpTo(2).flatMap((ending) => ending.slices);
  await putSolved(store, checkers, slices);
  await solveGame(ticTacToe, ['tic-tac-toe'], { store });
});

const link = (game: string, position: string, metric = game === 'chess' ? 'dtm' : 'dtw') =>
  `${server.url}/#${new URLSearchParams({ game, metric, position })}`;
const open = (game: string, position: string, options = {}) => visit(link(game, position), options);

const verdict = (page: Page) => page.locator('.verdict .value');
const says = (page: Page, words: string | RegExp) => verdict(page).filter({ hasText: words }).waitFor();
const square = (page: Page, name: string) => page.getByRole('gridcell', { name: new RegExp(`^${name},`) });
const positionOf = (page: Page) => page.locator('#position').inputValue();
const moves = (page: Page) => page.locator('.moves .move');
const record = (page: Page) => page.locator('.record li button').allInnerTexts();

/** Plays the first of the moves until there is none; returns how many there were. */
async function playToEnd(page: Page): Promise<number> {
  for (let plies = 0; ; plies++) {
    if ((await moves(page).count()) === 0) return plies;
    await moves(page).first().click();
    await page.locator(`.record li:nth-child(${plies + 2}) [aria-current]`).waitFor();
  }
}

describe.skipIf(CHROMIUM === undefined)(`the page${ifNoChromium}`, () => {
  test('lists every legal move with its value, best first', async () => {
    const { page, problems } = await open('chess', ROOK);
    await says(page, /^White to move: wins in \d+ plies \(mate in \d+\)$/);
    const prober = newProber({ game: chess, metric: 'dtm', store: server.store, cacheBytes: MiB });
    const expected = await prober.probe(chess.parse(ROOK));
    await expect.poll(() => verdict(page).innerText()).toContain(`wins in ${expected.plies} plies`);
    await expectMoves(page, expected.moves);
    // The best moves are arrows without being asked for; a move that is pointed at is the only one, in the colour of its value.
    const best = expected.moves.filter(({ code }) => code === expected.code).length;
    expect(best).toBeGreaterThan(0);
    await expect.poll(() => page.locator('.marks .shaft.win').count()).toBe(best);
    await moves(page).last().hover();
    await expect.poll(() => page.locator('.marks .shaft').count()).toBe(1);
    await page.locator('h1').hover();
    await expect.poll(() => page.locator('.marks .shaft.win').count()).toBe(best);
    expect(problems).toEqual([]);
  });

  test.skipIf(!LONG)(`an ending that is won is played to mate, against best defence${ifShort}`, async () => {
    const { page, problems } = await visit(server.url);
    await page.locator('.ending').filter({ hasText: 'KQK' }).click();
    await says(page, 'White to move: wins in 19 plies (mate in 10)');
    expect(await playToEnd(page)).toBe(19);
    await says(page, 'Black is mated');
    await expect.poll(() => moves(page).count()).toBe(0);
    expect((await record(page)).at(-1)).toMatch(/#$/);
    await expect.poll(() => page.title()).toContain('Black is mated');
    expect(problems).toEqual([]);
  });

  test('moves are taken back and made again, on the page and in the browser’s history', async () => {
    const { page, problems } = await open('chess', ROOK);
    await moves(page).first().waitFor();
    const start = await positionOf(page);
    const value = await verdict(page).innerText();
    // The king goes by dragging, so that the rook stays where it is.
    await square(page, 'b2').dragTo(square(page, 'b7'));
    await says(page, /^Black to move: loses/);
    const after = await positionOf(page);
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    await says(page, value);
    await expect.poll(() => positionOf(page)).toBe(start);
    await page.getByRole('button', { name: 'On', exact: true }).click();
    await says(page, /^Black to move/);
    await expect.poll(() => positionOf(page)).toBe(after);
    await page.goBack();
    await says(page, value);
    await page.goBack();
    await says(page, /^Black to move/);
    await expect.poll(() => record(page)).toEqual(['Start', 'Rb7']);
    // A move that was taken back is there after a reload, too.
    await page.goForward();
    await says(page, value);
    await page.reload();
    await page.getByRole('button', { name: 'On', exact: true }).click();
    await says(page, /^Black to move/);
    await expect.poll(() => positionOf(page)).toBe(after);
    expect(problems).toEqual([]);
  });

  test.skipIf(!LONG)(`a link leads others to the same position${ifShort}`, async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const { page } = await open('chess', ROOK, { permissions });
    await moves(page).first().click();
    await says(page, /^Black to move/);
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('button', { name: 'Copy the link' }).click();
    await page.getByText('The link is copied.').waitFor();
    const copied = (await page.evaluate('navigator.clipboard.readText()')) as string;
    const other = await visit(copied);
    await says(other.page, /^Black to move/);
    await expect.poll(() => positionOf(other.page)).toBe(await positionOf(page));
    await expect.poll(() => verdict(other.page).innerText()).toBe(await verdict(page).innerText());
    await expect
      .poll(() => square(other.page, 'a1').getAttribute('aria-label'))
      .toBe(await square(page, 'a1').getAttribute('aria-label'));
    expect(other.problems).toEqual([]);
  });

  test.skipIf(!LONG)(`the main line is played out, and can be stopped${ifShort}`, async () => {
    const { page, problems } = await open('chess', '8/8/8/8/8/2k5/8/KQ6 w - - 0 1');
    const pace = async (name: string) => {
      await page.getByRole('button', { name: 'Settings and keys' }).click();
      await page.getByLabel('How fast the main line is played').selectOption(name);
      await page.getByRole('button', { name: 'Close' }).click();
    };
    await pace('slowly');
    await page.getByRole('button', { name: 'Play out' }).click();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Play out' }).waitFor();
    const stopped = (await record(page)).length;
    await expect.poll(() => verdict(page).innerText()).not.toBe('Black is mated');
    await pace('fast');
    await page.getByRole('button', { name: 'Play out' }).click();
    await says(page, 'Black is mated');
    expect((await record(page)).length).toBeGreaterThan(stopped);
    await expect.poll(() => page.getByRole('button', { name: 'Play out' }).isDisabled()).toBe(true);
    expect(problems).toEqual([]);
  });

  test.skipIf(!LONG)(`the other side answers by itself when that is switched on${ifShort}`, async () => {
    const { page } = await open('chess', ROOK);
    await page.getByRole('button', { name: 'Settings and keys' }).click();
    await page.getByLabel('Answer my moves').check();
    await page.keyboard.press('Escape');
    await moves(page).first().click();
    await says(page, /^White to move: wins in/);
    await expect.poll(() => record(page)).toHaveLength(3);
  });

  test.skipIf(!LONG)(`a pawn promotes to the man that is chosen${ifShort}`, async () => {
    const { page, problems } = await open('chess', '8/P7/8/8/8/2k5/8/K7 w - - 0 1');
    await square(page, 'a7').click();
    await square(page, 'a8').click();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await expect.poll(() => dialog.locator('.san').allInnerTexts()).toEqual(['a8=Q', 'a8=R', 'a8=B', 'a8=N']);
    await page.keyboard.press('Escape');
    await expect.poll(() => square(page, 'a7').getAttribute('aria-label')).toBe('a7, white pawn');
    await square(page, 'a7').dragTo(square(page, 'a8'));
    await dialog.getByRole('button', { name: 'a8=R' }).click();
    await says(page, /^Black to move: loses/);
    await expect.poll(() => square(page, 'a8').getAttribute('aria-label')).toBe('a8, white rook');
    expect(problems).toEqual([]);
  });

  test.skipIf(!LONG)(
    `in checkers a capture is compulsory, and the captured man disappears${ifShort}`,
    async () => {
      const { page, problems } = await open('checkers', 'B:WK18:BK14');
      await says(page, 'Black to move: wins in 1 ply');
      await expect.poll(() => moves(page).locator('.san').allInnerTexts()).toEqual(['14x23']);
      await square(page, '14').dragTo(square(page, '23'));
      await says(page, 'White to move: has lost');
      await expect.poll(() => positionOf(page)).toBe('W:W:BK23');
      await expect.poll(() => square(page, '18').getAttribute('aria-label')).toBe('18, empty');
      expect(problems).toEqual([]);
    },
  );

  test.skipIf(!LONG)(`games without a board are shown and played as text${ifShort}`, async () => {
    const { page, problems } = await open('tic-tac-toe', 'xx./oo./...');
    await says(page, 'White to move: wins in 1 ply');
    await expect.poll(() => page.locator('.diagram').innerText()).toBe('xx.\noo.\n...');
    await page.getByRole('button', { name: /^c.*win 1/ }).click();
    await says(page, 'Black to move: has lost');
    await expect.poll(() => page.locator('.diagram').innerText()).toBe('xxx\noo.\n...');
    await expect.poll(() => page.getByRole('button', { name: 'Set up' }).isVisible()).toBe(false);
    expect(problems).toEqual([]);
  });

  test.skipIf(!LONG)(
    `endings are listed with counts, and each with its longest wins and its wins by plies${ifShort}`,
    async () => {
      const { page, problems } = await visit(server.url, { viewport: { width: 1920, height: 1000 } });
      const row = page.locator('.ending').filter({ hasText: 'KRK' });
      // 50,015 positions; the published longest win is 16 moves.
      await expect
        .poll(() => row.textContent())
        .toMatch(/^Rook against bare kingKRK · 50.0 k positions.*wins 100 %longest 31$/);
      expect(await row.getAttribute('title')).toContain('White to move: 21,959 wins (100 %)');
      await row.click();
      await says(page, 'White to move: wins in 31 plies (mate in 16)');
      await page.locator('.chart').first().waitFor();
      const caption = await page.locator('.histogram figcaption').first().innerText();
      expect(caption).toMatch(/^White to move: [\d,]+ won, at most in 31 plies/);
      await page.getByLabel('logarithmic').check();
      await expect.poll(() => page.locator('.chart rect').count()).toBe(32 + 1);
      await page.getByText('In figures').click();
      const figures = page.locator('.histogram details tbody tr');
      // Plies 0 … 32: mates, and Black to move loses in up to 32.
      await expect.poll(() => figures.count()).toBe(33);
      expect(problems).toEqual([]);
    },
  );

  test.skipIf(!LONG)(`another metric shows another table of the same position${ifShort}`, async () => {
    const { page, problems } = await open('chess', '8/8/8/8/8/2k5/8/KQ6 w - - 0 1');
    await says(page, /wins in/);
    await page.getByRole('button', { name: 'Result' }).click();
    await says(page, /^White to move: wins$/);
    await expect.poll(() => page.getByRole('button', { name: 'Play out' }).isDisabled()).toBe(true);
    expect(problems).toEqual([]);
  });

  test.skipIf(!LONGEST)(`the longest rook ending is played to mate, too${ifNotLongest}`, async () => {
    const { page } = await visit(server.url);
    await page.locator('.ending').filter({ hasText: 'KRK' }).click();
    await says(page, 'White to move: wins in 31 plies (mate in 16)');
    expect(await playToEnd(page)).toBe(31);
    await says(page, 'Black is mated');
  });
});
