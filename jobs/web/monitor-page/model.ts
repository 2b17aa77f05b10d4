/** The state of the monitor: the last snapshot with all changes since, which run and slice are shown, and the details of that slice. */
import { batch, computed, effect, signal } from '@preact/signals';
import type {
  FileSet,
  Heartbeat,
  RunChange,
  RunEnded,
  RunSnapshot,
  RunStatus,
  SliceDetail,
  SliceStatus,
} from '../../progress/model.js';
import { RUNS, titleOf } from './words.js';

export const keyOf = ({ game, metric, slice }: Pick<SliceStatus, 'game' | 'metric' | 'slice'>): string =>
  `${game}/${metric}/${slice}`;

/** All that lies in the store, in place of a run. */
export const EVERYTHING = 'everything';

/** Ages and times are shown again so often. */
const TICK_MS = 1000;
/** The server sends something every ten seconds; a connection that is silent for so long is made again. */
const SILENCE_MS = 25_000;
const AGAIN_MS = 3000;

export class Monitor {
  readonly store = signal('');
  /** Oldest first. */
  readonly runs = signal<ReadonlyMap<string, RunStatus>>(new Map());
  readonly slices = signal<ReadonlyMap<string, SliceStatus>>(new Map());
  /** The set of endings that becomes Syzygy's files. */
  readonly set = signal<FileSet | null>(null);
  /** The run and the slice that the address names; EVERYTHING in place of a run. */
  private readonly asked = signal<{ readonly run: string | null; readonly slice: string | null }>(place());
  /** Whether news come, and why the store cannot be read; null before the first. */
  readonly link = signal<{ readonly live: boolean; readonly problem: string | null } | null>(null);
  /** Screen readers read it aloud. */
  readonly announced = signal('');
  /** By the server's clock. */
  readonly now = signal(0);
  readonly run = computed(() => shownRun(this.runs.value, this.asked.value.run));
  /** The slices of the run that is shown. */
  readonly shown = computed(() => slicesOf(this.run.value, this.slices.value));
  readonly slice = computed(() => shownSlice(this.run.value, this.shown.value, this.asked.value.slice));
  /** Null until it is there. */
  readonly detail = computed(() => {
    const [{ value: slice }, { value: known }] = [this.slice, this.known];
    return slice !== null && known !== null && keyOf(known) === keyOf(slice) ? known : null;
  });
  private readonly known = signal<SliceDetail | null>(null);
  /** The server's clock shows this plus `performance.now()`. */
  private clock = 0;
  /** The numbers of the last question for details, and of the last that was answered: earlier answers come too late. */
  private question = 0;
  private answered = 0;

  /** `api`: the address of what the server says of runs. */
  constructor(private readonly api: string) {
    addEventListener('hashchange', () => {
      this.asked.value = place();
    });
    // Every snapshot, and every change of the slice, brings a new status of it.
    effect(() => {
      if (this.slice.value !== null) void this.ask(keyOf(this.slice.value));
    });
    setInterval(() => {
      if (!document.hidden) this.now.value = this.clock + performance.now();
    }, TICK_MS);
    this.listen();
  }

  /** Shows a run, or a slice of the one that is shown; a link carries the choice. */
  choose(choice: { readonly run: string } | { readonly slice: string }): void {
    const asked = 'run' in choice ? { ...choice, slice: null } : { ...this.asked.peek(), ...choice };
    this.asked.value = asked;
    const named = Object.entries(asked).filter((each): each is [string, string] => each[1] !== null);
    history.replaceState(null, '', `#${new URLSearchParams(named).toString().replaceAll('%2F', '/')}`);
  }

