/** Games annotated on the page, and what can be copied and set up, in Chromium: chess.js reads what is copied. */
import { readFileSync } from 'node:fs';
import { Chess } from 'chess.js';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { checkers } from '../../../pipeline/games/checkers/checkers.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { CHROMIUM, DESKTOP, ifNoChromium, PHONE } from '../../support/browser.js';
import { ifShort, LONG, sweep } from '../../support/long.js';
import { sharedServer } from '../../support/page-server.js';
import { putSolved } from '../../support/solving.js';

const server = sharedServer([chess, checkers], async (store) => {
  await putSolved(store, chess, chess.ending('KPK').slices, { verify: true });
  await putSolved(store, checkers, checkers.ending('1100').slices);
});

/** White wins with 1. Kd6 alone: 1. Kf6 Kf8 draws. */
const PAWN = '4k3/8/4K3/4P3/8/8/8/8 w - - 0 1';
const GAME = `[Event "Test"]
[White "A"]
[Black "B"]
[FEN "${PAWN}"]
[SetUp "1"]

1. Kd6 (1. Kf6 Kf8) 1... Kd8 2. Ke6 Ke8 3. Kd5 Kd7 *
`;
const allow = { permissions: ['clipboard-read', 'clipboard-write'] };
const clipboard = (page: Page) => page.evaluate('navigator.clipboard.readText()') as Promise<string>;
const position = (page: Page) => page.locator('#position').inputValue();
const share = async (page: Page, name: string) => {
  await page.getByRole('button', { name: 'Share' }).click();
  await page.getByRole('button', { name }).click();
};
const fits = (page: Page) => page.evaluate('document.documentElement.scrollWidth <= screen.width');
const { open } = server;

