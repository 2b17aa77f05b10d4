/** The run monitor in Chromium: a run is watched to its end, by keys too, on a telephone, and over a lost connection. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM, closePages, ifNoChromium, PHONE, violations, visit } from '../../../support/browser.js';
import { type Running, start } from '../../../support/cli.js';
import { newFolder } from '../../../support/folders.js';
import { ifShort, LONG } from '../../../support/long.js';

const [folder, files] = [newFolder(), newFolder()];
let served: Running;
let url: string;

/** `mergemate serve`, as users run it. */
async function serve(port = 0): Promise<void> {
  served = start(['serve', '--store', folder, '--syzygy', files, '--port', String(port), '--json']);
  url = await new Promise((done, fail) => {
    let text = '';
    served.child.stdout!.on('data', (more: string) => {
      text += more;
      try {
        done((JSON.parse(text) as { url: string }).url);
      } catch {
        // It is not whole yet.
      }
    });
    void served.ended.then(({ stderr }) => fail(new Error(stderr)));
  });
}

async function stop(): Promise<void> {
  served.child.kill('SIGTERM');
  await served.ended;
}

beforeAll(async () => {
  if (CHROMIUM === undefined || !LONG) return;
  await serve();
});
afterAll(async () => {
  await closePages();
  if (served !== undefined) await stop();
  for (const each of [folder, files]) rmSync(each, { recursive: true, force: true });
});

const slice = (page: Page, name: string) => page.locator(`.waves button[data-slice="chess/dtm/${name}"]`);
const stateOf = (page: Page, name: string) => slice(page, name).getAttribute('data-state');
const tile = (page: Page, panel: string, name: string) =>
  page.locator(`.${panel} .tiles div`, { has: page.getByText(name, { exact: true }) }).locator('dd');
const fits = (page: Page) => page.locator('html').evaluate((html) => html.scrollWidth <= html.clientWidth);