  private listen(): void {
    const source = new EventSource(`${this.api}/events`);
    let silence: ReturnType<typeof setTimeout>;
    const again = () => {
      clearTimeout(silence);
      this.link.value = { live: false, problem: null };
      source.close();
      setTimeout(() => this.listen(), AGAIN_MS);
    };
    const wait = () => {
      clearTimeout(silence);
      silence = setTimeout(again, SILENCE_MS);
    };
    const on = <T>(type: string, take: (news: T) => void) =>
      source.addEventListener(type, ({ data }) => {
        wait();
        batch(() => {
          this.link.value = { live: true, problem: null };
          take(JSON.parse(data) as T);
        });
      });
    on<RunSnapshot>('snapshot', (snapshot) => {
      this.store.value = snapshot.store;
      this.runs.value = new Map();
      this.slices.value = new Map();
      this.take({ ...snapshot, gone: [] });
    });
    on<RunChange>('change', (change) => this.take(change));
    on<RunEnded>('ended', ({ run, state }) => {
      const known = this.runs.peek().get(run);
      if (known !== undefined) this.announced.value = `The run ${titleOf(known)} has ended: ${RUNS[state]}.`;
    });
    on<Heartbeat>('heartbeat', ({ problem }) => {
      this.link.value = { live: true, problem };
    });
    source.addEventListener('error', () => {
      this.link.value = { live: false, problem: null };
      // The browser connects again by itself, unless the answer is not a stream of events, because the limit of viewers is reached or a proxy answered.
      if (source.readyState === EventSource.CLOSED) again();
    });
    wait();
  }

  private take({ at, runs, slices, gone, set }: RunChange): void {
    this.clock = at - performance.now();
    this.now.value = at;
    this.runs.value = new Map([...this.runs.peek(), ...runs.map((run) => [run.run, run] as const)]);
    const left = new Map([...this.slices.peek(), ...slices.map((slice) => [keyOf(slice), slice] as const)]);
    for (const key of gone) left.delete(key);
    this.slices.value = left;
    if (set !== undefined) this.set.value = set;
  }

  private async ask(key: string): Promise<void> {
    const mine = ++this.question;
    try {
      const answer = await fetch(`${this.api}/slice/${key.split('/').map(encodeURIComponent).join('/')}`);
      if (!answer.ok) return;
      const detail = (await answer.json()) as SliceDetail;
      if (mine < this.answered) return;
      this.answered = mine;
      this.known.value = detail;
    } catch {
      // The connection is lost: the page says so, and the snapshot that comes when it is there again asks once more.
    }
  }
}

function place() {
  const found = new URLSearchParams(location.hash.slice(1));
  return { run: found.get('run'), slice: found.get('slice') };
}

/** The run that is shown; null: everything in the store. Unless one was asked for, the last that runs, or the last. */
function shownRun(runs: ReadonlyMap<string, RunStatus>, asked: string | null): RunStatus | null {
  if (asked === EVERYTHING) return null;
  const all = [...runs.values()];
  return runs.get(asked ?? '') ?? all.findLast(({ state }) => state === 'running') ?? all.at(-1) ?? null;
}

/** The slices that a run wants, and all they convert to, wave by wave. */
function slicesOf(run: RunStatus | null, slices: ReadonlyMap<string, SliceStatus>): readonly SliceStatus[] {
  const found = new Map<string, SliceStatus>(run === null ? slices : []);
  const visit = (slice: string): void => {
    const key = keyOf({ ...run!, slice });
    const status = slices.get(key);
    if (status === undefined || found.has(key)) return;
    found.set(key, status);
    status.dependencies.forEach(visit);
  };
  run?.wanted.forEach(visit);
  return [...found.values()].sort((a, b) => a.wave - b.wave || a.slice.localeCompare(b.slice));
}

/** The slice that is shown: the one asked for, or one at work, or that of those wanted that took most. */
function shownSlice(
  run: RunStatus | null,
  slices: readonly SliceStatus[],
  asked: string | null,
): SliceStatus | null {
  const most = slices
    .filter(({ slice }) => run?.wanted.includes(slice))
    .toSorted((a, b) => (a.requests ?? 0) - (b.requests ?? 0));
  return (
    slices.find((slice) => keyOf(slice) === asked) ??
    slices.findLast(({ state }) => state === 'working') ??
    most.at(-1) ??
    slices.at(-1) ??
    null
  );
}
