/** The run monitor: what a store says of solves, while they go on and afterwards. */
import { render } from 'preact';
import type { RunStatus, SliceStatus } from '../../progress/model.js';
import { stepWords } from '../../progress/words.js';
import { bytes, count, duration, rough, whole } from '../../ui/numbers.js';
import { pliesText } from '../../ui/verdict.js';
import { isDark, switchTheme } from '../theme.js';
import { Button, Field, Select, stepThrough } from '../widgets.js';
import { Files } from './files.js';
import { EVERYTHING, keyOf, Monitor } from './model.js';
import { Slice } from './slice.js';
import './style.css';
import { longestTitle, RUNS, STATES, Tiles, Title, textOf, timeOfDay, titleOf, whenWords } from './words.js';

const NARROW = matchMedia('(max-width: 860px)');

function Page({ monitor }: { readonly monitor: Monitor }) {
  const { store, runs, slices } = monitor;
  const isEmpty = runs.value.size === 0 && slices.value.size === 0;
  const now = monitor.now.value;
  return (
    <>
      <Header monitor={monitor} />
      <p class="spoken" aria-live="polite">
        {monitor.announced}
      </p>
      <main>
        {isEmpty && (
          <p class="whole">
            {store.value === ''
              ? 'Waiting for the server.'
              : 'Nothing is solved in this store, and nothing begun.'}
          </p>
        )}
        {monitor.set.value !== null && <Files set={monitor.set.value} now={now} />}
        {!isEmpty && (
          <>
            <div>
              <Run run={monitor.run.value} slices={monitor.shown.value} now={now} />
              <Slices monitor={monitor} />
            </div>
            <Slice monitor={monitor} />
          </>
        )}
      </main>
      <footer class="soft">{store}</footer>
    </>
  );
}

