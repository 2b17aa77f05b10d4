/** The look that the charts of uPlot share: colours of the page's style, axes, and the width of their place. */
import type uPlot from 'uplot';
import { rough } from '../ui/numbers.js';

/** A colour of the style of an element in the page: a custom property, without the dashes. */
export function colourIn(host: HTMLElement, name: string): string {
  const probe = document.createElement('i');
  probe.style.color = `var(--${name})`;
  host.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}

export function axisStyle(host: HTMLElement) {
  return {
    axis: { stroke: colourIn(host, 'soft'), font: '12px system-ui, sans-serif' },
    grid: { stroke: colourIn(host, 'line'), width: 1 },
  };
}

/** "50 k", not "50.0 k": ticks are round numbers. */
export function tickText(tick: number): string {
  return rough(tick).replace(/\.0+(?= )/, '');
}

/** The width of the place of a chart, which may be hidden. */
export const widthOf = (host: HTMLElement): number => Math.max(1, host.clientWidth);

/** Keeps the chart as wide as its place; what it returns takes the chart away. */
export function keepWide(chart: uPlot, host: HTMLElement, height: number): () => void {
  const resized = new ResizeObserver(() => chart.setSize({ width: widthOf(host), height }));
  resized.observe(host);
  return () => {
    resized.disconnect();
    chart.destroy();
  };
}
