/** The run as a whole: who does it, how far it has come, what it took. */
import type { RunStatus, SliceStatus } from '../../server/monitor/monitor-answers.js';
import { bytes, duration, rough, whole } from '../../ui/numbers.js';
import { pliesText } from '../../ui/verdict.js';
import { h, setText } from '../dom.js';
import { runWords, STATE_ORDER, STATES, timeOfDay } from './state-words.js';
import { newTiles } from './tiles.js';

export interface RunPanel {
  readonly element: HTMLElement;
  /** `now`: by the server's clock. */
  show(run: RunStatus | null, slices: readonly SliceStatus[], now: number): void;
}

export function newRunPanel(): RunPanel {
  const heading = h('h2', { id: 'run-title' });
  const state = h('span', { class: 'run-state' });
  const who = h('p', { class: 'soft' });
  const problem = h('p', { class: 'problem', role: 'alert' });
  const bar = h('div', { class: 'states', role: 'img' });
  const tiles = newTiles();
  return {
    element: h(
      'section',
      { class: 'panel run', 'aria-labelledby': 'run-title' },
      h('div', { class: 'title' }, heading, state),
      who,
      problem,
      bar,
      tiles.element,
    ),
    show(run, slices, now) {
      setText(heading, run === null ? 'Everything in the store' : titleOf(run));
      state.hidden = run === null;
      setText(state, run === null ? '' : runWords(run.state));
      state.dataset.state = run?.state ?? '';
      setText(who, run === null ? '' : whoOf(run, now));
      who.hidden = run === null;
      setText(problem, run?.problem ?? '');
      problem.hidden = !run?.problem;
      showStates(bar, slices);
      tiles.show(figuresOf(run, slices, now));
    },
  };
}

/** So many endings are named where more were asked for. */
const NAMED = 6;

export function titleOf({ game, metric, endings }: RunStatus): string {
  const some = endings.slice(0, NAMED).join(' ');
  const more = endings.length > NAMED ? ` and ${endings.length - NAMED} more` : '';
  return `${game} ${metric}: ${some}${more}`;
}

function whoOf({ engine, host, startedAt, memory, workers, state, lastAt }: RunStatus, now: number): string {
  const threads = workers === 1 ? '1 worker' : `${workers} workers`;
  const how =
    engine === 'local'
      ? `${host}, ${threads}, ${bytes(memory)} of buffers`
      : `${host}, engine ${engine}, ${bytes(memory)} of buffers a rank`;
  const heard =
    state === 'quiet' ? `; last heard of ${lastAt === null ? 'never' : `${duration(now - lastAt)} ago`}` : '';
  return `${how}; begun ${timeOfDay(startedAt)}${heard}`;
}

function showStates(bar: HTMLElement, slices: readonly SliceStatus[]): void {
  const counts = STATE_ORDER.map((state) => ({
    state,
    count: slices.filter((slice) => slice.state === state).length,
  })).filter(({ count }) => count > 0);
  const words = counts.map(({ state, count }) => `${count} ${STATES[state].words}`).join(', ');
  if (bar.getAttribute('aria-label') === words) return;
  bar.setAttribute('aria-label', words);
  bar.replaceChildren(
    ...counts.toReversed().map(({ state, count }) => {
      const piece = h('span', { 'data-state': state, title: `${count} ${STATES[state].words}` });
      piece.style.flexGrow = String(count);
      return piece;
    }),
  );
}

function figuresOf(
  run: RunStatus | null,
  slices: readonly SliceStatus[],
  now: number,
): Record<string, string | null> {
  const sum = (of: (slice: SliceStatus) => number | null): number | null => {
    const known = slices.flatMap((slice) => of(slice) ?? []);
    return known.length === 0 ? null : known.reduce((total, each) => total + each, 0);
  };
  const text = (n: number | null, words: (n: number) => string) => (n === null ? null : words(n));
  const done = slices.filter(({ state }) => state === 'solved' || state === 'verified').length;
  const longest = slices.flatMap(({ longestWin }) => longestWin ?? []);
  const peak = slices.flatMap(({ peakRss }) => peakRss ?? []);
  const until = run?.lastAt ?? now;
  return {
    slices: `${whole(done)} of ${whole(slices.length)}`,
    'time since it began': run === null ? null : duration(Math.max(0, until - run.startedAt)),
    'time in phases': text(
      sum((slice) => slice.wallMs),
      duration,
    ),
    positions: text(
      sum((slice) => slice.positions),
      whole,
    ),
    requests: text(
      sum((slice) => slice.requests),
      rough,
    ),
    read: text(
      sum((slice) => slice.bytesRead),
      bytes,
    ),
    written: text(
      sum((slice) => slice.bytesWritten),
      bytes,
    ),
    spills: text(
      sum((slice) => slice.spills),
      whole,
    ),
    'longest win': longest.length === 0 ? null : pliesText(Math.max(...longest)),
    'greatest resident set': peak.length === 0 ? null : bytes(Math.max(...peak)),
  };
}
