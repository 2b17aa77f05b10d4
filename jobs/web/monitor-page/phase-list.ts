/** How long the phases took: a line each, with a bar as long as its part of the time. */
import type { SliceDetail } from '../../server/monitor/monitor-answers.js';
import { duration, percent } from '../../ui/numbers.js';
import { h } from '../dom.js';

export interface PhaseList {
  readonly element: HTMLElement;
  show(detail: SliceDetail, now: number): void;
}

export function newPhaseList(): PhaseList {
  const rows = h('tbody');
  const element = h(
    'table',
    { class: 'phases' },
    h('caption', {}, 'Phases'),
    h('thead', {}, h('tr', {}, ...['phase', 'time', 'part'].map((word) => h('th', { scope: 'col' }, word)))),
    rows,
  );
  let shown = '';
  return {
    element,
    show({ phases, phase, current, state }, now) {
      const all = phases.map(({ phase: name, wallMs }) => ({ name, wallMs, now: false }));
      if (phase !== null && current?.startedAt != null && state === 'working') {
        all.push({ name: phase, wallMs: Math.max(0, now - current.startedAt), now: true });
      }
      const total = all.reduce((sum, { wallMs }) => sum + wallMs, 0);
      element.hidden = all.length === 0;
      const text = JSON.stringify(all.map(({ name, wallMs }) => [name, duration(wallMs)]));
      if (text === shown) return;
      shown = text;
      rows.replaceChildren(
        ...all.map(({ name, wallMs, now: going }) => {
          const bar = h('span', { class: 'part' });
          bar.style.width = `${total === 0 ? 0 : (100 * wallMs) / total}%`;
          return h(
            'tr',
            going ? { class: 'going' } : {},
            h('th', { scope: 'row' }, name),
            h('td', {}, duration(wallMs)),
            h('td', { title: percent(wallMs, total) }, bar),
          );
        }),
      );
    },
  };
}