function Header({ monitor }: { readonly monitor: Monitor }) {
  const { live, problem } = monitor.link.value ?? { live: false, problem: null };
  const words =
    monitor.link.value === null
      ? 'connecting'
      : !live
        ? 'connection lost, trying again'
        : problem === null
          ? 'live'
          : `store cannot be read: ${problem}`;
  const runs = [...monitor.runs.value.values()]
    .toReversed()
    .map((run) => [run.run, `${titleOf(run)}, ${timeOfDay(run.startedAt)}, ${RUNS[run.state]}`] as const);
  return (
    <header>
      <h1>mergemate</h1>
      <Field title="Run ">
        <Select
          value={monitor.run.value?.run ?? EVERYTHING}
          changed={(run) => monitor.choose({ run })}
          of={[...runs, [EVERYTHING, 'Everything in the store']]}
        />
      </Field>
      <span class="connection" role="status" data-live={live && problem === null}>
        {words}
      </span>
      <span class="space" />
      <a href="./">Board</a>
      <Button press={switchTheme}>{isDark.value ? 'Light' : 'Dark'}</Button>
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
  const sum = (of: 'wallMs' | 'positions' | 'requests' | 'bytesRead' | 'bytesWritten') =>
    slices.reduce<number | null>((all, { [of]: n }) => (n === null ? all : (all ?? 0) + n), null);
  const most = (of: 'longestWin' | 'peakRss') =>
    slices.reduce<number | null>((all, { [of]: n }) => (n === null ? all : Math.max(all ?? 0, n)), null);
  const done = slices.filter(({ state }) => state === 'solved' || state === 'verified').length;
  return (
    <section class="panel run" aria-labelledby="run-title">
      {run === null ? (
        <Title id="run-title" text="Everything in the store" />
      ) : (
        <>
          <Title id="run-title" text={titleOf(run)} state={run.state} words={RUNS[run.state]} />
          <p class="soft">{`${whoWords(run)}; ${whenWords(run, run.lastAt, now)}`}</p>
          {run.problem !== null && (
            <p class="problem" role="alert">
              {run.problem}
            </p>
          )}
        </>
      )}
      <progress max={Math.max(1, slices.length)} value={done} aria-label="Slices that are done" />
      <Tiles
        of={{
          slices: `${whole(done)} of ${whole(slices.length)}`,
          'time since it began':
            run === null ? null : duration(Math.max(0, (run.lastAt ?? now) - run.startedAt)),
          'time in phases': textOf(sum('wallMs'), duration),
          positions: textOf(sum('positions'), whole),
          requests: textOf(sum('requests'), rough),
          read: textOf(sum('bytesRead'), bytes),
          written: textOf(sum('bytesWritten'), bytes),
          [longestTitle(slices.map(({ metric }) => metric))]: textOf(most('longestWin'), pliesText),
          'greatest resident set': textOf(most('peakRss'), bytes),
        }}
      />
    </section>
  );
}

function whoWords({ engine, host, memory, workers }: RunStatus): string {
  return engine === 'local'
    ? `${host}, ${count(workers, 'worker')}, ${bytes(memory)} of buffers`
    : `${host}, engine ${engine}, ${bytes(memory)} of buffers a rank`;
}

/** The slices of the run, wave by wave: each depends on slices of earlier waves alone. Keys go from one to the next. */
function Slices({ monitor }: { readonly monitor: Monitor }) {
  const slices = monitor.shown.value;
  const chosen = monitor.slice.value;
  const needed = new Set(chosen?.dependencies);
  const waves = [...new Set(slices.map(({ wave }) => wave))];
  // The same names come under each metric.
  const isMixed = slices.some(({ metric }) => metric !== slices[0].metric);
  const press = (slice: SliceStatus) => {
    monitor.choose({ slice: keyOf(slice) });
    // On a narrow screen what was asked for stands far below.
    if (NARROW.matches) document.querySelector('.panel.slice')?.scrollIntoView({ block: 'start' });
  };
  return (
    <section class="panel" aria-labelledby="slices-title">
      <Title id="slices-title" text="Slices" />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: its buttons have the keys. */}
      <div class="waves" onKeyDown={(event) => stepThrough(event)?.click()}>
        {waves.map((wave) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields.
          <div key={wave} role="group" aria-label={`Wave ${wave}`}>
            {slices
              .filter((slice) => slice.wave === wave)
              .map((slice) => (
                <SliceButton
                  key={keyOf(slice)}
                  slice={slice}
                  name={isMixed ? `${slice.slice} ${slice.metric}` : slice.slice}
                  isChosen={slice === chosen}
                  isNeeded={slice.metric === chosen?.metric && needed.has(slice.slice)}
                  press={() => press(slice)}
                />
              ))}
          </div>
        ))}
      </div>
      <p class="soft legend">
        {Object.values(STATES).map(({ sign, words }) => (
          <span key={sign}>{`${sign} ${words}`}</span>
        ))}
      </p>
    </section>
  );
}

interface SliceButtonProps {
  readonly slice: SliceStatus;
  readonly name: string;
  readonly isChosen: boolean;
  /** The chosen one depends on it. */
  readonly isNeeded: boolean;
  readonly press: () => void;
}

function SliceButton({ slice, name, isChosen, isNeeded, press }: SliceButtonProps) {
  const { sign, words } = STATES[slice.state];
  const where = slice.state === 'working' ? stepWords(slice) : '';
  const title = [name, words, where, isNeeded && 'needed by the one that is shown'];
  return (
    <button
      type="button"
      class={isNeeded ? 'needed' : undefined}
      data-slice={keyOf(slice)}
      data-state={slice.state}
      title={title.filter(Boolean).join(', ')}
      aria-label={title.filter(Boolean).join(', ')}
      aria-pressed={isChosen}
      tabIndex={isChosen ? 0 : -1}
      onClick={press}
    >
      {`${sign} ${name}`}
      {where !== '' && <small>{where}</small>}
    </button>
  );
}

render(<Page monitor={new Monitor('./api/run')} />, document.body);
