/** A set of endings on its way to Syzygy's files: how far it has come, and what each ending took. Hidden where there is none. */
import type { FileSet, FilesAnswer, SetEnding } from '../../server/monitor/monitor-answers.js';
import { bytes, duration, whole } from '../../ui/numbers.js';
import { pliesText } from '../../ui/verdict.js';
import { h, setText } from '../dom.js';
import { runWords, timeOfDay } from './state-words.js';
import { newTiles } from './tiles.js';

const STATES: Readonly<Record<SetEnding['state'], { readonly sign: string; readonly words: string }>> = {
  working: { sign: '▶', words: 'at work' },
  begun: { sign: '‖', words: 'begun, nobody at work' },
  waiting: { sign: '○', words: 'waiting' },
  done: { sign: '✓', words: 'files right' },
};
const STEPS = { solve: 'solves', write: 'writes files', verify: 'verifies files' } as const;
const HEAD = [
  'ending',
  'state',
  'CPU',
  'time',
  'bytes',
  'longest win',
  'tables: positions right',
  'files: positions right',
];

export interface FilesPanel {
  readonly element: HTMLElement;
  show(answer: FilesAnswer): void;
}

export function newFilesPanel(): FilesPanel {
  const state = h('span', { class: 'run-state' });
  const when = h('p', { class: 'soft' });
  const tiles = newTiles();
  const body = h('tbody');
  const head = h('thead', {}, h('tr', {}, ...HEAD.map((word) => h('th', { scope: 'col' }, word))));
  const scroll = { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Endings of the set' };
  const element = h(
    'section',
    { class: 'panel files', 'aria-labelledby': 'files-title' },
    h('div', { class: 'title' }, h('h2', { id: 'files-title' }, "Syzygy's files"), state),
    when,
    tiles.element,
    h('div', scroll, h('table', {}, head, body)),
  );
  element.hidden = true;
  let shown = '';
  return {
    element,
    show({ at, set }) {
      element.hidden = set === null;
      if (set === null) return;
      setText(state, runWords(set.state));
      state.dataset.state = set.state;
      setText(when, whenOf(set, at));
      tiles.show(figuresOf(set));
      const text = JSON.stringify(set.endings);
      if (text !== shown) body.replaceChildren(...inOrder(set.endings).map(rowOf));
      shown = text;
    },
  };
}

function whenOf({ startedAt, heardAt, state }: FileSet, at: number): string {
  const heard = state === 'quiet' ? `; last heard of ${duration(Math.max(0, at - heardAt))} ago` : '';
  return `begun ${timeOfDay(startedAt)}${heard}`;
}

const sum = (numbers: Readonly<Record<string, number>> | null) =>
  Object.values(numbers ?? {}).reduce((a, b) => a + b, 0);

function figuresOf({ endings }: FileSet): Record<string, string | null> {
  const total = (of: (one: SetEnding) => number | null) =>
    endings.reduce((all, one) => all + (of(one) ?? 0), 0);
  const done = endings.filter(({ state }) => state === 'done');
  const longest = Math.max(0, ...done.map(({ longestWin }) => longestWin ?? 0));
  return {
    endings: `${whole(done.length)} of ${whole(endings.length)}`,
    CPU: duration(total(({ cpuMs }) => cpuMs)),
    time: duration(total(({ wallMs }) => wallMs)),
    'bytes of files': bytes(total((one) => sum(one.bytes))),
    'longest win': longest === 0 ? null : pliesText(longest),
    'positions verified': whole(total((one) => (one.tablePositions ?? 0) + sum(one.filePositions))),
  };
}

/** The one at work first, then those that are done, the last before the others, then those that wait. */
function inOrder(endings: readonly SetEnding[]): SetEnding[] {
  const begun = endings.filter(({ state }) => state === 'working' || state === 'begun');
  const done = endings.filter(({ state }) => state === 'done').toReversed();
  return [...begun, ...done, ...endings.filter(({ state }) => state === 'waiting')];
}

function rowOf(one: SetEnding): HTMLElement {
  const { sign, words } = STATES[one.state];
  const step = one.step === null ? '' : `: ${STEPS[one.step]}`;
  const figures =
    one.state === 'done'
      ? [
          duration(one.cpuMs ?? 0),
          duration(one.wallMs ?? 0),
          whole(sum(one.bytes)),
          one.longestWin === null ? '-' : String(one.longestWin),
          one.tablePositions === null ? 'not verified' : whole(one.tablePositions),
          whole(sum(one.filePositions)),
        ]
      : new Array<string>(6).fill('');
  return h(
    'tr',
    { 'data-state': one.state, 'data-ending': one.ending },
    h('th', { scope: 'row' }, one.ending),
    h('td', {}, h('span', { class: 'sign', 'aria-hidden': 'true' }, sign), ` ${words}${step}`),
    ...figures.map((text) => h('td', {}, text)),
  );
}

/** Asks for the set again and again, while the page is looked at, and shows it. */
export function watchFiles(url: string, everyMs: number): HTMLElement {
  const panel = newFilesPanel();
  const ask = async (): Promise<void> => {
    if (document.hidden) return;
    try {
      const answer = await fetch(url);
      if (answer.ok) panel.show((await answer.json()) as FilesAnswer);
    } catch {
      // The page says that the connection is lost.
    }
  };
  void ask();
  setInterval(() => void ask(), everyMs);
  return panel.element;
}
