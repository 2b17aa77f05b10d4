/** The page of a published keyed game, in Chromium, from a plain file server. */
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { KeyedRules } from '../../../../pipeline/games/yours/keyed/keyed-rules.js';
import { solveKeyed } from '../../../../pipeline/graph/solve-keyed.js';
import { CHROMIUM, closePages, ifNoChromium, visit } from '../../../support/browser.js';
import { start, until } from '../../../support/cli.js';
import { program } from '../../../support/command.js';
import { fileServer } from '../../../support/file-server.js';
import { testFolder } from '../../../support/folders.js';
import heaps from '../../../support/heaps-game.js';
import { ifShort, LONG } from '../../../support/long.js';
import { sharedServer } from '../../../support/page-server.js';

const GAME = 'samples/othello/game.ts';
/** A line of best play takes a request for each move. */
const SLOW = { timeout: 60_000 };

test.skipIf(CHROMIUM === undefined || !LONG)(
  `shows the board, plays moves by clicks, goes back, and shows the line of best play${ifNoChromium}${ifShort}`,
  { timeout: 300_000 },
  async () => {
    const folder = testFolder();
    const store = join(folder, 'tables');
    const mergemate = program(store);
    await mergemate.succeed(['solve', GAME, '--no-verify']);
    const said = await mergemate.succeed(['publish', GAME, '--to', join(folder, 'site'), '--as', 'site']);
    expect(said).toContain('index.html shows the game');
    const server = await fileServer(folder);
    onTestFinished(() => server.close());
    onTestFinished(closePages);
    await mergemate.succeed(['solve', 'samples/chomp/game.ts', '--no-verify']);
    const chompTo = join(folder, 'chomp');
    await mergemate.succeed(['publish', 'samples/chomp/game.ts', '--to', chompTo, '--as', 'site']);
    const chomp = await visit(`${server.endpoint}/chomp/index.html`);
    await expect.poll(() => chomp.page.locator('.verdict .value').textContent()).toContain('wins in');
    expect(await chomp.page.locator('.picture svg rect').count()).toBe(40);
    expect((await chomp.page.locator('.picture svg').boundingBox())!.width).toBeGreaterThan(200);

    const { page, problems } = await visit(`${server.endpoint}/site/index.html`);
    const verdict = page.locator('.verdict .value');
    await expect.poll(() => verdict.textContent()).toBe('Black to move: loses by 8 in 10 plies');
    expect(await page.locator('.square').count()).toBe(16);
    expect(await page.locator('.square').allTextContents()).toHaveLength(16);
    const first = page.locator('.moves button').first();
    const name = await first.locator('.san').textContent();
    await first.click();
    await expect.poll(() => verdict.textContent()).toBe('White to move: wins by 8 in 9 plies');
    expect(await page.locator('.record [aria-current]').textContent()).toBe(name);
    const there = page.url();
    await page.getByRole('button', { name: 'Play out' }).click();
    await expect.poll(() => verdict.textContent(), SLOW).toMatch(/^(White has won|Black has lost) by 8/);
    await page.keyboard.press('Home');
    await expect.poll(() => verdict.textContent()).toBe('Black to move: loses by 8 in 10 plies');

    // An address is a position.
    const other = await visit(there);
    await expect
      .poll(() => other.page.locator('.verdict .value').textContent())
      .toContain('wins by 8 in 9 plies');
    await other.page.locator('#position').fill('xxxx/xxxx/xxxx/xxx. x');
    await other.page.keyboard.press('Enter');
    await expect.poll(() => other.page.getByRole('alert').textContent()).toContain('no game comes to this');
    expect([...problems, ...other.problems, ...chomp.problems]).toEqual([]);
  },
);

test.skipIf(CHROMIUM === undefined || !LONG)(
  `serve shows the same page from the tables${ifNoChromium}${ifShort}`,
  async () => {
    const store = join(testFolder(), 'tables');
    const game = 'samples/dots-and-boxes/game.ts';
    await program(store).succeed(['solve', game]);
    const { child, ended } = start(['serve', '--game', game, '--store', store, '--port', '0', '--json']);
    onTestFinished(async () => {
      child.kill('SIGKILL');
      await ended;
    });
    let said = '';
    child.stdout!.on('data', (text: string) => (said += text));
    await until(() => said.includes('\n'), 'the server');
    const [board] = (JSON.parse(said) as { boards: string[] }).boards;
    onTestFinished(closePages);
    const { page, problems } = await visit(board);
    const verdict = page.locator('.verdict .value');
    await expect.poll(() => verdict.textContent(), SLOW).toBe('White to move: wins by 2 in 12 plies');
    await page.locator('.moves button').first().click();
    await expect.poll(() => verdict.textContent(), SLOW).toBe('Black to move: loses by 2 in 11 plies');
    await page.getByRole('button', { name: 'Play out' }).click();
    await expect.poll(() => verdict.textContent(), SLOW).toMatch(/^(White has won|Black has lost) by 2/);
    expect(problems).toEqual([]);
  },
  120_000,
);

