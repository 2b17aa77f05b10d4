/** A chart of lines over memory budgets, both axes logarithmic, as SVG whose colours the page's style gives. */
import { rough } from '../ui/numbers.js';

export interface Point {
  readonly x: number;
  readonly y: number;
}

interface ChartLine {
  /** Part of the style: colour by class `s-NAME`, shape of the points by its number. */
  readonly name: string;
  readonly title: string;
  readonly shape: number;
  readonly points: readonly Point[];
}

export interface Chart {
  readonly title: string;
  /** How the figures came about: they are drawn with dashes if modelled. */
  readonly origin: 'measured' | 'counted' | 'modelled';
  readonly lines: readonly ChartLine[];
  readonly ticksX: readonly { readonly x: number; readonly text: string }[];
  /** Text of a value, and of a value of the grid: that must be short, and say powers of the base plainly. */
  readonly text: (y: number) => string;
  readonly tick: (y: number) => string;
  /** Grid values are powers of this: 10, or 2 for bytes. */
  readonly base: 10 | 2;
}

const WIDTH = 460;
const HEIGHT = 290;
const BOX = { left: 90, right: 444, top: 14, bottom: 246 };

export function drawChart({ title, origin, lines, ticksX, text, tick, base }: Chart): string {
  const ys = lines.flatMap(({ points }) => points.map(({ y }) => Math.max(y, 1)));
  const grid = gridOf(Math.min(...ys), Math.max(...ys), base);
  const atY = scale(grid[0], grid[grid.length - 1], BOX.bottom, BOX.top);
  const xs = ticksX.map(({ x }) => x);
  const atX = scale(Math.min(...xs), Math.max(...xs), BOX.left + 24, BOX.right - 24);
  const parts: string[] = [];
  for (const y of grid) {
    const at = atY(y).toFixed(1);
    parts.push(`<line class="grid" x1="${BOX.left}" x2="${BOX.right}" y1="${at}" y2="${at}"/>`);
    parts.push(
      `<text class="tick" x="${BOX.left - 8}" y="${at}" dy="0.32em" text-anchor="end">${tick(y)}</text>`,
    );
  }
  for (const { x, text: label } of ticksX) {
    const at = atX(x).toFixed(1);
    parts.push(`<line class="mark" x1="${at}" x2="${at}" y1="${BOX.bottom}" y2="${BOX.bottom + 5}"/>`);
    parts.push(`<text class="tick" x="${at}" y="${BOX.bottom + 19}" text-anchor="middle">${label}</text>`);
  }
  parts.push(
    `<line class="axis" x1="${BOX.left}" x2="${BOX.right}" y1="${BOX.bottom}" y2="${BOX.bottom}"/>`,
    `<text class="tick" x="${(BOX.left + BOX.right) / 2}" y="${HEIGHT - 6}" text-anchor="middle">memory budget</text>`,
  );
  for (const line of lines) {
    const at = line.points.map(({ x, y }) => `${atX(x).toFixed(1)},${atY(Math.max(y, 1)).toFixed(1)}`);
    parts.push(`<g class="s-${line.name} ${origin}"><polyline points="${at.join(' ')}"/>`);
    for (const { x, y } of line.points) {
      const label = ticksX.find((tick) => tick.x === x)?.text ?? '';
      const tip = `<title>${line.title}, ${label}: ${text(y)} (${origin})</title>`;
      parts.push(drawShape(line.shape, atX(x), atY(Math.max(y, 1)), tip));
    }
    parts.push('</g>');
  }
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}, ${origin}">${parts.join('')}</svg>`;
}

/** A sign of a line for the legend. */
export function drawKey(name: string, shape: number): string {
  return `<svg class="key" viewBox="0 0 28 14" aria-hidden="true"><g class="s-${name}"><polyline points="1,7 27,7"/>${drawShape(shape, 14, 7, '')}</g></svg>`;
}

/** Shapes differ, so that lines can be distinguished without colour. */
function drawShape(shape: number, x: number, y: number, inside: string): string {
  const at = (dx: number, dy: number) => `${(x + dx).toFixed(1)},${(y + dy).toFixed(1)}`;
  if (shape === 0) return `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="5">${inside}</circle>`;
  const corners =
    shape === 1
      ? [at(-4.5, -4.5), at(4.5, -4.5), at(4.5, 4.5), at(-4.5, 4.5)]
      : [at(0, -6), at(6, 4.5), at(-6, 4.5)];
  return `<polygon points="${corners.join(' ')}">${inside}</polygon>`;
}

function scale(from: number, to: number, low: number, high: number): (value: number) => number {
  if (from === to) return () => (low + high) / 2;
  const step = (high - low) / Math.log(to / from);
  return (value) => low + Math.log(value / from) * step;
}

/** Powers of the base around the values, at least two and at most eight of them. */
function gridOf(least: number, most: number, base: 10 | 2): number[] {
  const low = Math.floor(Math.log(least) / Math.log(base) + 1e-9);
  const high = Math.max(low + 1, Math.ceil(Math.log(most) / Math.log(base) - 1e-9));
  const step = Math.ceil((high - low) / 7);
  const grid: number[] = [];
  for (let power = low; power < high + step; power += step) grid.push(base ** power);
  return grid;
}

/** "12.3 k" for operations. */
export const countText = rough;
