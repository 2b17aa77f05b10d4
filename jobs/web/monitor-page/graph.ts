/** The slices and what they depend on, as a graph: buttons over lines. Arrow keys go from one to the next. */
import type { SliceStatus } from '../../server/monitor/monitor-answers.js';
import { h, svg } from '../dom.js';
import { type Edge, edgesOf, type Layout, layOut, type Node, type Size } from './graph-layout.js';
import { keyOf } from './model.js';
import { newSliceButtons } from './slice-buttons.js';

export interface Graph {
  readonly element: HTMLElement;
  show(slices: readonly SliceStatus[], chosen: string | null): void;
}

/** With more slices than these, only the edges of the chosen one are drawn. */
const EDGES = 60;
/** With more than these, they are dots. */
const NAMES = 160;
const DOT: Size = { width: 14, height: 14, gap: 4, waveGap: 18 };

/** `choose` is called with the key of a slice, and whether it was pressed: else an arrow key led there. */
export function newGraph(choose: (key: string, pressed: boolean) => void): Graph {
  const lines = svg('svg', { class: 'edges', 'aria-hidden': 'true' });
  const buttons = newSliceButtons((key) => choose(key, true));
  const element = h(
    'div',
    { class: 'graph', role: 'group', 'aria-label': 'Slices by what they depend on' },
    lines,
    buttons.element,
  );
  let slices: readonly SliceStatus[] = [];
  let chosen: string | null = null;
  let edges: readonly Edge[] = [];
  let layout: Layout = { height: 0, at: new Map(), lines: [] };
  let size = DOT;
  let drawn = '';

  function arrange(): void {
    const width = element.clientWidth;
    if (width === 0) return;
    const all = slices.map(nodeOf);
    const dots = slices.length > NAMES;
    size = dots ? DOT : namedSize(slices);
    edges = edgesOf(all);
    layout = layOut(all, width, size);
    element.classList.toggle('dots', dots);
    element.style.height = `${layout.height}px`;
    lines.setAttribute('viewBox', `0 0 ${width} ${Math.max(1, layout.height)}`);
    lines.setAttribute('width', String(width));
    lines.setAttribute('height', String(layout.height));
    buttons.place(layout, size);
    drawEdges();
  }

  function drawEdges(): void {
    const isNear = ({ from, to }: Edge) => from === chosen || to === chosen;
    const shown = slices.length <= EDGES ? edges : edges.filter(isNear);
    lines.replaceChildren(
      ...shown.map((edge) =>
        svg('path', { d: curveOf(edge, layout, size), ...(isNear(edge) && { class: 'near' }) }),
      ),
    );
  }

  function showStates(): void {
    buttons.show(slices, chosen);
    // The Tab key must lead somewhere.
    const [first] = layout.lines[0] ?? [];
    if (first !== undefined && !layout.at.has(chosen ?? '')) buttons.tabTo(first);
  }

  element.addEventListener('keydown', (event) => {
    const key = (document.activeElement as HTMLElement | null)?.dataset.slice;
    const next = nextOf(layout, key ?? '', event.key);
    if (next === undefined) return;
    event.preventDefault();
    choose(next, false);
    buttons.focusOn(next);
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

/** Slices of several metrics or games do not depend on each other: names are keys here. */
function nodeOf(slice: SliceStatus): Node {
  const dependencies = slice.dependencies.map((to) => keyOf({ ...slice, slice: to }));
  return { slice: keyOf(slice), wave: slice.wave, dependencies };
}

/** The size of buttons with room for the longest name. */
function namedSize(slices: readonly SliceStatus[]): Size {
  const longest = Math.max(4, ...slices.map(({ slice }) => slice.length));
  return { width: Math.max(118, 34 + 8.5 * longest), height: 40, gap: 10, waveGap: 36 };
}

/** The path of an edge: down from the dependency to the slice that depends on it. */
function curveOf({ from, to }: Edge, { at }: Layout, size: Size): string {
  const lower = at.get(from)!;
  const upper = at.get(to)!;
  const [x1, y1] = [upper.x + size.width / 2, upper.y + size.height];
  const [x2, y2] = [lower.x + size.width / 2, lower.y];
  const bend = Math.max(12, (y2 - y1) / 2);
  return `M${x1} ${y1} C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}`;
}

/** The slice that a key of the keyboard leads to from another slice. */
function nextOf(layout: Layout, from: string, key: string): string | undefined {
  const { lines } = layout;
  const row = lines.findIndex((line) => line.includes(from));
  if (row < 0) return undefined;
  const column = lines[row].indexOf(from);
  return {
    ArrowLeft: lines[row][column - 1] ?? lines[row - 1]?.at(-1),
    ArrowRight: lines[row][column + 1] ?? lines[row + 1]?.[0],
    ArrowUp: nearest(layout, from, lines[row - 1]),
    ArrowDown: nearest(layout, from, lines[row + 1]),
    Home: lines[0][0],
    End: lines.at(-1)!.at(-1),
  }[key];
}

function nearest(layout: Layout, from: string, line: readonly string[] | undefined): string | undefined {
  const x = layout.at.get(from)!.x;
  return line?.toSorted((a, b) => Math.abs(layout.at.get(a)!.x - x) - Math.abs(layout.at.get(b)!.x - x))[0];
}
