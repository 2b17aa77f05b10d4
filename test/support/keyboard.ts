/** A page that is used by keys alone: what they reach, what shows where they are, and whether they get away again. */
import type { Page } from 'playwright-core';

/**
 * In the page. `begin` starts a walk through the open dialog or, without one, the whole page; `here` notes what has the focus, and what is
 * wrong with how that is shown; `rest` has what was not come to. Boards and lists have one place in the order of Tab, from where arrows
 * go on: `beside` brings the focus to that place for the first of the rest.
 */
const WALK = `globalThis.walk ??= (() => {
  const passed = new WeakSet();
  let reached = new Set();
  let first = null;
  let last = null;
  const root = () => document.querySelector('dialog[open]') ?? document.body;
  const controls = () =>
    [...root().querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]')].filter(
      (each) => each.checkVisibility({ visibilityProperty: true }) && !each.disabled && each.closest('[role=tablist]') === null,
    );
  const text = (element) => element.outerHTML.replace(/\\s+/g, ' ').slice(0, 120);
  const shown = (element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    if (!element.matches(':focus-visible') || outlineStyle === 'none' || parseFloat(outlineWidth) < 2) return 'shows no focus';
    const { left, top, right, bottom } = element.getBoundingClientRect();
    const [x, y] = [(Math.max(left, 0) + Math.min(right, innerWidth)) / 2, (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2];
    const there = document.elementFromPoint(x, y);
    return there !== null && (element.contains(there) || there.contains(element)) ? null : 'has the focus out of sight';
  };
  const rest = () => controls().filter((each) => !reached.has(each) && !passed.has(each));
  return {
    begin() {
      reached = new Set();
      first = last = null;
      const all = controls();
      // Tab goes on from what had the focus last: from before the first, then.
      all.find((each) => each.tabIndex >= 0)?.focus();
      return all.length;
    },
    here() {
      const element = document.activeElement;
      if (element === null || element === document.body || element.tagName === 'DIALOG') return { at: 'outside' };
      if (element === last) return { at: 'same', text: text(element) };
      last = element;
      if (reached.has(element)) return { at: element === first ? 'first' : 'again', text: text(element) };
      first ??= element;
      reached.add(element);
      passed.add(element);
      const fault = shown(element);
      return { at: 'new', isClosed: element.matches('details:not([open]) > summary'), fault: fault && text(element) + ' ' + fault };
    },
    beside() {
      const [next] = rest();
      for (let around = next?.parentElement; around && root().contains(around); around = around.parentElement) {
        const place = [...reached].findLast((each) => around.contains(each));
        if (place === undefined) continue;
        place.focus();
        last = place;
        return place.closest('[role=grid]') === null ? 'list' : 'grid';
      }
      return null;
    },
    left: () => rest().length,
    rest: () => rest().map((each) => text(each) + ' is not reached'),
  };
})()`;

interface Here {
  readonly at: 'new' | 'same' | 'first' | 'again' | 'outside';
  readonly text?: string;
  readonly isClosed?: boolean;
  readonly fault?: string | null;
}

/** More presses than any list or board takes. */
const MOST_PRESSES = 300;

/** What of the page, or of its open dialog, keys do not reach, or reach without a sign; and where Tab gets no further. */
export async function keyFaults(page: Page): Promise<string[]> {
  await page.evaluate(WALK);
  const faults: string[] = [];
  const press = async (key: string): Promise<Here> => {
    await page.keyboard.press(key);
    const here = (await page.evaluate('walk.here()')) as Here;
    if (here.fault) faults.push(here.fault);
    return here;
  };
  const most = ((await page.evaluate('walk.begin()')) as number) + 2;
  await page.keyboard.press('Shift+Tab');
  for (let count = 0; ; count++) {
    const { at, isClosed, text } = await press('Tab');
    // Before the first control is the browser's own window.
    if (at === 'outside' && count < 2) continue;
    // What a summary hides is a part of the panel, too.
    if (isClosed === true) await page.keyboard.press('Enter');
    if (at === 'again' || at === 'same' || count > 2 * most) faults.push(`${text} keeps the focus`);
    if (at !== 'new') break;
  }
  const left = () => page.evaluate('walk.left()') as Promise<number>;
  const to = async (key: string) => {
    for (let count = 0; count < MOST_PRESSES; count++)
      if (['same', 'outside'].includes((await press(key)).at)) return;
    faults.push(`${key} goes round and round`);
  };
  for (let before = -1, now = await left(); now > 0 && now !== before; now = await left()) {
    before = now;
    const place = await page.evaluate('walk.beside()');
    await to('ArrowUp');
    if (place === 'grid') await to('ArrowLeft');
    if (place === 'list') await to('ArrowDown');
    for (let row = 0; place === 'grid' && row < MOST_PRESSES; row++) {
      await to(row % 2 === 0 ? 'ArrowRight' : 'ArrowLeft');
      if (['same', 'outside'].includes((await press('ArrowDown')).at)) break;
    }
  }
  return [...faults, ...((await page.evaluate('walk.rest()')) as string[])];
}

/** Goes by Tab to what is called like that. */
export async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let count = 0; count < 150; count++) {
    await page.keyboard.press('Tab');
    const found = (await page.evaluate(
      '(({ ariaLabel, labels, textContent }) => (ariaLabel ?? labels?.[0]?.textContent ?? textContent).trim())(document.activeElement)',
    )) as string;
    if (name.test(found)) return;
  }
  throw new Error(`Tab does not come to ${name}`);
}
