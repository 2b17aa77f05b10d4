/** Practising on the page, in Chromium: exercises are won and held as the tables say, and values stay hidden. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { keepingMoves } from '../../../pipeline/analysis/judge-move.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { newProber } from '../../../pipeline/tables/probe/prober.js';
import { CHROMIUM, DESKTOP, ifNoChromium, PHONE, visit } from '../../support/browser.js';
import { ifShort, LONG, LONGEST } from '../../support/long.js';
import { sharedServer } from '../../support/page-server.js';
import { putSolved } from '../../support/solving.js';

const server = sharedServer([chess], async (store) => {
  await putSolved(store, chess, chess.ending('KPK').slices, { verify: true });
});

const status = (page: Page) => page.locator('.practice-status .value');
const position = (page: Page) => page.locator('#position').inputValue();
const probe = (fen: string) => newProber({ game: chess, store: server.store }).probe(chess.parse(fen));

async function begin(
  options: object,
  { ending, aim, difficulty }: Record<'ending' | 'aim' | 'difficulty', string>,
) {
  const visited = await visit(`${server.url}/#game=chess&metric=dtm`, options);
  const { page } = visited;
  await page.getByRole('tab', { name: 'Practise' }).click();
  await page.locator('.practice [name=ending]').selectOption(ending);
  await page.locator('.practice [name=aim]').selectOption(aim);
  await page.locator('.practice [name=difficulty]').selectOption(difficulty);
  await page.getByRole('button', { name: 'Begin' }).click();
  await status(page)
    .filter({ hasText: /to move: / })
    .waitFor();
  return visited;
}

/** Makes a move by pressing squares, once the page has the moves of the position. */
async function move(page: Page, uci: string): Promise<void> {
  await page.locator('main:not([aria-busy="true"])').waitFor();
  const before = await position(page);
  for (const square of [uci.slice(0, 2), uci.slice(2, 4)])
    await page.getByRole('gridcell', { name: new RegExp(`^${square}, `) }).press('Enter');
  if (uci.length > 4) await page.locator('.choose .move').filter({ hasText: '=Q' }).click();
  await expect.poll(() => position(page)).not.toBe(before);
}

/** Waits until it is the player's turn again, or all is over. */
async function answered(page: Page, mover: string): Promise<void> {
  await expect
    .poll(async () => {
      const text = await status(page).innerText();
      const [, turn] = (await position(page)).split(' ');
      return text.endsWith('.') || turn === mover;
    })
    .toBe(true);
}

