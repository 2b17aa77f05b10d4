/** A small histogram of bars. */
import { whole } from './numbers.js';

const MOST_BARS = 24;
const WIDTH = 40;

/** `counts`: by whole numbers, ascending. Neighbours share a bar where there are many; 0 shows no bar, any else one. */
export function histogram(counts: readonly (readonly [at: number, count: number])[], unit: string): string {
  if (counts.length === 0) return '';
  const first = counts[0][0];
  const last = counts.at(-1)![0];
  const step = Math.ceil((last - first + 1) / MOST_BARS);
  const bars = new Array<number>(Math.floor((last - first) / step) + 1).fill(0);
  for (const [at, count] of counts) bars[Math.floor((at - first) / step)] += count;
  const most = Math.max(...bars);
  const labels = bars.map((_, i) => {
    const from = first + i * step;
    return step === 1 ? String(from) : `${from}-${Math.min(from + step - 1, last)}`;
  });
  const labelWidth = Math.max(unit.length, ...labels.map((label) => label.length));
  const lines = bars.map((count, i) => {
    const bar = '#'.repeat(count === 0 ? 0 : Math.max(1, Math.round((WIDTH * count) / most)));
    return `${labels[i].padStart(labelWidth)}  ${bar.padEnd(WIDTH)}  ${whole(count)}`;
  });
  return `${[unit.padStart(labelWidth), ...lines].join('\n')}\n`;
}
