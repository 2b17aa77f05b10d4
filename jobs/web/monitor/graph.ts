/** The slices and what they depend on, as a graph: buttons over lines. Arrow keys go from one to the next. */
import type { SliceStatus } from '../../server/monitor/shapes.js';
import { h, setText, svg } from '../dom.js';
import { type Edge, edgesOf, type Layout, layOut, type Size } from './graph-layout.js';
import { keyOf } from './model.js';
import { atWords, STATES } from './words.js';

export interface Graph {
  readonly element: HTMLElement;
  show(slices: readonly SliceStatus[], chosen: string | null): void;
}

/** With more slices than these, only the edges of the chosen one are drawn. */
const EDGES = 60;
/** With more than these, they are dots. */
const NAMES = 160;
const DOT: Size = { width: 14, height: 14, gap: 4, waveGap: 18 };

interface Button {
  readonly element: HTMLButtonElement;
  readonly sign: HTMLElement;
  readonly at: HTMLElement;
  readonly bar: HTMLElement;
}

/** `choose` is called with the key of a slice, and whether it was pressed: else an arrow key led there. */
export function newGraph(choose: (key: string, pressed: boolean) => void): Graph {
  const lines = svg('svg', { class: 'edges', 'aria-hidden': 'true' });
  const nodes = h('div', { class: 'nodes' });
  const element = h(
    'div',
    { class: 'graph', role: 'group', 'aria-label': 'Slices by what they depend on' },
    lines,
    nodes,
  );
  const buttons = new Map<string, Button>();
  let slices: readonly SliceStatus[] = [];
  let chosen: string | null = null;
  let edges: readonly Edge[] = [];
  let layout: Layout = { height: 0, at: new Map(), lines: [] };
  let size = DOT;
  let drawn = '';

  // Slices of several metrics or games do not depend on each other: names are keys here.
  const nodesOf = () =>
    slices.map((slice) => ({
      slice: keyOf(slice),
      wave: slice.wave,
      dependencies: slice.dependencies.map((to) => keyOf({ ...slice, slice: to })),
    }));

  function arrange(): void {
    const width = element.clientWidth;
    if (width === 0) return;
    const all = nodesOf();
    const dots = slices.length > NAMES;
    const longest = Math.max(4, ...slices.map(({ slice }) => slice.length));
    size = dots ? DOT : { width: Math.max(118, 34 + 8.5 * longest), height: 40, gap: 10, waveGap: 36 };
    edges = edgesOf(all);
    layout = layOut(all, width, size);
    element.classList.toggle('dots', dots);
    element.style.height = `${layout.height}px`;
    lines.setAttribute('viewBox', `0 0 ${width} ${Math.max(1, layout.height)}`);
    lines.setAttribute('width', String(width));
    lines.setAttribute('height', String(layout.height));
    const ordered = layout.lines.flat().map((key) => buttonOf(key));
    nodes.replaceChildren(...ordered.map((button) => button.element));
    for (const [key, { x, y }] of layout.at) {
      const { style } = buttonOf(key).element;
      style.left = `${x}px`;
      style.top = `${y}px`;
      style.width = `${size.width}px`;
      style.height = `${size.height}px`;
    }
    for (const key of [...buttons.keys()]) if (!layout.at.has(key)) buttons.delete(key);
    drawEdges();
  }

  function buttonOf(key: string): Button {
    const known = buttons.get(key);
    if (known !== undefined) return known;
    const sign = h('span', { class: 'sign', 'aria-hidden': 'true' });
    const at = h('small');
    const bar = h('span', { class: 'share' });
    const name = h('span', { class: 'name' }, key.split('/').at(-1)!);
    const made = h(
      'button',
      { type: 'button', 'data-slice': key, click: () => choose(key, true) },
      sign,
      name,
      at,
      bar,
    );
    const button = { element: made, sign, at, bar };
    buttons.set(key, button);
    return button;
  }

  function drawEdges(): void {
    const shown =
      edges.length === 0 || slices.length <= EDGES
        ? edges
        : edges.filter(({ from, to }) => from === chosen || to === chosen);
    lines.replaceChildren(
      ...shown.map(({ from, to }) => {
        const lower = layout.at.get(from)!;
        const upper = layout.at.get(to)!;
        const [x1, y1] = [upper.x + size.width / 2, upper.y + size.height];
        const [x2, y2] = [lower.x + size.width / 2, lower.y];
        const bend = Math.max(12, (y2 - y1) / 2);
        const near = from === chosen || to === chosen;
        return svg('path', {
          d: `M${x1} ${y1} C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}`,
          ...(near && { class: 'near' }),
        });
      }),
    );
  }

  function showStates(): void {
    for (const slice of slices) {
      const button = buttons.get(keyOf(slice));
      if (button === undefined) continue;
      const { element: made, sign, at, bar } = button;
      const { sign: mark, words } = STATES[slice.state];
      const where = slice.state === 'working' ? atWords(slice) : '';
      made.dataset.state = slice.state;
      setText(sign, mark);
      setText(at, where);
      at.hidden = where === '';
      made.title = `${slice.slice}: ${words}${where === '' ? '' : `, ${where}`}`;
      made.setAttribute('aria-label', made.title);
      bar.style.width = `${100 * (slice.state === 'working' ? (slice.share ?? 0) : 0)}%`;
      const isChosen = keyOf(slice) === chosen;
      made.setAttribute('aria-pressed', String(isChosen));
      made.tabIndex = isChosen ? 0 : -1;
    }
    // The Tab key must lead somewhere.
    const [first] = layout.lines[0] ?? [];
    if (first !== undefined && !layout.at.has(chosen ?? '')) buttons.get(first)!.element.tabIndex = 0;
  }

  element.addEventListener('keydown', (event) => {
    const key = (document.activeElement as HTMLElement | null)?.dataset.slice;
    const row = layout.lines.findIndex((line) => line.includes(key ?? ''));
    if (row < 0) return;
    const column = layout.lines[row]!.indexOf(key!);
    const next = {
      ArrowLeft: layout.lines[row][column - 1] ?? layout.lines[row - 1]?.at(-1),
      ArrowRight: layout.lines[row][column + 1] ?? layout.lines[row + 1]?.[0],
      ArrowUp: nearest(layout, key!, layout.lines[row - 1]),
      ArrowDown: nearest(layout, key!, layout.lines[row + 1]),
      Home: layout.lines[0][0],
      End: layout.lines.at(-1)!.at(-1),
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    choose(next, false);
    buttons.get(next)?.element.focus();
  });

  new ResizeObserver(() => {
    arrange();
    showStates();
  }).observe(element);

  return {
    element,
    show(shown, now) {
      slices = shown;
      const moved = chosen !== now;
      chosen = now;
      const signature = shown.map((slice) => `${keyOf(slice)} ${slice.dependencies.length}`).join();
      if (signature !== drawn) {
        drawn = signature;
        arrange();
      } else if (moved) drawEdges();
      showStates();
    },
  };
}

function nearest(layout: Layout, from: string, line: readonly string[] | undefined): string | undefined {
  const x = layout.at.get(from)!.x;
  return line?.toSorted((a, b) => Math.abs(layout.at.get(a)!.x - x) - Math.abs(layout.at.get(b)!.x - x))[0];
}
