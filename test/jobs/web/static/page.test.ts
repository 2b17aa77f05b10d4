/** The page of a static export, in Chromium, from a plain file server: no code of ours runs but in the browser. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exportSite } from '../../../../jobs/site/export-site.js';
import { memoryStore } from '../../../../operators/storage/memory.js';
import type { Game } from '../../../../pipeline/game/game.js';
import { checkers } from '../../../../pipeline/games/checkers/checkers.js';
import { chess } from '../../../../pipeline/games/chess/chess.js';
import { mainLine } from '../../../../pipeline/tables/probe/main-line.js';
import { newProber } from '../../../../pipeline/tables/probe/prober.js';
import {
  CHROMIUM,
  closePages,
  expectMoves,
  ifNoChromium,
  type VisitOptions,
  visit,
} from '../../../support/browser.js';
import { type FileServer, fileServer } from '../../../support/file-server.js';
import { ifShort, LONG } from '../../../support/long.js';
import { publishWhole } from '../../../support/publishing.js';
import { MiB, putSolved } from '../../../support/solving.js';

/** Won in more plies than a test has the time for. */
const QUEEN = '8/8/8/8/8/2k5/1r6/1K3Q2 w - - 0 1';
/** So many plies of its main line are played. */
const PLIES = 9;

const root = mkdtempSync(join(tmpdir(), 'mergemate-page-'));
const store = memoryStore();
let server: FileServer;

beforeAll(async () => {
  if (CHROMIUM === undefined || !LONG) return;
  const published = memoryStore();
  await putSolved(store, chess, ['KQKR']);
  await putSolved(store, checkers, ['1100']);
  const game = chess as Game;
  await publishWhole({
    game,
    slices: ['KQKR'],
    metric: 'dtm',
    store,
    to: published,
    codec: 'rows',
  });
  const page = resolve('dist/web');
  const common = { store, metric: undefined, slices: null, page, progress: () => {} };
  // Beside other things of a host, so in a folder of it.
  const to = join(root, 'endings');
  await exportSite({ ...common, published, games: [game, checkers as unknown as Game], to });
  server = await fileServer(root);
});
afterAll(async () => {
  await closePages();
  await server?.close();
  rmSync(root, { recursive: true });
});

const open = (game: string, metric: string, position: string, options: VisitOptions = {}) =>
  visit(`${server.endpoint}/endings/index.html#${new URLSearchParams({ game, metric, position })}`, options);
const verdict = (page: Page) => page.locator('.verdict .value');
const says = (page: Page, words: string | RegExp) => verdict(page).filter({ hasText: words }).waitFor();
const moves = (page: Page) => page.locator('.moves .move');
const positionOf = (page: Page) => page.locator('#position').inputValue();

/** Plays the best move, and waits for what is said of the position after it. */
async function play(page: Page): Promise<void> {
  const before = await positionOf(page);
  await moves(page).first().click();
  await page.waitForFunction(
    `document.querySelector('#position').value !== ${JSON.stringify(before)} &&
     document.querySelector('main').getAttribute('aria-busy') === 'false'`,
  );
}

/** The bytes of tables that the file server has sent since the last call: that is what a probe fetches. */
function fetched(): { requests: number; bytes: number } {
  const asked = server
    .sent()
    .filter(({ text }) => /\/tables\/.*(bytes=|table|objects|catalogue|codebook)/.test(text));
  return { requests: asked.length, bytes: asked.reduce((sum, { bytes }) => sum + bytes, 0) };
}

describe.skipIf(CHROMIUM === undefined || !LONG)(`the page of a static site${ifNoChromium}${ifShort}`, () => {
  test('shows the value of every move, and plays a won ending to mate', async () => {
    const prober = newProber({ game: chess, metric: 'dtm', store, cacheBytes: MiB });
    const line = await mainLine(chess, prober, chess.parse(QUEEN));
    const { board } = line.steps.at(-PLIES - 1)!;
    const expected = await prober.probe(board);
    server.sent();
    const { page, problems } = await open('chess', 'dtm', chess.format(board), { anew: true });
    await says(page, `White to move: wins in ${PLIES} plies`);
    await expectMoves(page, expected.moves);
    const first = fetched();
    let most = 0;
    let all = 0;
    for (let ply = 0; ply < PLIES; ply++) {
      await play(page);
      const { bytes } = fetched();
      most = Math.max(most, bytes);
      all += bytes;
    }
    await says(page, 'Black is mated');
    expect(problems).toEqual([]);
    const mean = Math.round(all / PLIES);
    console.log(
      `KQKR by dtm: ${first.bytes} bytes in ${first.requests} requests for the first position, then ${mean} a ply, at most ${most}`,
    );
    expect(first.bytes).toBeLessThan(80_000);
    expect(mean).toBeLessThan(15_000);
  });

  test('shows the winner from a publication with fewer bytes', async () => {
    server.sent();
    const { page, problems } = await open('chess', 'wdl', QUEEN, { anew: true });
    await says(page, 'White to move: wins');
    const first = fetched();
    await play(page);
    await says(page, 'Black to move: loses');
    const next = fetched();
    console.log(
      `KQKR published: ${first.bytes} bytes in ${first.requests} requests for the first position, ${next.bytes} for the next`,
    );
    // This includes plies to mate, which the page shows beside.
    expect(first.bytes).toBeLessThan(60_000);
    expect(problems).toEqual([]);
  });

  test('shows a first position, lists endings, and has checkers', async () => {
    const { page, problems } = await visit(`${server.endpoint}/endings/`);
    await says(page, /^White to move: /);
    await page.locator('.ending').filter({ hasText: 'KQKR' }).click();
    await says(page, 'White to move: wins in 69 plies (mate in 35)');
    await page.locator('.chart').first().waitFor();
    expect(problems).toEqual([]);
    const other = await open('checkers', 'dtw', 'B:WK18:BK14');
    await says(other.page, 'Black to move: wins in 1 ply');
    expect(other.problems).toEqual([]);
  });

  test('finds positions by query, and offers one to practise on', async () => {
    const { page, problems } = await open('chess', 'dtm', QUEEN);
    await page.locator('.ending').filter({ hasText: 'KQKR' }).click();
    await page.getByLabel('Plies', { exact: true }).fill('69');
    await page.getByRole('button', { name: 'Find' }).click();
    await page.locator('.found button').nth(3).click();
    await says(page, 'White to move: wins in 69 plies');
    await page.getByRole('tab', { name: 'Practise' }).click();
    await page.locator('.practice [name=ending]').selectOption('KQKR');
    await page.getByRole('button', { name: 'Begin' }).click();
    await page
      .locator('.practice-status .value')
      .filter({ hasText: /to move: win$/ })
      .waitFor();
    expect(problems).toEqual([]);
  });

  test('reports endings without a table, and files that cannot be reached', async () => {
    const { page } = await open('chess', 'dtm', '4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1');
    await page.getByText('There is no dtm table of KQQK here.').waitFor();
  });
});
