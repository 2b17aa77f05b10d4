/** Every value of the list of moves stands under the heading of its metric, whatever the window's width and the number of metrics. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { Metric } from '../../../pipeline/game/value.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { CHROMIUM, ifNoChromium, PHONE, visit } from '../../support/browser.js';
import { LONG, LONGEST, sweep } from '../../support/long.js';
import { sharedServer } from '../../support/page-server.js';
import { putSolved } from '../../support/solving.js';

const METRICS: readonly Metric[] = ['dtm', 'dtc', 'dtz', 'dtm50', 'wdl'];
/** Twenty-odd moves, so that the list scrolls; at this clock most wins are cursed, which are the longest words. */
const QUEEN = '8/8/8/8/3k4/8/8/K6Q w - - 92 1';
/** The longest names of moves, with the mark of those that leave the ending. */
const PAWN = '8/P7/8/8/8/8/K7/7k w - - 97 1';

const server = sharedServer([chess], async (store) => {
  const slices = LONG ? ['KQK', 'KPK.7'] : ['KQK'];
  for (const metric of METRICS) await putSolved(store, chess, slices, { metric });
});

/** Opens a page. What is returned shows a position there with the first `count` metrics: under the others the server has no answer. */
async function open(options: object): Promise<(position: string, count: number) => Promise<Page>> {
  const { page } = await visit('about:blank', options);
  let shown = METRICS.length;
  await page.route('**/api/values*', async (route) => {
    const response = await route.fetch();
    const answers = (await response.json()) as { metrics?: Record<string, unknown> }[];
    for (const answer of answers)
      answer.metrics = Object.fromEntries(
        METRICS.slice(0, shown).map((each) => [each, answer.metrics![each]]),
      );
    await route.fulfill({ json: answers });
  });
  return async (position, count) => {
    shown = count;
    const place = new URLSearchParams({ game: 'chess', metric: METRICS[0], position });
    // The page keeps what it has looked up while the part of its address before the # stays.
    await page.goto('about:blank');
    await page.goto(`${server.url}/#${place}`);
    await page.locator('.moves .move').first().waitFor();
    return page;
  };
}

/** In the page: what is wrong with the columns. */
const FAULTS = `(() => {
  const box = (element) => element.getBoundingClientRect();
  const faults = [];
  const fits = (element) => element.scrollWidth <= element.clientWidth || getComputedStyle(element).display === 'inline';
  if (document.documentElement.scrollWidth > innerWidth) faults.push('the page scrolls sideways');
  for (const name of ['.moves .groups', '.area-value', '.panel:not([hidden])'])
    for (const element of document.querySelectorAll(name)) if (!fits(element)) faults.push(name + ' scrolls sideways');
  for (const group of document.querySelectorAll('.moves .group')) {
    const heads = [...group.querySelectorAll('.heads > span')];
    for (const row of group.querySelectorAll('.row')) {
      const name = row.textContent;
      const cells = [...row.querySelectorAll(':scope > span')];
      if (cells.length > 0 && heads.length > 0 && cells.length !== heads.length)
        faults.push(name + ' has ' + cells.length + ' values under ' + heads.length + ' headings');
      const chips = [...row.querySelectorAll('.move')];
      for (const part of [...cells, ...chips]) {
        if (box(part).right > box(row).right + 0.5 || box(part).right > innerWidth) faults.push(part.textContent + ' is cut off');
        if (!fits(part)) faults.push(name + ': ' + part.textContent + ' is wider than its column');
      }
      if (cells.length > 0 && chips.some((chip) => box(chip).right > box(cells[0]).left + 0.5)) faults.push(name + ': values cover moves');
      for (const [i, head] of (cells.length > 0 ? heads : []).entries()) {
        const middle = (box(head).left + box(head).right) / 2;
        const { left, right } = box(cells[i]);
        if (middle < left || middle > right) faults.push(name + ': ' + cells[i].textContent + ' is not under ' + head.textContent);
        if (!fits(head)) faults.push(head.textContent + ' is wider than its column');
      }
    }
  }
  return [...new Set(faults)];
})()`;

/** Pairs of a position and a number of metrics, beside the queen with all five: each number once, or every pair. */
const PAIRS = [
  [PAWN, 5],
  [QUEEN, 4],
  [PAWN, 3],
  [QUEEN, 2],
  [PAWN, 1],
] as const;
const ALL = [QUEEN, PAWN]
  .flatMap((position) => [1, 2, 3, 4, 5].map((count) => [position, count] as const))
  .filter(([position, count]) => position === PAWN || count < 5);

const kinds = [
  {
    kind: 'desktop',
    options: { viewport: { width: 1440, height: 900 } },
    widths: sweep([1440], [1280, 1320, 1366, 1600, 1920]),
  },
  { kind: 'phone', options: PHONE, widths: [PHONE.viewport.width] },
];

describe.skipIf(CHROMIUM === undefined)(`columns of values${ifNoChromium}`, () => {
  test('headline, arrows and list follow the half-move clock under a metric without the rule', async () => {
    const page = await (await open({}))(QUEEN, 3);
    const headline = page.locator('.verdict.cursed-win .value');
    await headline
      .filter({ hasText: /^White to move: cursed win in 15 plies \(mate in 8\): a draw by the 50-move rule/ })
      .waitFor();
    await expect.poll(() => page.locator('.marks .shaft.cursed-win').count()).toBeGreaterThan(0);
    expect(await page.locator('.marks .shaft').count()).toBe(
      await page.locator('.marks .shaft.cursed-win').count(),
    );
    const listed = await page.locator('.moves .move .value').allTextContents();
    expect(listed[0]).toMatch(/^cursed\s15$/);
    expect(listed.filter((value) => value.startsWith('win'))).toEqual([]);
  });

  // A page takes seconds to open: one shows all positions, and on a desktop its window takes one width after the other.
  test.each(kinds)(
    'every value is under its own heading, and none is cut off ($kind)',
    async ({ options, widths }) => {
      const show = await open(options);
      for (const [position, count] of sweep([[QUEEN, 5]] as const, LONGEST ? ALL : PAIRS)) {
        const page = await show(position, count);
        for (const width of widths) {
          await page.setViewportSize({ ...options.viewport, width });
          expect(await page.evaluate(FAULTS), `${count} metrics, ${position}, ${width} px`).toEqual([]);
        }
      }
    },
  );
});
