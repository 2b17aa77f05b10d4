/** The run monitor: what a store says of solves, while they go on and afterwards. */
import { render } from 'preact';
import type { RunStatus, SliceStatus } from '../../server/monitor/monitor-answers.js';
import { bytes, duration, rough, whole } from '../../ui/numbers.js';
import { pliesText } from '../../ui/verdict.js';
import { Field, Options, ThemeButton } from '../widgets.js';
import { Files } from './files.js';
import { Graph } from './graph.js';
import { EVERYTHING, keyOf, Monitor } from './model.js';
import { Slice } from './slice.js';
import { runWords, STATE_ORDER, STATES, timeOfDay, titleOf } from './state-words.js';
import './style.css';
import { Tiles, textOf } from './tiles.js';

/** With fewer slices than this, none need be looked for by name. */
const FEW = 20;

function Page({ monitor }: { readonly monitor: Monitor }) {
  const { store, runs, slices } = monitor;
  const isEmpty = runs.value.size === 0 && slices.value.size === 0;
  return (
    <>
      <Header monitor={monitor} />
      <p class="spoken" aria-live="polite">
        {monitor.announced}
      </p>
      {isEmpty && (
        <p class="empty">
          {store.value === ''
            ? 'Waiting for the server.'
            : 'Nothing is solved in this store, and nothing begun.'}
        </p>
      )}
      <Files url={`${monitor.api}/files`} />
      {!isEmpty && (
        <main>
          <div>
            <Run run={monitor.run.value} slices={monitor.shown.value} now={monitor.now.value} />
            <Slices monitor={monitor} />
          </div>
          <Slice monitor={monitor} />
        </main>
      )}
      <footer>
        <p class="store">{store}</p>
      </footer>
    </>
  );
}

function Header({ monitor }: { readonly monitor: Monitor }) {
  const link = monitor.link.value;
  const words =
    link === null
      ? 'connecting'
      : !link.live
        ? 'connection lost, trying again'
        : link.problem === null
          ? 'live'
          : `store cannot be read: ${link.problem}`;
  const runs = [...monitor.runs.value.values()].toReversed();
  return (
    <header>
      <h1>mergemate</h1>
      <Field title="Run ">
        <select
          value={monitor.run.value?.run ?? EVERYTHING}
          onChange={({ currentTarget }) => monitor.choose(currentTarget.value, null)}
        >
          <Options
            of={[
              ...runs.map((run) => {
                const text = `${titleOf(run)}, ${timeOfDay(run.startedAt)}, ${runWords(run.state)}`;
                return [run.run, text] as const;
              }),
              [EVERYTHING, 'Everything in the store'],
            ]}
          />
        </select>
      </Field>
      <span class="link" role="status" data-live={link?.live === true && link.problem === null}>
        {words}
      </span>
      <span class="space" />
      <a href="./">Board</a>
      <ThemeButton />
    </header>
  );
}

interface RunProps {
  readonly run: RunStatus | null;
  readonly slices: readonly SliceStatus[];
  readonly now: number;
}

/** The run as a whole: who does it, how far it has come, what it took. */
function Run({ run, slices, now }: RunProps) {
  return (
    <section class="panel run" aria-labelledby="run-title">
      <div class="title">
        <h2 id="run-title">{run === null ? 'Everything in the store' : titleOf(run)}</h2>
        {run !== null && (
          <span class="run-state" data-state={run.state}>
            {runWords(run.state)}
          </span>
        )}
      </div>
      {run !== null && <p class="soft">{whoOf(run, now)}</p>}
      {run?.problem && (
        <p class="problem" role="alert">
          {run.problem}
        </p>
      )}
      <States slices={slices} />
      <Tiles of={figuresOf(run, slices, now)} />
    </section>
  );
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

/** A bar of how many slices are in which state. */
function States({ slices }: { readonly slices: readonly SliceStatus[] }) {
  const counts = STATE_ORDER.map((state) => ({
    state,
    count: slices.filter((slice) => slice.state === state).length,
  })).filter(({ count }) => count > 0);
  const words = counts.map(({ state, count }) => `${count} ${STATES[state].words}`);
  return (
    <div class="states" role="img" aria-label={words.join(', ')}>
      {counts.toReversed().map(({ state, count }) => (
        <span
          key={state}
          data-state={state}
          title={`${count} ${STATES[state].words}`}
          style={{ flexGrow: count }}
        />
      ))}
    </div>
  );
}

function figuresOf(
  run: RunStatus | null,
  slices: readonly SliceStatus[],
  now: number,
): Record<string, string | null> {
  const known = (of: (slice: SliceStatus) => number | null) => slices.flatMap((slice) => of(slice) ?? []);
  const sum = (of: (slice: SliceStatus) => number | null, words: (n: number) => string): string | null => {
    const all = known(of);
    return all.length === 0 ? null : words(all.reduce((total, each) => total + each, 0));
  };
  const most = (of: (slice: SliceStatus) => number | null) => {
    const all = known(of);
    return all.length === 0 ? null : Math.max(...all);
  };
  const done = slices.filter(({ state }) => state === 'solved' || state === 'verified').length;
  const until = run?.lastAt ?? now;
  return {
    slices: `${whole(done)} of ${whole(slices.length)}`,
    'time since it began': run === null ? null : duration(Math.max(0, until - run.startedAt)),
    'time in phases': sum(({ wallMs }) => wallMs, duration),
    positions: sum(({ positions }) => positions, whole),
    requests: sum(({ requests }) => requests, rough),
    read: sum(({ bytesRead }) => bytesRead, bytes),
    written: sum(({ bytesWritten }) => bytesWritten, bytes),
    spills: sum(({ spills }) => spills, whole),
    'longest win': textOf(
      most(({ longestWin }) => longestWin),
      pliesText,
    ),
    'greatest resident set': textOf(
      most(({ peakRss }) => peakRss),
      bytes,
    ),
  };
}

/** The slices of the run as a graph, and a field to find one. */
function Slices({ monitor }: { readonly monitor: Monitor }) {
  const all = monitor.shown.value;
  const find = (text: string) => {
    const wanted = text.trim().toLowerCase();
    const found = all.find(({ slice }) => slice.toLowerCase() === wanted);
    if (found !== undefined) monitor.choose(monitor.askedRun.peek(), keyOf(found));
  };
  return (
    <section class="panel slices" aria-labelledby="slices-title">
      <div class="title">
        <h2 id="slices-title">Slices</h2>
        {all.length >= FEW && (
          <input
            type="search"
            list="slices"
            placeholder="Find a slice"
            aria-label="Find a slice"
            autocomplete="off"
            onInput={({ currentTarget }) => find(currentTarget.value)}
          />
        )}
        <datalist id="slices">
          <Options of={all.length >= FEW ? all.map(({ slice }) => slice) : []} />
        </datalist>
      </div>
      <Graph monitor={monitor} />
      <ul class="legend">
        {STATE_ORDER.map((state) => (
          <li key={state} data-state={state}>
            <span class="sign" aria-hidden="true">
              {STATES[state].sign}
            </span>
            {STATES[state].words}
          </li>
        ))}
      </ul>
    </section>
  );
}

render(<Page monitor={new Monitor('./api/run')} />, document.body);
