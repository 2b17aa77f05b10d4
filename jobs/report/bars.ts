/** Histograms and shares as SVG and HTML. */
import { barLabel, barsOf } from '../ui/histogram.js';
import { percent, whole } from '../ui/numbers.js';
import { safe } from '../ui/safe-html.js';

const WIDTH = 460;
const HEIGHT = 206;
const BOX = { left: 8, right: 452, top: 22, bottom: 168 };
const MOST_BARS = 60;

/** `counts`: by plies, ascending, one at least. `kind` is a class of the style. */
export function drawHistogram(
  title: string,
  kind: string,
  counts: readonly (readonly [plies: number, count: number])[],
): string {
  const bars = barsOf(counts, MOST_BARS);
  const most = Math.max(...bars.map(({ count }) => count));
  const step = (BOX.right - BOX.left) / bars.length;
  const drawn = bars.map((bar, i) => {
    if (bar.count === 0) return '';
    // A bar with a count is at least one pixel high.
    const height = Math.max(1, ((BOX.bottom - BOX.top) * bar.count) / most);
    const [x, y, width] = [BOX.left + step * i, BOX.bottom - height, Math.max(1, step - 1)];
    const tip = `${barLabel(bar)} plies: ${whole(bar.count)}`;
    return `<rect x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${width.toFixed(1)}" height="${height.toFixed(1)}"><title>${tip}</title></rect>`;
  });
  const ticks = ticksOf(bars.length).map(
    (i) =>
      `<text class="tick" x="${(BOX.left + step * (i + 0.5)).toFixed(1)}" y="${BOX.bottom + 16}" text-anchor="${i === 0 ? 'start' : i === bars.length - 1 ? 'end' : 'middle'}">${barLabel(bars[i])}</text>`,
  );
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${safe(title)}"><g class="${kind}">${drawn.join('')}</g><line class="axis" x1="${BOX.left}" x2="${BOX.right}" y1="${BOX.bottom}" y2="${BOX.bottom}"/>${ticks.join('')}<text class="tick" x="${BOX.right}" y="14" text-anchor="end">highest bar: ${whole(most)}</text><text class="tick" x="${(BOX.left + BOX.right) / 2}" y="${HEIGHT - 5}" text-anchor="middle">plies</text></svg>`;
}

/** The first, the last and a few between. */
function ticksOf(bars: number): number[] {
  const parts = Math.min(4, bars - 1);
  return Array.from({ length: parts + 1 }, (_, i) =>
    parts === 0 ? 0 : Math.round((i * (bars - 1)) / parts),
  );
}

/** One bar of all shares, each as wide as it is large. */
export function drawShares(shares: readonly { readonly kind: string; readonly count: number }[]): string {
  const all = shares.reduce((sum, { count }) => sum + count, 0);
  const parts = shares
    .filter(({ count }) => count > 0)
    .map(
      ({ kind, count }) =>
        `<i class="${classOf(kind)}" style="flex-grow:${((1000 * count) / all).toFixed(3)}" title="${kind} ${percent(count, all)}"></i>`,
    );
  return `<span class="shares">${parts.join('')}</span>`;
}

/** The class of a result: "cursed-win". */
export function classOf(result: string): string {
  return result.replace(' ', '-');
}
