/** A small histogram of bars. */
import { whole } from './numbers.js';

const MOST_BARS = 24;
const WIDTH = 40;

/** Covers the whole numbers `from` to `to`, both included. */
export interface Bar {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** `counts`: by whole numbers, ascending, one at least. Neighbours share a bar where there are more than `most`. */
export function barsOf(counts: readonly (readonly [at: number, count: number])[], most = MOST_BARS): Bar[] {
  const first = counts[0][0];
  const last = counts.at(-1)![0];
  const step = Math.ceil((last - first + 1) / most);
  const sums = new Array<number>(Math.floor((last - first) / step) + 1).fill(0);
  for (const [at, count] of counts) sums[Math.floor((at - first) / step)] += count;
  return sums.map((count, i) => {
    const from = first + i * step;
    return { from, to: Math.min(from + step - 1, last), count };
  });
}

/** "7", "7-9" */
export function barLabel({ from, to }: Bar): string {
  return from === to ? String(from) : `${from}-${to}`;
}

/** 0 shows no bar, any other count one. */
export function histogram(counts: readonly (readonly [at: number, count: number])[], unit: string): string {
  if (counts.length === 0) return '';
  const bars = barsOf(counts);
  const most = Math.max(...bars.map(({ count }) => count));
  const labels = bars.map(barLabel);
  const labelWidth = Math.max(unit.length, ...labels.map((label) => label.length));
  const lines = bars.map(({ count }, i) => {
    const bar = '#'.repeat(count === 0 ? 0 : Math.max(1, Math.round((WIDTH * count) / most)));
    return `${labels[i].padStart(labelWidth)}  ${bar.padEnd(WIDTH)}  ${whole(count)}`;
  });
  return `${[unit.padStart(labelWidth), ...lines].join('\n')}\n`;
}
