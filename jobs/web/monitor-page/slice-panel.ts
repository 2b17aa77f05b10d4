/** All that is known of the slice that is looked at. */
import type { SliceDetail, SliceStatus } from '../../server/monitor/monitor-answers.js';
import { bytes, duration, rough, whole } from '../../ui/numbers.js';
import { pliesText } from '../../ui/verdict.js';
import { h, setText } from '../dom.js';
import { newMemoryBar } from './memory-bar.js';
import { newPhaseList } from './phase-list.js';
import { newRankList } from './rank-list.js';
import { newRoundCharts } from './round-charts.js';
import { newRoundTable } from './round-table.js';
import { atWords, STATES } from './state-words.js';
import { newTiles } from './tiles.js';

export interface SlicePanel {
  readonly element: HTMLElement;
  /** Shows the known facts at once; the rest follows. `now`: by the server's clock. */
  show(status: SliceStatus | null, detail: SliceDetail | null, now: number): void;
  /** Draws the charts again: their colours have changed. */
  recolour(): void;
}

export function newSlicePanel(): SlicePanel {
  const name = h('h2', { id: 'slice-title' });
  const state = h('span', { class: 'slice-state' });
  const problem = h('p', { class: 'problem' });
  const work = newWorkBar();
  const tiles = newTiles();
  const memory = newMemoryBar();
  const phases = newPhaseList();
  const ranks = newRankList();
  const table = newRoundTable();
  const charts = newRoundCharts();
  const nothing = h('p', { class: 'soft' });
  const element = h(
    'section',
    { class: 'panel slice', 'aria-labelledby': 'slice-title' },
    h('div', { class: 'title' }, name, state),
    problem,
    work.element,
    tiles.element,
    memory.element,
    ranks.element,
    nothing,
    charts.element,
    phases.element,
    table.element,
  );
  let shown: SliceDetail | null = null;

  function showDetail(detail: SliceDetail, now: number): void {
    setText(problem, detail.problem ?? '');
    problem.hidden = detail.problem === null;
    work.show(detail, now);
    tiles.show(figuresOf(detail, now));
    memory.show(detail);
    ranks.show(detail.ranks, now);
    phases.show(detail, now);
    table.show(detail.rounds);
    setText(nothing, nothingWords(detail));
    nothing.hidden = nothing.textContent === '';
    charts.show(detail);
  }

  return {
    element,
    show(status, detail, now) {
      element.hidden = status === null;
      if (status === null) return;
      setText(name, `${status.slice} ${status.metric}`);
      const where = atWords(status);
      setText(state, STATES[status.state].words + (where === '' ? '' : `: ${where}`));
      state.dataset.state = status.state;
      shown = detail;
      element.classList.toggle('loading', detail === null);
      if (detail !== null) showDetail(detail, now);
    },
    recolour() {
      if (shown === null) charts.clear();
      else charts.recolour(shown);
    },
  };
}

/** How much of a phase is done, and how long the rest will take. */
function newWorkBar() {
  const bar = h('progress', { max: 1 });
  const left = h('span', { class: 'soft' });
  const element = h('div', { class: 'work' }, bar, left);
  return {
    element,
    show({ current, share, state, phase }: SliceDetail, now: number): void {
      element.hidden = current === null;
      if (current === null) return;
      if (share === null) bar.removeAttribute('value');
      else bar.value = share;
      bar.hidden = share === null && state !== 'working';
      bar.setAttribute('aria-label', `${phase}: how much is done`);
      const { startedAt, leftMs, atMost, done, total } = current;
      const words = [
        done !== null &&
          (total !== null ? `${whole(done)} of ${whole(total)}` : done > 0 && `${whole(done)} done`),
        startedAt !== null && state === 'working' && `for ${duration(Math.max(0, now - startedAt))}`,
        leftMs !== null && `${atMost ? 'at most' : 'about'} ${duration(leftMs)} left of this phase`,
      ];
      setText(left, words.filter((word) => word !== false).join(' · '));
    },
  };
}

function figuresOf(detail: SliceDetail, now: number): Record<string, string | null> {
  const { state, lastAt, requestsPerSecond, bytesRead, bytesWritten, spills, rowsSpilled } = detail;
  const text = (n: number | null, words: (n: number) => string) => (n === null ? null : words(n));
  const longest = detail.longestWin;
  return {
    'requests/s': text(requestsPerSecond, rough),
    requests: text(detail.requests, rough),
    read: text(bytesRead, bytes),
    written: text(bytesWritten, bytes),
    spills:
      spills === null
        ? null
        : `${whole(spills)}${rowsSpilled === null || rowsSpilled === 0 ? '' : `, ${rough(rowsSpilled)} rows`}`,
    'time in phases': text(detail.wallMs, duration),
    positions: text(detail.positions, whole),
    'longest win': longest === null ? null : pliesText(longest),
    'last sign of life':
      (state === 'working' || state === 'begun') && lastAt !== null
        ? `${duration(Math.max(0, now - lastAt))} ago`
        : null,
  };
}

function nothingWords({ state, rounds, by }: SliceDetail): string {
  if (state === 'waiting') return 'Not begun: it is begun when all that it depends on is solved.';
  if (rounds.length > 0 || state === 'damaged') return '';
  if (state === 'solved' || state === 'verified')
    return 'There is no record of its rounds: it was solved by an earlier version, or has none.';
  return by === null ? '' : 'No round is done yet.';
}
