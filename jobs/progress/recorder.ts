/**
 * Keeps the records of a process that solves (pipeline/tables/records/record-shapes.ts): follows its progress, and writes that into the store
 * now and then, beside the work. Each `intervalMs` it writes one object and deletes one, whatever the number of slices at work.
 * It writes another at the end of each slice. A store that fails here fails where it matters, too: nothing is thrown.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { StorageError } from '../../operators/core/errors.js';
import { processIdentity } from '../../operators/storage/process-identity.js';
import type { Store } from '../../operators/storage/store.js';
import { FORMAT_VERSION } from '../../pipeline/game/format-version.js';
import type { Ending, Game } from '../../pipeline/game/game.js';
import { readManifest } from '../../pipeline/game/manifest.js';
import type { ChosenMode } from '../../pipeline/game/mode.js';
import type { Progress, ProgressListener } from '../../pipeline/game/progress.js';
import { putRecord } from '../../pipeline/game/record.js';
import type { Metric } from '../../pipeline/game/value.js';
import {
  EndRecord,
  type History,
  ProgressRecord,
  progressName,
  type RunRecord,
  runObject,
  runsAmong,
  runsFolder,
  type SliceProgress,
} from '../../pipeline/tables/records/record-shapes.js';
import {
  interrupted,
  joinHistories,
  replaceSliceRecord,
} from '../../pipeline/tables/records/slice-record.js';
import { peakRss } from '../runtime/process-memory.js';
import { openStore, storeFolder } from '../stores.js';
import { FollowedSlice, timeOfProgress } from './follow.js';

export interface RecorderOptions
  extends Pick<RunRecord, 'kind' | 'engine' | 'memory' | 'workers' | 'verify' | 'rank'> {
  readonly store: Store;
  readonly game: Pick<Game, 'name'>;
  readonly metric: Metric;
  readonly endings: readonly Pick<Ending, 'name' | 'slices'>[];
  /** Whether slices are solved in this process; else others do it, and their manifests show it. */
  readonly solves: boolean;
  readonly intervalMs: number;
}

export interface Recorder {
  readonly listen: ProgressListener;
  /** Returns when the last record is written, or when that takes longer than people wait. */
  close(how: EndRecord['how'], problem?: string): Promise<void>;
}

const PATIENCE_MS = 5000;
const FOLDER_MS = 1000;
/** Requests cost money, and time that is another's. */
const OBJECTS_MS = 5000;

/** Records in the store of this URI: of a folder without waiting for the device, for a loss of power ends the run anyway. */
export function openRecorder(uri: string, options: Omit<RecorderOptions, 'store' | 'intervalMs'>): Recorder {
  const intervalMs = storeFolder(uri) === null ? OBJECTS_MS : FOLDER_MS;
  return newRecorder({ ...options, store: openStore(uri, false), intervalMs });
}

