/** How many positions are won, and lost, or have a solution, in how many plies: a chart of one side to move, by uPlot. */
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { rough, whole } from '../ui/numbers.js';
import type { Column, Counts } from './histogram-columns.js';

const HEIGHT = 240;

/** Draws into `host`, which is in the page, in the colours of its style; what it returns takes the chart away. */
export function drawHistogram(
  host: HTMLElement,
  counts: Counts,
  columns: readonly Column[],
  log: boolean,
): () => void {
  const shown = columns.filter(({ of, isAlways }) => isAlways || counts[of].length > 0);
  const all = shown.flatMap(({ of }) => counts[of]);
  const plies = [...new Set(all.map(([n]) => n))].sort((a, b) => a - b);
  const column = (of: Counts['wins']): (number | null)[] => {
    const found = new Map(of);
    return plies.map((n) => found.get(n) ?? null);
  };
  const most = Math.max(1, ...all.map(([, count]) => count));
  const chart = new uPlot(
    {
      width: widthOf(host),
      height: HEIGHT,
      cursor: { drag: { x: false, y: false }, points: { show: false }, y: false },
      legend: { live: true },
      scales: {
        x: { time: false, range: () => [plies[0] - 1, plies.at(-1)! + 1] },
        // One position is seen, too.
        y: log ? { distr: 3, range: [0.5, most * 1.5] } : { range: [0, most * 1.05] },
      },
      axes: axesOf(host, log),
      series: seriesOf(host, counts, shown),
    },
    [plies, ...shown.map(({ of }) => column(counts[of]))],
    host,
  );
  return keepWide(chart, host, HEIGHT);
}

function axesOf(host: HTMLElement, log: boolean): uPlot.Axis[] {
  const { axis, grid } = axisStyle(host);
  const isLabelled = (tick: number) => tick >= 1 && (!log || Number.isInteger(Math.log10(tick)));
  return [
    {
      ...axis,
      grid: { show: false },
      ticks: grid,
      label: 'plies',
      labelFont: axis.font,
      labelSize: 16,
      labelGap: -6,
      size: 36,
    },
    {
      ...axis,
      grid,
      ticks: grid,
      size: 56,
      values: (_, ticks) => ticks.map((tick) => (tick !== null && isLabelled(tick) ? tickText(tick) : '')),
    },
  ];
}

function seriesOf(host: HTMLElement, counts: Counts, shown: readonly Column[]): uPlot.Series[] {
  const { wins, losses, cursedWins, blessedLosses } = counts;
  // In most metrics wins and losses take turns; where they do not, they stand side by side.
  const won = new Set([...wins, ...cursedWins].map(([n]) => n));
  const shared = [...losses, ...blessedLosses].some(([n]) => won.has(n));
  const bars = (align: -1 | 1) =>
    uPlot.paths.bars!({ size: [shared ? 0.45 : 0.9, 24], align: shared ? align : 0 });
  const series = (label: string, name: string, align: -1 | 1): uPlot.Series => ({
    label,
    fill: colourIn(host, name),
    stroke: colourIn(host, name),
    width: 0,
    points: { show: false },
    paths: bars(align),
    value: (_, value) => (value === null ? '–' : whole(value)),
  });
  return [
    { label: 'plies', value: (_, value) => (value === null ? '–' : String(value)) },
    ...shown.map(({ words, colour, of }) =>
      series(words, colour, of === 'wins' || of === 'cursedWins' ? -1 : 1),
    ),
  ];
}

/** A colour of the style of an element in the page: a custom property, without the dashes. */
function colourIn(host: HTMLElement, name: string): string {
  const probe = document.createElement('i');
  probe.style.color = `var(--${name})`;
  host.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}

function axisStyle(host: HTMLElement) {
  return {
    axis: { stroke: colourIn(host, 'soft'), font: '12px system-ui, sans-serif' },
    grid: { stroke: colourIn(host, 'line'), width: 1 },
  };
}

/** "50 k", not "50.0 k": ticks are round numbers. */
function tickText(tick: number): string {
  return rough(tick).replace(/\.0+(?= )/, '');
}

/** The width of the place of a chart, which may be hidden. */
const widthOf = (host: HTMLElement): number => Math.max(1, host.clientWidth);

/** Keeps the chart as wide as its place; what it returns takes the chart away. */
function keepWide(chart: uPlot, host: HTMLElement, height: number): () => void {
  const resized = new ResizeObserver(() => chart.setSize({ width: widthOf(host), height }));
  resized.observe(host);
  return () => {
    resized.disconnect();
    chart.destroy();
  };
}
