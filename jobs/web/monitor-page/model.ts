/** The state of the monitor: the last snapshot with all changes since, which run and slice are shown, and the details of that slice. */
import { batch, computed, effect, signal } from '@preact/signals';
import type {
  RunChange,
  RunSnapshot,
  RunStatus,
  SliceDetail,
  SliceStatus,
} from '../../server/monitor/monitor-answers.js';
import { connect } from './connection.js';
import { runWords, titleOf } from './state-words.js';

export const keyOf = ({ game, metric, slice }: Pick<SliceStatus, 'game' | 'metric' | 'slice'>): string =>
  `${game}/${metric}/${slice}`;

/** All that lies in the store, in place of a run. */
export const EVERYTHING = 'everything';

/** Ages and times are shown again so often. */
const TICK_MS = 1000;

/** The run and slice that an address names. */
function asked(hash: string): readonly [run: string | null, slice: string | null] {
  const found = new URLSearchParams(hash.replace(/^#/, ''));
  return [found.get('run'), found.get('slice')];
}

export class Monitor {
  readonly store = signal('');
  /** Oldest first. */
  readonly runs = signal<ReadonlyMap<string, RunStatus>>(new Map());
  readonly slices = signal<ReadonlyMap<string, SliceStatus>>(new Map());
  /** The run that was asked for, or EVERYTHING; null: the latest. */
  readonly askedRun = signal<string | null>(null);
  /** Null: the one at work. */
  readonly askedSlice = signal<string | null>(null);
  /** Whether news come, and why the store cannot be read; null before the first. */
  readonly link = signal<{ readonly live: boolean; readonly problem: string | null } | null>(null);
  /** Screen readers read it aloud. */
  readonly announced = signal('');
  /** By the server's clock. */
  readonly now = signal(0);
  readonly run = computed(() => shownRun(this.runs.value, this.askedRun.value));
  /** The slices of the run that is shown. */
  readonly shown = computed(() => slicesOf(this.run.value, this.slices.value));
  readonly slice = computed(() => shownSlice(this.run.value, this.shown.value, this.askedSlice.value));
  /** Null until it is there. */
  readonly detail = computed(() => {
    const { value: slice } = this.slice;
    const { value: known } = this.known;
    return slice !== null && known !== null && keyOf(known) === keyOf(slice) ? known : null;
  });
  private readonly known = signal<SliceDetail | null>(null);
  /** The server's clock shows this plus `performance.now()`. */
  private clock = 0;
  private asking: string | null = null;
  private askAgain = false;

  /** `api`: the address of what the server says of runs. */
  constructor(readonly api: string) {
    this.readAddress();
    addEventListener('hashchange', () => this.readAddress());
    // Every snapshot, and every change of the slice, brings a new status of it.
    effect(() => {
      if (this.slice.value !== null) void this.ask(keyOf(this.slice.value));
    });
    setInterval(() => {
      if (!document.hidden) this.tick();
    }, TICK_MS);
    connect(`${api}/events`, {
      snapshot: (snapshot) => batch(() => this.takeSnapshot(snapshot)),
      change: (change) => batch(() => this.takeChange(change)),
      ended: ({ run, state }) => {
        const known = this.runs.peek().get(run);
        if (known !== undefined)
          this.announced.value = `The run ${titleOf(known)} has ended: ${runWords(state)}.`;
      },
      connected: (live, problem) => {
        this.link.value = { live, problem };
      },
    });
  }

  private readAddress(): void {
    [this.askedRun.value, this.askedSlice.value] = asked(location.hash);
  }

  /** A link carries what is shown. */
  choose(run: string | null, slice: string | null): void {
    batch(() => {
      this.askedRun.value = run;
      this.askedSlice.value = slice;
    });
    const query = new URLSearchParams({ ...(run !== null && { run }), ...(slice !== null && { slice }) });
    const hash = query.toString().replaceAll('%2F', '/');
    history.replaceState(null, '', hash === '' ? location.pathname + location.search : `#${hash}`);
  }

  private tick(): void {
    this.now.value = this.clock + performance.now();
  }

  private takeSnapshot({ store, at, runs, slices }: RunSnapshot): void {
    this.clock = at - performance.now();
    this.store.value = store;
    this.runs.value = new Map(runs.map((run) => [run.run, run]));
    this.slices.value = new Map(slices.map((slice) => [keyOf(slice), slice]));
    this.known.value = null;
    this.tick();
  }

  private takeChange({ at, runs, slices, gone }: RunChange): void {
    this.clock = at - performance.now();
    this.runs.value = new Map([...this.runs.peek(), ...runs.map((run) => [run.run, run] as const)]);
    const left = new Map([...this.slices.peek(), ...slices.map((slice) => [keyOf(slice), slice] as const)]);
    for (const key of gone) left.delete(key);
    this.slices.value = left;
    this.tick();
  }

  /** Asks for all that is known of a slice; while an answer is on its way, once more after it. */
  private async ask(key: string): Promise<void> {
    if (this.asking === key) {
      this.askAgain = true;
      return;
    }
    this.asking = key;
    this.askAgain = false;
    try {
      const answer = await fetch(`${this.api}/slice/${key.split('/').map(encodeURIComponent).join('/')}`);
      const detail = answer.ok ? ((await answer.json()) as SliceDetail) : null;
      if (this.asking !== key) return;
      if (detail !== null) this.known.value = detail;
    } catch {
      // The connection is lost: the page says so, and asks again when it is there.
      this.askAgain = false;
    }
    if (this.asking !== key) return;
    this.asking = null;
    if (this.askAgain) void this.ask(key);
  }
}

/** The run that is shown; null: everything in the store. Unless one was asked for, the last that runs, or the last. */
function shownRun(runs: ReadonlyMap<string, RunStatus>, askedRun: string | null): RunStatus | null {
  if (askedRun === EVERYTHING) return null;
  const found = askedRun === null ? undefined : runs.get(askedRun);
  if (found !== undefined) return found;
  const all = [...runs.values()];
  return all.findLast(({ state }) => state === 'running') ?? all.at(-1) ?? null;
}

/** The slices that a run wants, and all they convert to. */
function slicesOf(run: RunStatus | null, slices: ReadonlyMap<string, SliceStatus>): readonly SliceStatus[] {
  if (run === null) return [...slices.values()];
  const found = new Map<string, SliceStatus>();
  const visit = (slice: string): void => {
    const key = keyOf({ ...run, slice });
    const status = slices.get(key);
    if (status === undefined || found.has(key)) return;
    found.set(key, status);
    status.dependencies.forEach(visit);
  };
  run.wanted.forEach(visit);
  return [...found.values()];
}

/** The slice that is shown: the one asked for, or one at work, or that of those wanted that took most. */
function shownSlice(
  run: RunStatus | null,
  slices: readonly SliceStatus[],
  key: string | null,
): SliceStatus | null {
  const found = slices.find((slice) => keyOf(slice) === key);
  if (found !== undefined) return found;
  const largest = (of: readonly SliceStatus[]) => of.toSorted((a, b) => a.wave - b.wave).at(-1);
  const wanted = new Set(run?.wanted);
  const most = slices
    .filter(({ slice }) => wanted.has(slice))
    .toSorted((a, b) => (a.requests ?? 0) - (b.requests ?? 0))
    .at(-1);
  return largest(slices.filter(({ state }) => state === 'working')) ?? most ?? largest(slices) ?? null;
}
