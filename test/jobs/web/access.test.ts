/**
 * The pages for everybody, in Chromium: in every panel axe finds nothing, light or dark, and keys alone reach all there is. A new panel of
 * the page is tested by itself; what comes of its buttons is a scene of `SCENES`.
 */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { checkers } from '../../../pipeline/games/checkers/checkers.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import type { KeyedRules } from '../../../pipeline/games/yours/keyed/keyed-rules.js';
import { solveKeyed } from '../../../pipeline/graph/solve-keyed.js';
import { CHROMIUM, DESKTOP, ifNoChromium, PHONE, violations, visit } from '../../support/browser.js';
import heaps from '../../support/heaps-game.js';
import { keyFaults, tabTo } from '../../support/keyboard.js';
import { LONG, LONGEST, sweep } from '../../support/long.js';
import { sharedServer } from '../../support/page-server.js';
import { LOCKED, putRoot, SHORT } from '../../support/roots.js';
import { putSolved } from '../../support/solving.js';

const QUEEN = '8/8/8/8/3k4/8/8/K6Q w - - 0 1';
const HELPMATE = '8/8/7k/6Q1/8/8/8/K7 b - - 0 1';

const server = sharedServer(
  [chess, checkers],
  async (store) => {
    await putSolved(store, chess, chess.ending('KPK').slices, { verify: true });
    await putSolved(store, chess, chess.ending('KPK').slices, { metric: 'dtz' });
    await putSolved(store, chess, ['KQvK'], { metric: 'help' });
    await putRoot(store, LOCKED, SHORT);
    await putSolved(store, checkers, checkers.ending('1100').slices);
    await solveKeyed({ game: heaps, store });
  },
  { keyed: [{ game: heaps as unknown as KeyedRules, path: 'test/support/heaps-game.ts' }] },
);

/** Expects that keys go everywhere on the page as it is, and all that {@link expectReadable} does. */
async function expectAccess(page: Page, scene: string): Promise<void> {
  expect(await keyFaults(page), scene).toEqual([]);
  await expectReadable(page, scene);
}

const SCHEMES = ['light', 'dark'] as const;
let scenes = 0;

/** The schemes in which a scene is looked at: both, or one in turn. A telephone has the colours of other screens. */
function schemesOf(page: Page): readonly ('light' | 'dark')[] {
  const isPhone = page.viewportSize()!.width === PHONE.viewport.width;
  return LONGEST || (LONG && !isPhone) ? SCHEMES : [SCHEMES[scenes++ % 2]];
}

/** Expects that axe finds nothing in the page as it is, and that it is not too wide. */
async function expectReadable(page: Page, scene: string): Promise<void> {
  for (const [i, colorScheme] of schemesOf(page).entries()) {
    await page.emulateMedia({ colorScheme });
    // In the second scheme the colours alone are others.
    const rules = i === 0 ? [] : ['color-contrast'];
    expect(await violations(page, rules), `${scene}, ${colorScheme}`).toEqual([]);
    const folder = process.env.MERGEMATE_TEST_PICTURES;
    const size = page.viewportSize()!.width;
    if (folder) await page.screenshot({ path: `${folder}/${scene}-${size}-${colorScheme}.png` });
  }
  expect(await page.evaluate('document.documentElement.scrollWidth <= screen.width'), scene).toBe(true);
}

const press = async (page: Page, name: RegExp, key = 'Enter') => {
  await tabTo(page, name);
  await page.keyboard.press(key);
};
/** Shows what is typed into the field for positions, links and games. */
const enter = async (page: Page, text: string) => {
  await tabTo(page, /^Position, game, link or ending$/);
  await page.keyboard.insertText(text);
  await page.keyboard.press('Enter');
};

type Scene = readonly [name: string, act: (page: Page) => Promise<void>];

