/** What the page asks its server for: little before the first value, nothing twice, a study at once; in Chromium. */
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { CHROMIUM, ifNoChromium, visit } from '../../support/browser.js';
import { sharedServer } from '../../support/page-server.js';
import { putSolved } from '../../support/solving.js';

const QUEEN = '8/8/8/8/8/2k5/8/KQ6 w - - 0 1';
/** F. Saavedra's study (1895). Of its endings, those with a queen or rook and bare kings have tables here. */
const SAAVEDRA = `[White "Saavedra"]
[FEN "8/8/1KP5/3r4/8/8/8/k7 w - - 0 1"]

1. c7 Rd6+ 2. Kb5 Rd5+ 3. Kb4 Rd4+ 4. Kb3 Rd3+ 5. Kc2 Rd4 6. c8=R Ra4 7. Kb3 1-0`;

const server = sharedServer([chess], async (store) => {
  for (const metric of ['dtm', 'dtz'] as const)
    await putSolved(store, chess, ['KQK', 'KRK', 'KRKR'], { metric });
});

describe.skipIf(CHROMIUM === undefined)(`requests of the page${ifNoChromium}`, () => {
  test('six come before the first value, and 60 KB; a second look asks for nothing; a study is one', async () => {
    const { page, problems } = await visit(`${server.url}/monitor.html`);
    const asked: string[] = [];
    page.on('request', (request) => {
      if (!request.url().includes('/api/run/')) asked.push(request.url());
    });
    const place = new URLSearchParams({ game: 'chess', metric: 'dtm', position: QUEEN });
    await page.goto(`${server.url}/#${place}`);
    await page.locator('.moves .move').first().waitFor();
    // Nothing runs that the page before could watch, which may have said so.
    const earlier = problems.length;
    const first = asked.findIndex((url) => url.includes('/api/values'));
    expect(asked.slice(0, first + 1).length, asked.join('\n')).toBeLessThanOrEqual(6);
    let bytes = 0;
    for (const url of asked.slice(0, first))
      bytes += gzipSync(Buffer.from(await (await fetch(url)).arrayBuffer())).length;
    expect(bytes).toBeLessThanOrEqual(60_000);

    await page.locator('.ending').first().waitFor();
    await page.locator('.moves .move').first().click();
    await page.locator('.verdict .value').filter({ hasText: 'Black to move' }).waitFor();
    const before = asked.length;
    for (const [key, words] of [
      ['ArrowLeft', 'White to move'],
      ['ArrowRight', 'Black to move'],
    ] as const) {
      await page.keyboard.press(key);
      await page.locator('.verdict .value').filter({ hasText: words }).waitFor();
    }
    expect(asked.slice(before)).toEqual([]);

    await page.getByRole('tab', { name: 'Games' }).click();
    await page.getByLabel(/A game or study as PGN/).fill(SAAVEDRA);
    await page.getByRole('button', { name: 'Annotate' }).click();
    await page.getByText(/of 13 moves are in the tables/).waitFor();
    await page.locator('.annotated [aria-current]').or(page.locator('.verdict.unknown')).first().waitFor();
    // The code that reads games comes once.
    const data = asked.slice(before).filter((url) => url.includes('/api/'));
    expect(data.length, data.join('\n')).toBeLessThanOrEqual(4);
    expect(problems.slice(earlier)).toEqual([]);
  });
});
