/** A static page whose tables are on another origin, as a bucket is one: what its host must allow. */

import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { exportSite } from '../../../../jobs/site/export-site.js';
import { memoryStore } from '../../../../operators/storage/memory.js';
import { chess } from '../../../../pipeline/games/chess/chess.js';
import { CHROMIUM, closePages, ifNoChromium, visit } from '../../../support/browser.js';
import { siteOptions } from '../../../support/exported-site.js';
import { type FileServer, fileServer } from '../../../support/file-server.js';
import { ifShort, LONG } from '../../../support/long.js';
import { solveGame } from '../../../support/solving.js';

const root = mkdtempSync(join(tmpdir(), 'mergemate-elsewhere-'));
const QUEEN = new URLSearchParams({
  game: 'chess',
  metric: 'dtm',
  position: '8/8/8/8/3k4/8/8/K6Q w - - 0 1',
});
const servers: FileServer[] = [];

afterAll(async () => {
  await closePages();
  for (const server of servers) await server.close();
  rmSync(root, { recursive: true });
});

/** A page on one port, and its tables on another that pages of other sites may read, or not. */
async function serverPair(name: string, toAll: boolean): Promise<{ page: string; tables: FileServer }> {
  const store = memoryStore();
  await solveGame(chess, ['KQK'], { store });
  const bucket = join(root, `${name}-bucket`);
  const tables = await fileServer(bucket, { toAll });
  const to = join(root, name);
  await exportSite(siteOptions(store, { to, tablesAt: `${tables.endpoint}/`, page: resolve('dist/web') }));
  renameSync(join(to, 'tables'), bucket);
  const page = await fileServer(to);
  servers.push(page, tables);
  return { page: `${page.endpoint}/#${QUEEN}`, tables };
}

describe.skipIf(CHROMIUM === undefined || !LONG)(
  `tables on another origin than the page${ifNoChromium}${ifShort}`,
  () => {
    test('are read by ranges where their host allows it', async () => {
      const { page: at, tables } = await serverPair('allowed', true);
      const { page, problems } = await visit(at, { asks: [tables.endpoint] });
      await page.locator('.verdict .value').filter({ hasText: 'White to move: wins in' }).waitFor();
      await page.locator('.moves .move').first().click();
      await page.locator('.verdict .value').filter({ hasText: 'Black to move: loses in' }).waitFor();
      expect(tables.sent().filter(({ text }) => / bytes=\d+-\d+$/.test(text)).length).toBeGreaterThan(0);
      expect(problems).toEqual([]);
    });

    test('are reported as out of reach where it does not', async () => {
      const { page: at } = await serverPair('refused', false);
      const { page } = await visit(at);
      await page.getByText('The tables cannot be reached').waitFor();
      expect(await page.getByRole('alert').innerText()).toMatch(
        /index\.json cannot be reached, or its host does not allow pages of other sites to read it \(CORS\)\.$/,
      );
      expect(await page.getByText('still running').count()).toBe(0);
    });
  },
);