export function newRecorder(options: RecorderOptions): Recorder {
  const { store, game, metric, kind, memory, solves, intervalMs } = options;
  const startedAt = Date.now();
  const run = `${new Date(startedAt).toISOString().replace(/[-:.]/g, '')}-${randomUUID().slice(0, 8)}`;
  const slices = new Map<string, FollowedSlice>();
  /** Slices that this process solves with other ranks: their record is made of the manifests of all. */
  const together = new Set<string>();
  const modes = new Map<string, ChosenMode>();
  let earlier: ReadonlyMap<string, History> = new Map();
  let begun = false;
  let closed = false;
  let number = 0;
  const queue = newWriteQueue();

  const put = (name: string, record: object) => putRecord(store, runObject(game.name, run, name), record);

  const remove = (of: number) => store.delete(runObject(game.name, run, progressName(of)));

  function begin(): void {
    begun = true;
    const record = runRecord(options, run, startedAt);
    queue.add(async () => void (await put('run.json', record)));
    queue.add(async () => {
      if (solves) earlier = await earlierHistories(store, game.name, metric);
    });
  }

  function withEarlier<T extends History>(slice: string, history: T): T {
    const before = earlier.get(slice);
    return before === undefined ? history : { ...history, ...joinHistories(before, history) };
  }

  async function publish(): Promise<void> {
    const at = Date.now();
    const atWork = [...slices.values()].flatMap<SliceProgress>((followed) => followed.now(at) ?? []);
    const now = atWork.map((slice) => withEarlier(slice.slice, slice));
    await put(progressName(++number), progressRecord(metric, now));
    if (number > 2) await remove(number - 2);
  }

  function finish(slice: string, history: History): void {
    const endedAt = Date.now();
    queue.add(() =>
      replaceSliceRecord(store, { game, metric, slice }, (before) => ({
        version: FORMAT_VERSION,
        ...(before === null ? withEarlier(slice, history) : joinHistories(before, history)),
        by: before?.by ?? 'process',
        endedAt,
        memory,
        peakRss: Math.max(before?.peakRss ?? 0, peakRss()),
        mode: modes.get(slice) ?? before?.mode,
      })),
    );
  }

  function follow(progress: Progress): void {
    if (progress.type === 'phase' && !begun) begin();
    if (!solves) return;
    const at = timeOfProgress(progress);
    const { slice } = progress;
    if (progress.type === 'finished') {
      const history = slices.get(slice)?.end(at) ?? null;
      slices.delete(slice);
      if (history !== null && !together.has(slice)) finish(slice, history);
      return;
    }
    if (progress.type === 'mode') modes.set(slice, progress.chosen);
    if (progress.type === 'slice' && progress.together === true) together.add(slice);
    let followed = slices.get(slice);
    if (followed === undefined) slices.set(slice, (followed = new FollowedSlice(slice)));
    followed.follow(progress, at);
  }

  const timer = setInterval(() => {
    // A store that is slower than the clock is not asked for more.
    if (begun && queue.isEmpty()) queue.add(publish);
  }, intervalMs);
  timer.unref();

  return {
    listen: follow,
    async close(how, problem) {
      clearInterval(timer);
      if (closed || !begun) return;
      closed = true;
      const end: EndRecord = { version: FORMAT_VERSION, at: Date.now(), how, problem: problem ?? null };
      queue.add(async () => {
        // Publishes slices at work, because another process will continue them and needs their record.
        if (how !== 'done' && solves) await publish();
        // The slice's record describes finished tasks.
        if (kind === 'task' && how === 'done') await store.delete(runObject(game.name, run, 'run.json'));
        else await put('end.json', end);
        const last = how === 'done' ? number : number - 1;
        for (let old = Math.max(1, number - 1); old <= last; old++) await remove(old);
      });
      await queue.done(PATIENCE_MS);
    },
  };
}

function progressRecord(metric: Metric, slices: readonly SliceProgress[]): ProgressRecord {
  return {
    version: FORMAT_VERSION,
    metric,
    at: Date.now(),
    rss: process.memoryUsage.rss(),
    peakRss: peakRss(),
    slices: [...slices],
  };
}

function runRecord(options: RecorderOptions, run: string, startedAt: number): RunRecord {
  const { metric, endings, kind, engine, memory, workers, verify, intervalMs, rank } = options;
  return {
    version: FORMAT_VERSION,
    run,
    kind,
    metric,
    engine,
    host: hostname(),
    endings: endings.map(({ name }) => name),
    wanted: [...new Set(endings.flatMap(({ slices }) => slices))],
    startedAt,
    memory,
    workers,
    verify,
    everyMs: intervalMs,
    process: processIdentity,
    ...(rank !== undefined && { rank }),
  };
}

/** Writes to the store, one after the other, so that the last word is the last; failures of them are passed over. */
function newWriteQueue() {
  let last: Promise<void> = Promise.resolve();
  let waiting = 0;
  return {
    add(write: () => Promise<void>): void {
      waiting++;
      last = last
        .then(write)
        .catch(() => {})
        .finally(() => waiting--);
    },
    isEmpty: () => waiting === 0,
    /** Returns when all is written, or after this time. */
    async done(patienceMs: number): Promise<void> {
      let patience: NodeJS.Timeout | undefined;
      const enough = new Promise<void>((done) => (patience = setTimeout(done, patienceMs)));
      await Promise.race([last, enough]);
      clearTimeout(patience);
    },
  };
}

/** Runs that are looked at, the latest. */
const LOOKED_AT = 8;

/** Histories of slices that earlier processes left unfinished, by slice; the last one counts. Records that cannot be read are left out. */
async function earlierHistories(store: Store, game: string, metric: Metric): Promise<Map<string, History>> {
  const found = new Map<string, History>();
  for (const { progress, end } of runsAmong(await store.list(`${runsFolder(game)}/`)).slice(-LOOKED_AT)) {
    if (progress === null) continue;
    try {
      if (end !== null && (await readManifest(store, end, EndRecord))?.how === 'done') continue;
      const last = await readManifest(store, progress, ProgressRecord);
      if (last?.metric !== metric) continue;
      for (const slice of last.slices) found.set(slice.slice, interrupted(slice, last.at));
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
    }
  }
  return found;
}