/** By the name of the panel that is open: what is done there, by keys. */
const SCENES: Readonly<Record<string, readonly Scene[]>> = {
  Endings: [
    [
      'ending',
      async (page) => {
        await tabTo(page, /^Search endings$/);
        await page.keyboard.insertText('KQK');
        await press(page, /KQK ·/);
        await page.locator('.chart').first().waitFor();
        await press(page, /^Which/, 'ArrowDown');
        await press(page, /^Find$/);
        await page.locator('.found button').first().waitFor();
      },
    ],
  ],
  Solutions: [
    [
      'problem',
      async (page) => {
        await enter(page, `http://page/#game=chess&metric=help&position=${HELPMATE}&panel=solutions`);
        await page.locator('.solutions li').first().waitFor();
      },
    ],
  ],
  Practise: [
    [
      'exercise',
      async (page) => {
        // Problems have no exercises.
        await enter(page, `http://page/#game=chess&metric=dtm&position=${QUEEN}&panel=practice`);
        await press(page, /^Begin$/);
        await page.locator('.practice-status .value').filter({ hasText: 'to move' }).waitFor();
        await press(page, /^Hint$/);
      },
    ],
  ],
  Games: [
    [
      'game',
      async (page) => {
        await tabTo(page, /^A game or study as PGN/);
        await page.keyboard.insertText(`[FEN "${QUEEN}"]\n\n1. Qh5 (1. Qa8 Kc3) Kc3 2. Qd1 *`);
        await press(page, /^Annotate$/);
        await page.locator('.annotated button').nth(2).waitFor();
      },
    ],
  ],
};

/** Without a panel of their own. */
const ELSEWHERE: readonly Scene[] = [
  [
    'root',
    async (page) => {
      await enter(page, LOCKED);
      await page.getByText('White to move: at least a draw').waitFor();
    },
  ],
  [
    'settings',
    async (page) => {
      await page.keyboard.press('?');
      await page.locator('dialog[open]').waitFor();
    },
  ],
];

const PAGES = sweep<readonly [path: string, there: string]>(
  [
    ['#game=checkers', '.moves .move'],
    ['game/heaps/', '.starts button'],
  ],
  [['monitor', '.slice .tiles']],
);

describe.skipIf(CHROMIUM === undefined)(`the page for everybody${ifNoChromium}`, () => {
  test.each(sweep([['desktop', DESKTOP] as const], [['phone', PHONE] as const]))(
    'keys reach all of every panel on a %s, and axe finds nothing wrong',
    async (_, device) => {
      const { page, problems } = await server.open({ game: 'chess', position: QUEEN }, device);
      await page.locator('.moves .move').first().waitFor();
      const tabs = page.getByRole('tab').filter({ visible: true });
      const names = await tabs.allTextContents();
      for (const name of names) {
        await tabTo(page, new RegExp(`^(${names.join('|')})$`));
        while ((await page.locator(':focus').textContent()) !== name) await page.keyboard.press('ArrowRight');
        await page.locator('[role=tabpanel] > *, .moves').filter({ visible: true }).first().waitFor();
        // What comes of its buttons has the panel around it.
        if (SCENES[name] === undefined || (LONG && device === DESKTOP) || LONGEST)
          await expectAccess(page, name);
        for (const [scene, act] of SCENES[name] ?? []) {
          await act(page);
          await expectAccess(page, scene);
        }
      }
      for (const [scene, act] of ELSEWHERE) {
        await act(page);
        await expectAccess(page, scene);
      }
      expect(problems).toEqual([]);
    },
    180_000,
  );

  test.skipIf(!LONG).each<[scene: string, key: string, there: string]>([
    ['copy', 'c', 'dialog.share'],
    ['setup', 's', '.palette'],
  ])('axe finds nothing wrong in what a key opens: %s', async (scene, key, there) => {
    const { page, problems } = await server.open({ game: 'chess', position: QUEEN });
    await page.locator('.moves .move').first().waitFor();
    await page.keyboard.press(key);
    await page.locator(there).waitFor();
    await expectReadable(page, scene);
    expect(problems).toEqual([]);
  });

  test.each(PAGES)('keys reach all of %s, and axe finds nothing wrong', async (path, there) => {
    const { page, problems } = await visit(`${server.url}/${path}`, DESKTOP);
    await page.locator(there).first().waitFor();
    await expectAccess(page, path.replace(/\W+/g, '-'));
    expect(problems).toEqual([]);
  });
});
