/** The slices and what they depend on, as a graph: buttons over lines. Arrow keys go from one to the next. */
import { useSignal } from '@preact/signals';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { SliceStatus } from '../../server/monitor/monitor-answers.js';
import { type Edge, edgesOf, type Layout, layOut, type Node, type Size } from './graph-layout.js';
import { keyOf, type Monitor } from './model.js';
import { atWords, STATES } from './state-words.js';

/** With more slices than these, only the edges of the chosen one are drawn. */
const EDGES = 60;
/** With more than these, they are dots. */
const NAMES = 160;
const DOT: Size = { width: 14, height: 14, gap: 4, waveGap: 18 };
const NARROW = matchMedia('(max-width: 860px)');

export function Graph({ monitor }: { readonly monitor: Monitor }) {
  const element = useRef<HTMLDivElement>(null);
  const width = useSignal(0);
  const slices = monitor.shown.value;
  const slice = monitor.slice.value;
  const chosen = slice === null ? '' : keyOf(slice);
  const dots = slices.length > NAMES;
  const signature = slices.map((each) => `${keyOf(each)} ${each.dependencies.length}`).join();
  const { layout, edges, size } = useMemo(() => {
    const all = slices.map(nodeOf);
    const size = dots ? DOT : namedSize(slices);
    return { layout: layOut(all, width.value, size), edges: edgesOf(all), size };
  }, [signature, width.value]);

  useLayoutEffect(() => {
    const { current } = element;
    const resized = new ResizeObserver(() => {
      width.value = current!.clientWidth;
    });
    resized.observe(current!);
    return () => resized.disconnect();
  }, []);

  const choose = (key: string) => monitor.choose(monitor.askedRun.peek(), key);
  const press = (key: string) => {
    choose(key);
    // On a narrow screen what was asked for stands far below.
    if (NARROW.matches) document.querySelector('.panel.slice')?.scrollIntoView({ block: 'start' });
  };
  const keydown = (event: KeyboardEvent) => {
    const next = nextOf(layout, (event.target as HTMLElement).dataset.slice ?? '', event.key);
    if (next === undefined) return;
    event.preventDefault();
    choose(next);
    element.current!.querySelector<HTMLElement>(`[data-slice=${CSS.escape(next)}]`)!.focus();
  };
  const isNear = ({ from, to }: Edge) => from === chosen || to === chosen;
  const byKey = new Map(slices.map((each) => [keyOf(each), each]));
  const { height, at, lines } = layout;
  // The Tab key must lead somewhere.
  const tab = at.has(chosen) ? chosen : lines[0]?.[0];
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields.
    <div
      class={dots ? 'graph dots' : 'graph'}
      role="group"
      aria-label="Slices by what they depend on"
      ref={element}
      style={{ height: `${height}px` }}
      onKeyDown={keydown}
    >
      <svg
        class="edges"
        aria-hidden="true"
        viewBox={`0 0 ${width.value} ${Math.max(1, height)}`}
        width={width.value}
        height={height}
      >
        {edges
          .filter((edge) => slices.length <= EDGES || isNear(edge))
          .map((edge) => (
            <path
              key={`${edge.from} ${edge.to}`}
              d={curveOf(edge, layout, size)}
              class={isNear(edge) ? 'near' : undefined}
            />
          ))}
      </svg>
      <div class="nodes">
        {width.value > 0 &&
          lines.flat().map((key) => (
            <SliceButton
              key={key}
              slice={byKey.get(key)!}
              isChosen={key === chosen}
              tabIndex={key === tab ? 0 : -1}
              style={{
                left: `${at.get(key)!.x}px`,
                top: `${at.get(key)!.y}px`,
                width: `${size.width}px`,
                height: `${size.height}px`,
              }}
              press={() => press(key)}
            />
          ))}
      </div>
    </div>
  );
}

interface ButtonProps {
  readonly slice: SliceStatus;
  readonly isChosen: boolean;
  readonly tabIndex: number;
  readonly style: Readonly<Record<string, string>>;
  readonly press: () => void;
}

/** A slice, with its state. */
function SliceButton({ slice, isChosen, tabIndex, style, press }: ButtonProps) {
  const { sign, words } = STATES[slice.state];
  const isWorking = slice.state === 'working';
  const where = isWorking ? atWords(slice) : '';
  const title = `${slice.slice}: ${words}${where === '' ? '' : `, ${where}`}`;
  return (
    <button
      type="button"
      data-slice={keyOf(slice)}
      data-state={slice.state}
      title={title}
      aria-label={title}
      aria-pressed={isChosen}
      tabIndex={tabIndex}
      style={style}
      onClick={press}
    >
      <span class="sign" aria-hidden="true">
        {sign}
      </span>
      <span class="name">{slice.slice}</span>
      {where !== '' && <small>{where}</small>}
      <span class="share" style={{ width: `${isWorking ? 100 * (slice.share ?? 0) : 0}%` }} />
    </button>
  );
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
