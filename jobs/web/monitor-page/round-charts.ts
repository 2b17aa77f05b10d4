/** The rounds of a slice, as charts. */
import type { SliceDetail } from '../../server/monitor/monitor-answers.js';
import { h } from '../dom.js';
import { newRoundChart, type RoundChart } from './round-chart.js';

export interface RoundCharts {
  readonly element: HTMLElement;
  /** Nothing is drawn again unless rounds were done. */
  show(detail: SliceDetail): void;
  /** Draws them again: their colours have changed. */
  recolour(detail: SliceDetail): void;
  clear(): void;
}

export function newRoundCharts(): RoundCharts {
  const frontier = h('div', { class: 'chart' });
  const requests = h('div', { class: 'chart' });
  const element = h(
    'div',
    { class: 'charts' },
    h('figure', {}, h('figcaption', {}, 'Frontier: positions labelled in each round'), frontier),
    h('figure', {}, h('figcaption', {}, 'Requests of each round'), requests),
  );
  let drawn: { readonly frontier: RoundChart; readonly requests: RoundChart } | null = null;
  let drawnRounds = '';

  function show(detail: SliceDetail): void {
    const rounds = detail.rounds;
    element.hidden = rounds.length === 0;
    if (rounds.length === 0) return;
    const last = rounds.at(-1)!;
    const what = `${detail.game}/${detail.metric}/${detail.slice} ${rounds.length} ${last.ply} ${last.wallMs}`;
    if (drawn !== null && what === drawnRounds) return;
    drawnRounds = what;
    drawn ??= {
      frontier: newRoundChart(frontier, [
        { label: 'won', colour: 'win' },
        { label: 'lost', colour: 'loss' },
      ]),
      requests: newRoundChart(requests, [{ label: 'requests', colour: 'accent' }]),
    };
    const plies = rounds.map(({ ply }) => ply);
    drawn.frontier.show(plies, [rounds.map(({ won }) => won), rounds.map(({ lost }) => lost)]);
    drawn.requests.show(plies, [rounds.map((round) => round.requests)]);
  }

  function clear(): void {
    drawn?.frontier.remove();
    drawn?.requests.remove();
    drawn = null;
  }

  return {
    element,
    show,
    clear,
    recolour(detail) {
      clear();
      show(detail);
    },
  };
}