describe.skipIf(CHROMIUM === undefined)(`games and copies${ifNoChromium}`, () => {
  test.each(sweep([['desktop', DESKTOP]] as const, [['phone', PHONE]] as const))(
    'a game is annotated, its mistakes are marked, and clicked through (%s)',
    async (_, options) => {
      const { page, problems } = await open({ game: 'chess' }, options);
      await page.getByRole('tab', { name: 'Games' }).click();
      await page.getByLabel(/A game or study as PGN/).fill(GAME);
      await page.getByRole('button', { name: 'Annotate' }).click();
      const moves = page.locator('.annotated button');
      await expect.poll(() => moves.count()).toBe(8);
      await page.getByText('8 of 8 moves are in the tables').waitFor();
      // The text has gone, and the main line stands in two columns, the variation below its move.
      expect(await page.locator('#pgn').isVisible()).toBe(false);
      expect(await page.locator('.sheet > .cell').allInnerTexts()).toEqual(
        ['Kd6', 'Kd8', 'Ke6', 'Ke8', 'Kd5?', 'Kd7'].map((name) => expect.stringContaining(name)),
      );
      expect(await page.locator('.variation button').allInnerTexts()).toHaveLength(2);
      // As `mergemate study` says it.
      const notes = await page.locator('.notes').allInnerTexts();
      expect(notes.some((each) => /win also by Kf6/.test(each))).toBe(true);
      expect(notes.some((each) => /gives the win away \(draw/.test(each))).toBe(true);
      await expect.poll(() => position(page)).toBe(PAWN);
      // It stops before the mistake; then one sees it.
      await page.getByRole('button', { name: 'Next mistake' }).click();
      const game = new Chess();
      game.loadPgn(GAME.replace(/\(.*?\)/, ''));
      game.undo();
      const after = game.fen();
      game.undo();
      await expect.poll(() => position(page)).toBe(game.fen());
      await page.keyboard.press('ArrowRight');
      await expect.poll(() => position(page)).toBe(after);
      await page.locator('.annotated [aria-current][aria-label="3. Kd5?"]').waitFor();
      await page.keyboard.press('Home');
      await expect.poll(() => position(page)).toBe(PAWN);
      await page.keyboard.press('End');
      await expect.poll(() => position(page)).not.toBe(PAWN);
      const coming = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Save the annotated PGN' }).click();
      const saved = readFileSync(await (await coming).path(), 'utf8');
      expect(saved).toContain('3. Kd5 $2 {gives the win away');
      expect([await fits(page), problems]).toEqual([true, []]);
    },
  );

  test.skipIf(!LONG)(`text that is no game is refused with the reason${ifShort}`, async () => {
    const { page } = await open({ game: 'chess' });
    await page.getByRole('tab', { name: 'Games' }).click();
    await page.getByLabel(/A game or study as PGN/).fill('1. e5 e6 *');
    await page.getByRole('button', { name: 'Annotate' }).click();
    await page.getByText('1. e5 is not a legal move').waitFor();
  });

  test.skipIf(!LONG)(
    `one of several games can be chosen, and another text begins with its first${ifShort}`,
    async () => {
      const { page } = await open({ game: 'chess' });
      await page.getByRole('tab', { name: 'Games' }).click();
      const which = page.getByLabel('Which game');
      const other = GAME.replace('"Test"', '"Other"').replace(/1\. Kd6.*/, '1. Kf6 Kf8 *');
      const read = async (text: string) => {
        const summary = page.locator('.games summary');
        await summary.waitFor();
        if (!(await page.locator('#pgn').isVisible())) await summary.click();
        await page.getByLabel(/A game or study as PGN/).fill(text);
        await page.getByRole('button', { name: 'Annotate', exact: true }).click();
      };
      await read(`${GAME}\n${other}`);
      await which.selectOption({ index: 1 });
      await page.getByText('2 of 2 moves are in the tables').waitFor();
      await read(`${other}\n${GAME}\n${GAME}`);
      await expect.poll(() => which.locator('option').count()).toBe(3);
      await page.getByText('2 of 2 moves are in the tables').waitFor();
      expect(await which.inputValue()).toBe('0');
    },
  );

  test.skipIf(!LONG)(`FEN, PGN, a link and a picture can be copied${ifShort}`, async () => {
    const { page, problems } = await open({ game: 'chess', position: PAWN }, { ...allow });
    for (const name of ['Kd6', 'Kd8']) {
      await page.locator('.moves .move').filter({ hasText: name }).first().click();
      await page.locator('.record').getByRole('button', { name }).waitFor();
    }
    const fen = await position(page);
    await share(page, 'Copy the FEN');
    await expect.poll(() => clipboard(page)).toBe(fen);
    await share(page, 'Copy the moves as PGN');
    await expect.poll(() => clipboard(page)).toContain('1. Kd6 Kd8 *');
    const game = new Chess();
    game.loadPgn(await clipboard(page));
    expect(game.fen()).toBe(fen);
    await share(page, 'Copy the link');
    await expect.poll(() => clipboard(page)).toBe(page.url());
    const coming = page.waitForEvent('download');
    await share(page, 'Save a picture (SVG)');
    const svg = readFileSync(await (await coming).path(), 'utf8');
    // A browser draws it by itself, with every man.
    const other = await page.context().newPage();
    await other.setContent(svg);
    expect(await other.locator('svg use').count()).toBe(3);
    const box = await other.locator('svg use[href="#man-P"]').boundingBox();
    expect(box!.width).toBeGreaterThan(10);
    expect(await other.locator('svg text').allTextContents()).toEqual(
      [8, 7, 6, 5, 4, 3, 2, 1].flatMap((row, i) => [String(row), 'abcdefgh'[i]]),
    );
    expect(await other.locator('svg title').textContent()).toBe('white to move');
    const pixels = page.waitForEvent('download');
    await share(page, 'Save a picture (PNG)');
    const png = readFileSync(await (await pixels).path());
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([3 * 410, 3 * 392]);
    expect(problems).toEqual([]);
  });

  test.skipIf(!LONG)(`moves of checkers are copied as PDN${ifShort}`, async () => {
    const { page } = await open({ game: 'checkers', position: 'B:WK29:BK4' }, { ...allow });
    await page.locator('.moves .move').first().click();
    await page.locator('.record').getByRole('button', { name: '4-8' }).waitFor();
    await share(page, 'Copy the moves as PDN');
    await expect.poll(() => clipboard(page)).toContain('[GameType "21"]');
    expect(await clipboard(page)).toContain('1. 4-8 *');
  });

  test.skipIf(!LONG)(`clock, en passant, mirror and colours can be set up${ifShort}`, async () => {
    const { page, problems } = await open({ game: 'chess', position: PAWN });
    await page.locator('.moves .move').first().waitFor();
    await page.getByRole('button', { name: 'Set up' }).click();
    const clock = page.locator('.setup').getByLabel('Half-move clock');
    await clock.fill('30');
    await clock.press('Tab');
    await expect.poll(() => position(page)).toBe('4k3/8/4K3/4P3/8/8/8/8 w - - 30 1');
    await page.getByRole('button', { name: 'Mirror' }).click();
    await expect.poll(() => position(page)).toBe('3k4/8/3K4/3P4/8/8/8/8 w - - 30 1');
    await page.getByRole('button', { name: 'Swap colours' }).click();
    await expect.poll(() => position(page)).toBe('8/8/8/8/3p4/3k4/8/3K4 b - - 30 1');
    await page.getByRole('button', { name: 'White to move' }).click();
    await expect.poll(() => position(page)).toBe('8/8/8/8/3p4/3k4/8/3K4 w - - 30 1');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.locator('.verdict .value').filter({ hasText: 'White to move: ' }).waitFor();
    expect(await position(page)).toBe('8/8/8/8/3p4/3k4/8/3K4 w - - 30 1');
    expect(problems).toEqual([]);
  });

  test.skipIf(!LONG)(
    `underscores in a link stand for spaces, also in an illegal position${ifShort}`,
    async () => {
      const { page } = await open({ game: 'chess', position: '8/8/8/8/8/8/kK6/8_w_-_-_0_1' });
      await page.locator('.verdict.illegal').waitFor();
      await page.getByText('the kings are adjacent').first().waitFor();
      expect(await page.getByRole('gridcell', { name: 'a2, black king' }).count()).toBe(1);
    },
  );
});