test.skipIf(CHROMIUM === undefined)(
  `shows a published graph by the names of its nodes${ifNoChromium}`,
  async () => {
    const folder = testFolder();
    const store = join(folder, 'tables');
    const town = 'samples/town.jsonl';
    await program(store).succeed(['solve', town]);
    const said = await program(store).succeed([
      'publish',
      town,
      '--to',
      join(folder, 'site'),
      '--as',
      'site',
    ]);
    expect(said).toContain('index.html shows the graph');
    const server = await fileServer(folder);
    onTestFinished(() => server.close());
    onTestFinished(closePages);
    const { page, problems } = await visit(`${server.endpoint}/site/index.html#position=a`);
    const verdict = page.locator('.verdict .value');
    await expect.poll(() => verdict.textContent()).toBe('Cop to move: wins in 1 ply');
    await expect.poll(() => page.locator('.moves .san').allTextContents()).toEqual(['b', '7']);
    await page.locator('.moves button').first().click();
    await expect.poll(() => verdict.textContent()).toBe('Robber has lost');
    await page.locator('#position').fill('nowhere');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('nowhere');
    expect(problems).toEqual([]);
  },
  120_000,
);

const shared = sharedServer([], (store) => solveKeyed({ game: heaps, store }), {
  keyed: [{ game: heaps as unknown as KeyedRules, path: 'test/support/heaps-game.ts' }],
});

test.skipIf(CHROMIUM === undefined)(
  `lists the positions that a game can begin with, and what each is worth${ifNoChromium}`,
  async () => {
    const { page, problems } = await visit(`${shared.url}/game/heaps/`);
    const verdict = page.locator('.verdict .value');
    await expect.poll(() => verdict.textContent()).toMatch(/^White to move: wins in \d+ plies$/);
    await expect
      .poll(() => page.locator('.starts button').allInnerTexts())
      .toEqual([
        expect.stringMatching(/^5\+6 white\s+win \d+$/),
        // Whatever is taken from one heap is taken from the other.
        expect.stringMatching(/^4\+4 white\s+loss \d+$/),
        expect.stringMatching(/^1\+7 white\s+win \d+$/),
      ]);
    expect(await page.locator('.starts [aria-current]').innerText()).toMatch(/^5\+6/);
    await page.locator('.starts button').nth(1).click();
    await expect.poll(() => verdict.textContent()).toMatch(/^White to move: loses in \d+ plies$/);
    expect(await page.locator('.starts [aria-current]').innerText()).toMatch(/^4\+4/);
    expect(problems).toEqual([]);
  },
);

test.skipIf(CHROMIUM === undefined)(
  `a first position that cannot be looked up costs no other its value, and is looked up again${ifNoChromium}`,
  async () => {
    const { page, problems } = await visit(`${shared.url}/game/heaps/`);
    await page.route('**/api/values*', async (route) => {
      const response = await route.fetch();
      const found = (await response.json()) as { position: string }[];
      const json = found.map((each) =>
        each.position.startsWith('4+4') ? { error: 'no table has it', status: 404 } : each,
      );
      await route.fulfill({ response, json });
    });
    await page.reload();
    const texts = () => page.locator('.starts button').allInnerTexts();
    await expect
      .poll(texts)
      .toEqual([
        expect.stringMatching(/^5\+6 white\s+win \d+$/),
        expect.stringMatching(/^4\+4 white\s+no value$/),
        expect.stringMatching(/^1\+7 white\s+win \d+$/),
      ]);
    await page.unroute('**/api/values*');
    await page.locator('.starts button').nth(1).click();
    await expect.poll(async () => (await texts())[1]).toMatch(/^4\+4 white\s+loss \d+$/);
    expect(problems).toEqual([]);
  },
);
