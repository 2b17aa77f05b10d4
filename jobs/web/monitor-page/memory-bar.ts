/** The resident memory of the process, or of a rank, against its budget for buffers: the runtime needs some 100 MiB beside. */
import type { SliceDetail } from '../../server/monitor/monitor-answers.js';
import { bytes } from '../../ui/numbers.js';
import { h, setText } from '../dom.js';

export interface MemoryBar {
  readonly element: HTMLElement;
  show(detail: Pick<SliceDetail, 'memory' | 'rss' | 'peakRss' | 'by'>): void;
}

export function newMemoryBar(): MemoryBar {
  const peak = h('span', { class: 'peak' });
  const now = h('span', { class: 'now' });
  const budget = h('span', { class: 'budget' });
  const bar = h('div', { class: 'bar', 'aria-hidden': 'true' }, peak, now, budget);
  const words = h('p', { class: 'soft' });
  const element = h('div', { class: 'memory' }, h('h3', {}, 'Memory'), bar, words);
  return {
    element,
    show({ memory, rss, peakRss, by }) {
      const most = peakRss ?? rss;
      element.hidden = most === null;
      if (most === null) return;
      const scale = 1.05 * Math.max(memory ?? 0, most);
      const share = (n: number) => `${(100 * n) / scale}%`;
      peak.style.width = share(most);
      now.style.width = share(rss ?? 0);
      budget.hidden = memory === null;
      budget.style.left = share(memory ?? 0);
      const shown = [
        rss !== null && `resident now ${bytes(rss)}`,
        `${by === 'ranks' ? 'a rank’s resident set at most' : 'resident at most'} ${bytes(most)}`,
        memory !== null && `budget for buffers ${bytes(memory)} (the line)`,
      ];
      setText(words, shown.filter((word) => word !== false).join(' · '));
    },
  };
}