describe.skipIf(CHROMIUM === undefined)(`practising${ifNoChromium}`, () => {
  test.each([['desktop', DESKTOP] as const, ...(LONGEST ? ([['phone', PHONE]] as const) : [])])(
    'a won position, by best moves, is won in the plies that it takes (%s)',
    async (_, options) => {
      const { page, problems } = await begin(options, { ending: 'KRK', aim: 'win', difficulty: 'easy' });
      const start = await probe(await position(page));
      expect(start.wdl).toBe('win');
      // The longest takes 31 plies, so the easy third takes 10 at most.
      expect(start.plies).toBeLessThanOrEqual(10);
      const [, mover] = (await position(page)).split(' ');
      for (const hidden of ['.moves', '.verdict', '.marks .shaft', '.clock'])
        expect(await page.locator(hidden).first().isVisible(), hidden).toBe(false);
      for (let ply = start.plies!; ply > 0; ply -= 2) {
        const { moves, plies } = await probe(await position(page));
        expect(plies).toBe(ply);
        await move(page, moves[0].uci);
        if (ply > 1) await answered(page, mover);
      }
      await status(page).filter({ hasText: 'Won.' }).waitFor();
      const needed = Math.ceil(start.plies! / 2);
      await page
        .getByText(
          `Done in ${needed === 1 ? '1 move, 1 is' : `${needed} moves, ${needed} are`} enough: 100 points.`,
        )
        .waitFor();
      await page.getByText('1 done, 100 points on average, 0 given away.').waitFor();
      const last = await position(page);
      await page.getByRole('button', { name: 'Next' }).click();
      await expect.poll(() => position(page)).not.toBe(last);
      await page.getByRole('button', { name: 'Show the values' }).click();
      await page.locator('.moves .move').first().waitFor();
      expect(problems).toEqual([]);
    },
  );

  test.skipIf(!LONG)(
    `a move that gives the win away is named and can be taken back, and slower wins cost points${ifShort}`,
    async () => {
      const { page, problems } = await begin(DESKTOP, { ending: 'KPK', aim: 'win', difficulty: 'hard' });
      let mistake: string | undefined;
      // A position in which some move gives the win away, and another wins more slowly than it could.
      for (let tried = 0; mistake === undefined && tried < 40; tried++) {
        const { moves, plies } = await probe(await position(page));
        const slower = moves.find((each) => each.wdl === 'win' && each.plies! > plies!);
        mistake = slower && moves.find((each) => each.wdl !== 'win' && each.uci.length === 4)?.uci;
        if (mistake !== undefined) break;
        const before = await position(page);
        await page.getByRole('button', { name: 'Next' }).click();
        await expect.poll(() => position(page)).not.toBe(before);
      }
      const fen = await position(page);
      const { moves, plies } = await probe(fen);
      const { san } = moves.find(({ uci }) => uci === mistake)!;
      await move(page, mistake!);
      await status(page)
        .filter({ hasText: `${san} gives the win away.` })
        .waitFor();
      expect(await page.getByText('It is kept by').count()).toBe(0);
      await page.getByRole('button', { name: 'Solution' }).click();
      await page.getByText(`It is kept by ${moves[0].san}`).waitFor();
      await page.getByRole('button', { name: 'Take back' }).click();
      await expect.poll(() => position(page)).toBe(fen);
      const slower = moves.find((each) => each.wdl === 'win' && each.plies! > plies!)!;
      await page.getByRole('button', { name: 'Hint' }).click();
      await page.getByText(`Move the man on ${moves[0].uci.slice(0, 2)}.`).waitFor();
      await page.getByRole('button', { name: 'Hint' }).click();
      await page.getByText(`Play ${moves[0].san}.`).waitFor();
      // The arrow of the move stays on the board.
      await expect.poll(() => page.locator('.marks .shaft').count()).toBe(1);
      await move(page, slower.uci);
      await page.getByText(`That took ${slower.plies! - plies!} plies longer than the best.`).waitFor();
      expect(problems).toEqual([]);
    },
  );

  test.skipIf(!LONG)(`an exercise stays when no other is found${ifShort}`, async () => {
    const { page } = await begin(DESKTOP, { ending: 'KRK', aim: 'win', difficulty: 'hard' });
    const start = await position(page);
    await page.route('**/api/positions*', (route) => route.fulfill({ status: 500, json: {} }));
    await page.locator('.practice [name=aim]').selectOption('draw');
    const refused = page.waitForResponse('**/api/positions*');
    await page.getByRole('button', { name: 'Begin' }).click();
    await refused;
    await expect.poll(() => page.locator('.practice[aria-busy=true]').count()).toBe(0);
    expect(await position(page)).toBe(start);
    const { moves } = await probe(start);
    await move(page, moves[0].uci);
    await page.getByText('A best move.').waitFor();
  });

  test.skipIf(!LONG)(
    `a drawn position is held by moves that keep the draw${ifShort}`,
    async () => {
      const { page, problems } = await begin(PHONE, { ending: 'KPK', aim: 'draw', difficulty: 'hard' });
      const start = await probe(await position(page));
      expect(start.wdl).toBe('draw');
      expect(keepingMoves(start).length).toBeLessThan(start.moves.length);
      const [, mover] = (await position(page)).split(' ');
      while ((await status(page).innerText()) !== 'Held.') {
        const here = await probe(await position(page));
        expect(here.wdl).toBe('draw');
        await move(page, keepingMoves(here).find(({ uci }) => uci.length === 4 || uci.endsWith('q'))!.uci);
        await answered(page, mover);
      }
      await page.getByText('1 done, 100 points on average, 0 given away.').waitFor();
      expect(problems).toEqual([]);
    },
    90_000,
  );
});