describe.skipIf(CHROMIUM === undefined || !LONG)(`the run monitor${ifNoChromium}${ifShort}`, () => {
  test('a run is watched from before it begins to its end', { timeout: 240_000 }, async () => {
    const { page, problems } = await visit(`${url}/monitor`);
    await page.getByText('Nothing is solved in this store').waitFor();
    // By counting, or in more memory, it would be over before the page shows that it is at work.
    const little = ['--propagate', 'lookup', '--memory', '4MiB'];
    const solved = start(['solve', 'chess', 'KQRK', ...little, '--store', folder]);

    // The plan is there as soon as the run is: what waits, and for what.
    await slice(page, 'KQRK').waitFor({ timeout: 30_000 });
    await expect.poll(() => page.locator('.waves button').count()).toBe(4);
    await page.locator('.run .state[data-state="running"]').waitFor();
    await page
      .locator('.waves button[data-slice="chess/dtm/KQRK"][data-state="working"]')
      .waitFor({ timeout: 60_000 });
    await page.locator('.slice .state', { hasText: 'at work' }).waitFor();
    await expect.poll(() => page.locator('#slice-title').textContent()).toBe('KQRK dtm');
    await tile(page, 'slice', 'resident now').filter({ hasText: 'MiB' }).waitFor();

    await page.locator('.run .state[data-state="done"]').waitFor({ timeout: 180_000 });
    await page.locator('.slice .state[data-state="verified"]').waitFor();
    expect((await solved.ended).code).toBe(0);
    await page.getByText('The run chess dtm: KQRK has ended: finished.').waitFor({ state: 'attached' });
    await expect.poll(() => tile(page, 'run', 'slices').textContent()).toBe('4 of 4');
    await tile(page, 'slice', 'positions').filter({ hasText: '2,571,940' }).waitFor();
    await tile(page, 'slice', 'longest win').filter({ hasText: '11 plies' }).waitFor();
    // White's longest win takes 11 plies, from six positions.
    const rounds = page.locator('.rounds tbody tr');
    await expect
      .poll(() =>
        rounds
          .filter({ has: page.getByText('11', { exact: true }) })
          .first()
          .locator('th, td')
          .allTextContents(),
      )
      .toEqual(expect.arrayContaining(['11', '6', '0']));
    // The first round labels more positions than the last: its bar is longer.
    const widthOf = async (row: Locator) => (await row.locator('.bar span').boundingBox())!.width;
    expect(await widthOf(rounds.last())).toBeGreaterThan(await widthOf(rounds.nth(1)));
    expect(problems).toEqual([]);
  });

  test('keys go through the slices, and the address names the slice shown', async () => {
    const { page, problems } = await visit(`${url}/monitor`);
    await slice(page, 'KQRK').focus();
    await page.keyboard.press('ArrowUp');
    await page.locator('#slice-title', { hasText: /^(KQK|KRK) / }).waitFor();
    await page.keyboard.press('Home');
    await page.locator('#slice-title', { hasText: 'KK dtm' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.locator('#slice-title', { hasText: 'KRK dtm' }).waitFor();
    await tile(page, 'slice', 'longest win').filter({ hasText: '31 plies' }).waitFor();
    const link = page.url();
    expect(link).toContain('slice=chess/dtm/KRK');
    const other = await visit(link);
    await other.page.locator('#slice-title', { hasText: 'KRK dtm' }).waitFor();
    expect([...problems, ...other.problems]).toEqual([]);
  });

  test('on a telephone, dark, nothing is wider than the screen', async () => {
    const { page, problems } = await visit(`${url}/monitor`, { ...PHONE, colorScheme: 'dark' });
    await slice(page, 'KQK').tap();
    await page.locator('#slice-title', { hasText: 'KQK dtm' }).waitFor();
    await page.locator('.slice .rounds').waitFor();
    await expect.poll(() => fits(page)).toBe(true);
    // The slice that was asked for is in sight.
    expect((await page.locator('#slice-title').boundingBox())!.y).toBeLessThan(844);
    expect(problems).toEqual([]);
  });

  test('at every width, light and dark, nothing is cut off and axe finds nothing', {
    timeout: 120_000,
  }, async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, problems } = await visit(`${url}/monitor`, { colorScheme });
      await page.locator('.slice .rounds').waitFor();
      for (const width of [390, 1280, 1366, 1440, 1600, 1920]) {
        await page.setViewportSize({ width, height: 844 });
        await expect.poll(() => fits(page)).toBe(true);
        if (process.env.MERGEMATE_TEST_PICTURES)
          await page.screenshot({
            path: `${process.env.MERGEMATE_TEST_PICTURES}/monitor-${width}-${colorScheme}.png`,
          });
      }
      // axe takes seconds: it looks at the widest page in one scheme, and at that of a telephone in the other.
      if (colorScheme === 'dark') await page.setViewportSize(PHONE.viewport);
      expect(await violations(page)).toEqual([]);
      expect(problems).toEqual([]);
    }
  });

  test('a lost connection is reported, and restored', { timeout: 60_000 }, async () => {
    const { page } = await visit(`${url}/monitor`);
    await page.locator('.connection[data-live="true"]').waitFor();
    await stop();
    await page.locator('.connection', { hasText: 'connection lost' }).waitFor();
    await expect.poll(() => stateOf(page, 'KQRK')).toBe('verified');
    await serve(Number(new URL(url).port));
    await page.locator('.connection[data-live="true"]').waitFor({ timeout: 30_000 });
  });

  test('a set of files is watched to its end', { timeout: 120_000 }, async () => {
    const { page, problems } = await visit(`${url}/monitor`);
    const panel = page.locator('.files');
    await page.locator('.connection[data-live="true"]').waitFor();
    expect(await panel.isVisible()).toBe(false);
    const set = start([
      ...['solve', 'chess', 'KQK', 'KRK', '--metric', 'dtz', '--store', folder],
      ...['--to', files, '--plies', 'halved'],
    ]);
    await panel.locator('tr[data-state="waiting"]').first().waitFor();
    expect((await set.ended).code).toBe(0);
    await panel.locator('.state[data-state="done"]').waitFor();
    await tile(page, 'files', 'endings').filter({ hasText: '2 of 2' }).waitFor();
    const cells = panel.locator('tr[data-ending="KRvK"]').locator('th, td');
    const [ending, state, , , size, longest, derived, checked] = await cells.allTextContents();
    expect([ending, state, size, longest]).toEqual(['KRvK', '✓ files right', '7,840', '31']);
    // White has 223,944 positions and Black 175,168; about one in eight of them is in the table.
    expect(Number(derived.replaceAll(',', ''))).toBeGreaterThan(40_000);
    expect(Number(checked.replaceAll(',', ''))).toBeGreaterThan(40_000);
    await page.setViewportSize(PHONE.viewport);
    await expect.poll(() => fits(page)).toBe(true);
    if (process.env.MERGEMATE_TEST_PICTURES) {
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.screenshot({ path: `${process.env.MERGEMATE_TEST_PICTURES}/set.png` });
    }
    expect(problems).toEqual([]);
  });

  test('a graph is a slice, with its import among the phases', { timeout: 60_000 }, async () => {
    const own = newFolder();
    const file = join(own, 'street.json');
    const nodes = Array.from({ length: 300 }, (_, i) => ({
      id: i,
      owner: i % 2,
      edges: i === 0 ? [] : [i - 1],
    }));
    writeFileSync(file, JSON.stringify({ nodes }));
    const { page, problems } = await visit(`${url}/monitor`);
    expect((await start(['solve', file, '--store', folder]).ended).code).toBe(0);
    rmSync(own, { recursive: true, force: true });
    const street = page.locator('.waves button[data-slice="graph/dtw/street"]');
    await street.and(page.locator('[data-state="verified"]')).waitFor();
    await page.locator('#slice-title', { hasText: 'street dtw' }).waitFor();
    await tile(page, 'slice', 'longest win').filter({ hasText: '299 plies' }).waitFor();
    // The record of the solve, which has the phases, may come behind its table.
    await expect
      .poll(() => page.locator('.phases tbody th').allTextContents())
      .toEqual(expect.arrayContaining(['import', 'index', 'resident', 'verify']));
    expect(problems).toEqual([]);
  });
});
