/** The run monitor: what a store says of solves, while they go on and afterwards. */
import type { SliceDetail, SliceStatus } from '../../server/monitor/monitor-answers.js';
import { field } from '../controls.js';
import { h, setText } from '../dom.js';
import { newThemeButton } from '../theme.js';
import { connect } from './connection.js';
import { watchFiles } from './files-panel.js';
import { newGraph } from './graph.js';
import { readHash, writeHash } from './hash.js';
import {
  EVERYTHING,
  keyOf,
  newModel,
  shownRun,
  shownSlice,
  shownSlices,
  takeChange,
  takeSnapshot,
} from './model.js';
import { newRunPanel, titleOf } from './run-panel.js';
import { newSlicePanel } from './slice-panel.js';
import './style.css';
import { runWords, STATE_ORDER, STATES, timeOfDay } from './state-words.js';

const API = './api/run';
/** Ages and times are shown again so often. */
const TICK_MS = 1000;
/** The set of files is asked for so often. */
const FILES_MS = 2000;
const NARROW = matchMedia('(max-width: 860px)');

const model = newModel();
Object.assign(model, readHash(location.hash));
let detail: SliceDetail | null = null;
let asking: string | null = null;
let askAgain = false;

const runPanel = newRunPanel();
const slicePanel = newSlicePanel();
const graph = newGraph((key, pressed) => {
  model.askedSlice = key;
  chosen();
  // On a narrow screen what was asked for stands far below.
  if (pressed && NARROW.matches) slicePanel.element.scrollIntoView({ block: 'start' });
});
const link = h('span', { class: 'link', role: 'status' }, 'connecting');
const announced = h('p', { class: 'unseen', 'aria-live': 'polite' });
const empty = h('p', { class: 'empty' });
const runs = h('select', {
  change: () => {
    model.askedRun = runs.value;
    model.askedSlice = null;
    chosen();
  },
});
const find = h('input', {
  type: 'search',
  list: 'slices',
  placeholder: 'Find a slice',
  'aria-label': 'Find a slice',
  autocomplete: 'off',
  input: () => {
    const wanted = find.value.trim().toLowerCase();
    const found = shownSlices(model).find(({ slice }) => slice.toLowerCase() === wanted);
    if (found === undefined) return;
    model.askedSlice = keyOf(found);
    chosen();
  },
});
const names = h('datalist', { id: 'slices' });
const legend = h(
  'ul',
  { class: 'legend' },
  ...STATE_ORDER.map((state) =>
    h(
      'li',
      { 'data-state': state },
      h('span', { class: 'sign', 'aria-hidden': 'true' }, STATES[state].sign),
      STATES[state].words,
    ),
  ),
);
const store = h('p', { class: 'store' });
const slices = h(
  'section',
  { class: 'panel slices', 'aria-labelledby': 'slices-title' },
  h('div', { class: 'title' }, h('h2', { id: 'slices-title' }, 'Slices'), find, names),
  graph.element,
  legend,
);
const main = h('main', {}, h('div', {}, runPanel.element, slices), slicePanel.element);
document.body.append(
  h(
    'header',
    {},
    h('h1', {}, 'mergemate'),
    field('Run ', runs),
    link,
    h('span', { class: 'space' }),
    h('a', { href: './' }, 'Board'),
    newThemeButton(() => slicePanel.recolour()),
  ),
  announced,
  empty,
  watchFiles(`${API}/files`, FILES_MS),
  main,
  h('footer', {}, store),
);

function chosen(): void {
  writeHash(model);
  show();
}

const now = (): number => model.clock + performance.now();

function show(): void {
  const all = shownSlices(model);
  const slice = shownSlice(model, all);
  const nothing = model.runs.size === 0 && model.slices.size === 0;
  empty.hidden = !nothing;
  setText(
    empty,
    model.store === '' ? 'Waiting for the server.' : 'Nothing is solved in this store, and nothing begun.',
  );
  main.hidden = nothing;
  setText(store, model.store);
  showRuns();
  runPanel.show(shownRun(model), all, now());
  graph.show(all, slice === null ? null : keyOf(slice));
  const list = all.map((each) => each.slice).join();
  if (names.dataset.list !== list) {
    names.dataset.list = list;
    names.replaceChildren(...all.map((each) => h('option', { value: each.slice })));
  }
  find.hidden = all.length < 20;
  showSlice(slice);
}

function showSlice(slice: SliceStatus | null): void {
  if (slice === null) {
    slicePanel.show(null, null, now());
    return;
  }
  const mine = detail !== null && keyOf(detail) === keyOf(slice) ? detail : null;
  slicePanel.show(slice, mine, now());
  if (mine === null) void ask(keyOf(slice));
}

function showRuns(): void {
  const options = [
    ...[...model.runs.values()].toReversed().map((run) => ({
      value: run.run,
      text: `${titleOf(run)}, ${timeOfDay(run.startedAt)}, ${runWords(run.state)}`,
    })),
    { value: EVERYTHING, text: 'Everything in the store' },
  ];
  const text = JSON.stringify(options);
  if (runs.dataset.list !== text) {
    runs.dataset.list = text;
    runs.replaceChildren(...options.map((option) => h('option', { value: option.value }, option.text)));
  }
  runs.value = shownRun(model)?.run ?? EVERYTHING;
}

/** Asks for all that is known of a slice; while an answer is on its way, once more after it. */
async function ask(key: string): Promise<void> {
  if (asking === key) {
    askAgain = true;
    return;
  }
  asking = key;
  askAgain = false;
  try {
    const answer = await fetch(`${API}/slice/${key.split('/').map(encodeURIComponent).join('/')}`);
    if (asking !== key) return;
    if (answer.ok) detail = (await answer.json()) as SliceDetail;
  } catch {
    // The connection is lost: the page says so, and asks again when it is there.
    asking = null;
    return;
  }
  if (asking !== key) return;
  asking = null;
  const slice = shownSlice(model, shownSlices(model));
  if (slice === null || keyOf(slice) !== key) return;
  if (detail !== null && keyOf(detail) === key) slicePanel.show(slice, detail, now());
  if (askAgain) void ask(key);
}

connect(`${API}/events`, {
  snapshot(snapshot) {
    takeSnapshot(model, snapshot);
    detail = null;
    show();
  },
  change(change) {
    takeChange(model, change);
    show();
    const slice = shownSlice(model, shownSlices(model));
    if (slice !== null && change.slices.some((each) => keyOf(each) === keyOf(slice))) void ask(keyOf(slice));
  },
  ended({ run, state }) {
    const known = model.runs.get(run);
    if (known !== undefined) setText(announced, `The run ${titleOf(known)} has ended: ${runWords(state)}.`);
  },
  connected(live, problem) {
    link.dataset.live = String(live && problem === null);
    setText(
      link,
      !live
        ? 'connection lost, trying again'
        : problem === null
          ? 'live'
          : `store cannot be read: ${problem}`,
    );
  },
});

addEventListener('hashchange', () => {
  Object.assign(model, readHash(location.hash));
  show();
});
setInterval(() => {
  if (model.store === '' || document.hidden) return;
  const slice = shownSlice(model, shownSlices(model));
  runPanel.show(shownRun(model), shownSlices(model), now());
  if (slice !== null && detail !== null && keyOf(detail) === keyOf(slice))
    slicePanel.show(slice, detail, now());
}, TICK_MS);
show();
