/** Links that lead nowhere, in Chromium: what is said, and what is shown instead. */

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { checkers } from '../../../pipeline/games/checkers/checkers.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { CHROMIUM, DESKTOP, ifNoChromium, PHONE, visit } from '../../support/browser.js';
import { ifShort, LONG, sweep } from '../../support/long.js';
import { sharedServer } from '../../support/page-server.js';
import { putSolved } from '../../support/solving.js';

const server = sharedServer([chess, checkers], async (store) => {
  await putSolved(store, chess, ['KBK', 'KQK', 'KRK']);
  await putSolved(store, checkers, checkers.ending('1100').slices);
});

const open = async (place: Record<string, string>, options = {}) => (await server.open(place, options)).page;
const alert = (page: Page, text: string | RegExp) => page.getByRole('alert').filter({ hasText: text });
const says = (page: Page, words: RegExp) =>
  page.locator('.verdict .value').filter({ hasText: words }).waitFor();

describe.skipIf(CHROMIUM === undefined)(`links${ifNoChromium}`, () => {
  test.skipIf(!LONG)(`without a position show one of a textbook${ifShort}`, async () => {
    const page = await open({ game: 'chess' });
    await says(page, /wins in \d+ plies/);
    expect(await page.locator('#position').inputValue()).toBe('8/8/8/4k3/8/8/3R4/4K3 w - - 0 1');
  });

  test.skipIf(!LONG)(
    `to a position that cannot be drawn stay with the game that they name${ifShort}`,
    async () => {
      const page = await open({ game: 'checkers', position: 'six men' });
      await alert(page, /./).waitFor();
      await says(page, /to move/);
      expect(await page.locator('#game').inputValue()).toBe('checkers');
      // Nothing of a slice without men is listed.
      await page.locator('.ending').filter({ hasText: '1100' }).waitFor();
      expect(await page.locator('.ending').filter({ hasText: '0000' }).count()).toBe(0);
    },
  );

  const stands = (page: Page, square: string) => page.getByRole('gridcell', { name: square }).waitFor();
  const noMoves = async (page: Page) => {
    expect(await page.locator('.moves').isVisible()).toBe(false);
    expect(await page.getByRole('button', { name: 'Play out' }).getAttribute('aria-disabled')).toBe('true');
  };

  test.each(sweep([['phone', PHONE] as const], [['desktop', DESKTOP] as const]))(
    'to a position without a table show its board, and no value (%s)',
    async (_, device) => {
      const position = '8/8/8/8/8/2k5/8/KBB5 w - - 7 30';
      const page = await open({ game: 'chess', metric: 'dtm', position }, device);
      await says(page, /^Unknown$/);
      await page.getByText('There is no dtm table of KBBK here').waitFor();
      await stands(page, 'b1, white bishop');
      expect(await page.locator('#position').inputValue()).toBe(position);
      expect(await page.title()).toContain('Unknown');
      await noMoves(page);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      await page.getByText('Tables here have at most 3 pieces.').waitFor();
      // A legal position with more men than any table has is not called illegal.
      await page.locator('#position').fill('rnbqk3/pppp4/8/8/8/8/8/4K2R w - - 0 1');
      await page.keyboard.press('Enter');
      await page.getByText('No table has 11 men, at most 7 are supported').waitFor();
      await says(page, /^Unknown$/);
      await page.getByText('Tables here have at most 3 pieces.').waitFor();
      await page.goBack();
      await page.getByText('There is no dtm table of KBBK here').waitFor();
      // From there one goes on: to another position, and back.
      await page.locator('#position').fill('8/8/8/8/8/2k5/8/KR6 w - - 7 30');
      await page.keyboard.press('Enter');
      await says(page, /^White to move: wins/);
      await page.goBack();
      await says(page, /^Unknown$/);
      await stands(page, 'b1, white bishop');
    },
  );

  test.skipIf(!LONG)(
    `let moves be played without a table, out of one and back, and keep the line${ifShort}`,
    async () => {
      const page = await open({ game: 'chess', position: '8/8/8/8/8/2k5/8/KQ1b4 w - - 0 1' });
      await says(page, /^Unknown$/);
      await page.getByRole('gridcell', { name: 'b1, white queen' }).click();
      await page.getByRole('gridcell', { name: 'd1, black bishop' }).click();
      await says(page, /^Black to move: loses/);
      const { page: other } = await visit(page.url());
      await says(other, /^Black to move: loses/);
      await other.locator('.record').getByRole('button', { name: 'Qxd1' }).waitFor();
      await other.keyboard.press('ArrowLeft');
      await says(other, /^Unknown$/);
    },
  );

  test.skipIf(!LONG)(
    `let a pawn become any man without a table, and castling rights be lost${ifShort}`,
    async () => {
      const page = await open({ game: 'chess', position: '8/P6q/8/8/8/2k5/8/K6R w - - 0 1' });
      await says(page, /^Unknown$/);
      await page.getByRole('gridcell', { name: 'a7, white pawn' }).click();
      await page.getByRole('gridcell', { name: 'a8, empty' }).click();
      const dialog = page.getByRole('dialog', { name: 'Which move?' });
      await dialog.getByRole('button', { name: 'a8=N' }).click();
      await page.getByRole('gridcell', { name: 'a8, white knight' }).waitFor();

      await page.locator('#position').fill('r3k3/8/8/8/8/8/8/4K3 b q - 0 1');
      await page.keyboard.press('Enter');
      await page.getByText('castling rights q are not supported').waitFor();
      await page.getByRole('gridcell', { name: 'a8, black rook' }).click();
      await page.getByRole('gridcell', { name: 'a1, empty' }).click();
      await page.getByRole('gridcell', { name: 'a1, black rook' }).waitFor();
    },
  );

  test.skipIf(!LONG)(`close the choice of a promotion when another position is shown${ifShort}`, async () => {
    const page = await open({ game: 'chess', position: '8/P7/8/8/8/2k5/7q/K7 b - - 0 1' });
    await says(page, /^Unknown$/);
    await page.getByRole('gridcell', { name: 'h2, black queen' }).click();
    await page.getByRole('gridcell', { name: 'h3, empty' }).click();
    await page.getByRole('gridcell', { name: 'a7, white pawn' }).click();
    await page.getByRole('gridcell', { name: 'a8, empty' }).click();
    const dialog = page.getByRole('dialog', { name: 'Which move?' });
    await dialog.waitFor();
    await page.goBack();
    await dialog.waitFor({ state: 'detached' });
    await stands(page, 'h2, black queen');
  });

  test.skipIf(!LONG)(`to an illegal position show its board, and why it is illegal${ifShort}`, async () => {
    const page = await open({ game: 'chess', position: '8/8/8/8/8/8/1k6/K6R w - - 0 1' });
    await says(page, /^Illegal position: the kings are adjacent$/);
    await stands(page, 'h1, white rook');
    await noMoves(page);
    // It can be mended on the board.
    await page.getByRole('button', { name: 'Set up' }).click();
    await page.getByRole('gridcell', { name: 'b2, black king' }).press('Delete');
    await page.getByRole('gridcell', { name: 'd4, empty' }).press('k');
    await says(page, /^White to move: wins/);
    await page.getByRole('button', { name: 'Done' }).click();
  });

  test.skipIf(!LONG)(`to illegal checkers show the board, too${ifShort}`, async () => {
    const page = await open({ game: 'checkers', position: 'B:W1,2,3,4,5,6:B28' });
    await says(page, /^A white man stands where it would have been crowned/);
    await noMoves(page);
    await page.getByRole('gridcell', { name: /^28, black man/ }).waitFor();
  });

  test.skipIf(!LONG)(`with more text than a position say so in a few lines${ifShort}`, async () => {
    const page = await open({ game: 'chess' }, PHONE);
    await says(page, /to move/);
    await page.locator('#position').fill('rnbqkbnr/'.repeat(100));
    await page.keyboard.press('Enter');
    await alert(page, / … /).waitFor();
    const { height } = (await page.locator('.toast').boundingBox())!;
    expect(height).toBeLessThan(400);
    const long = await open({ game: 'chess', position: 'x'.repeat(5000) });
    await alert(long, 'it has more than 1024 characters').waitFor();
    await says(long, /to move/);
  });
});
