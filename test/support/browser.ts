/**
 * Chromium for tests of the pages: the one that MERGEMATE_TEST_CHROMIUM names, or that is installed where systems put it. Where there is none
 * those tests skip and say so.
 */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';

const USUAL = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'].flatMap((name) =>
  ['/usr/bin', '/usr/local/bin', '/snap/bin'].map((folder) => `${folder}/${name}`),
);

export const CHROMIUM = [process.env.MERGEMATE_TEST_CHROMIUM ?? '', ...USUAL].find(
  (path) => path !== '' && existsSync(path),
);
export const ifNoChromium =
  CHROMIUM === undefined ? ' (skipped: no Chromium; MERGEMATE_TEST_CHROMIUM can name one)' : '';

let opened: Promise<Browser> | undefined;

/** Only where there is {@link CHROMIUM}. One for all test files of a process, with which it ends: its start takes long. */
function openBrowser(): Promise<Browser> {
  // The sandbox does not work for root. Scroll bars take room from lists, as they do in people's browsers.
  opened ??= chromium.launch({
    executablePath: CHROMIUM!,
    args: ['--no-sandbox'],
    ignoreDefaultArgs: ['--hide-scrollbars'],
  });
  return opened;
}

/** Closes all that tests have opened in the browser. */
export async function closePages(): Promise<void> {
  const browser = await opened;
  await Promise.all((browser?.contexts() ?? []).map((context) => context.close()));
}

export const DESKTOP = { viewport: { width: 1280, height: 900 } };
export const PHONE = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  hasTouch: true,
  isMobile: true,
};

export interface PageVisit {
  readonly page: Page;
  /** Errors and warnings of the page's code, and requests to other origins than that of `url` and those it `asks`. */
  readonly problems: readonly string[];
}

export interface VisitOptions extends BrowserContextOptions {
  /** Origins that the page may ask beside its own. */
  readonly asks?: readonly string[];
  /** In a new profile, whose cache is empty: for tests that count what is fetched. */
  readonly anew?: boolean;
}

/** Pages that tests have left, by the options of their profiles but the size. */
const left = new Map<string, Page[]>();

/**
 * Opens a page in a profile of its own; men do not take time to move, unless asked for. A test gets a page that another has left, if there is one
 * with these options: a new one takes three times as long, because it has nothing of the scripts in its cache.
 */
export async function visit(
  url: string,
  { asks = [], anew = false, ...more }: VisitOptions = {},
): Promise<PageVisit> {
  const options: BrowserContextOptions = {
    ...DESKTOP,
    reducedMotion: 'reduce',
    colorScheme: 'light',
    ...more,
  };
  const { viewport, ...profile } = options;
  const key = JSON.stringify(profile);
  const old = anew ? null : takeLeft(key);
  const page = old ?? (await newPage(options));
  if (old !== null) await page.setViewportSize(viewport!);
  onTestFinished(() => leave(page, key, options));
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    // cm-chessboard warns of a man that was drawn anew, with the whole board, while it still moved: its move ends all the same.
    if (/without parentNode$/.test(message.text())) return;
    if (['error', 'warning'].includes(message.type())) problems.push(message.text());
  });
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith('http') && ![new URL(url).origin, ...asks].includes(origin))
      problems.push(`asks ${request.url()}`);
  });
  await page.goto(url);
  return { page, problems };
}

async function newPage(options: BrowserContextOptions): Promise<Page> {
  const browser = await openBrowser();
  const page = await (await browser.newContext(options)).newPage();
  page.setDefaultTimeout(30_000);
  return page;
}

function takeLeft(key: string): Page | null {
  const pages = left.get(key) ?? [];
  for (let page = pages.pop(); page !== undefined; page = pages.pop()) if (!page.isClosed()) return page;
  return null;
}

/** Makes a page what a new one of these options is, but for the cache; closes it if that cannot be done. */
async function leave(page: Page, key: string, options: BrowserContextOptions): Promise<void> {
  if (page.isClosed()) return;
  try {
    for (const event of ['pageerror', 'console', 'request'] as const) page.removeAllListeners(event);
    if (page.context().pages().length > 1) throw new Error('it opened another page');
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.evaluate('localStorage.clear()');
    await page.mouse.move(0, 0);
    await page.goto('about:blank');
    const { colorScheme = null, reducedMotion = null } = options;
    await page.emulateMedia({ colorScheme, reducedMotion });
    left.set(key, [...(left.get(key) ?? []), page]);
  } catch {
    await page.context().close();
  }
}

/** Expects the page to list these moves, best first, each with its value; those with one value in any order. */
export async function expectMoves(
  page: Page,
  moves: readonly { readonly san: string; readonly wdl: string; readonly plies: number | null }[],
): Promise<void> {
  const listed = page.locator('.moves .move');
  const values = moves.map(({ wdl, plies }) => (plies === null ? wdl : `${wdl} ${plies}`));
  const named = (sans: readonly string[], of: readonly string[]) =>
    sans.map((san, i) => `${san}: ${of[i]}`).sort();
  // Read aloud with each move, seen once for all moves that share it.
  const read = () => listed.locator('.value').allTextContents();
  await expect.poll(read).toEqual(values);
  const sans = moves.map(({ san }) => san);
  await expect
    .poll(async () => named(await listed.locator('.san').allInnerTexts(), await read()))
    .toEqual(named(sans, values));
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** The faults that axe finds in the page as it is, by all its rules or by some. */
export async function violations(page: Page, rules: readonly string[] = []): Promise<string[]> {
  // Not by a script element, which the page's policy forbids.
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(AXE);
  // Otherwise axe describes every element that passes a rule, too, which takes time.
  const options = { resultTypes: ['violations'], ...(rules.length > 0 && { runOnly: rules }) };
  const asked = `axe.run(document, ${JSON.stringify(options)})`;
  const { violations: found } = (await page.evaluate(asked)) as { violations: Violation[] };
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`),
  );
}
