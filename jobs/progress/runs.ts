/** The runs that a store knows, and the work of their processes. */
import { isUnreachable, StorageError } from '../../operators/core/errors.js';
import {
  EndRecord,
  ProgressRecord,
  type RunObjects,
  RunRecord,
  runsAmong,
} from '../../pipeline/tables/records/record-shapes.js';
import type { ManifestReader } from '../../pipeline/tables/records/slices.js';
import type { RunStatus } from './model.js';

export interface FoundRun {
  readonly game: string;
  readonly record: RunRecord;
  readonly progress: ProgressRecord | null;
  readonly end: EndRecord | null;
  readonly state: RunStatus['state'];
  /** When it was seen to say something new, by the clock here: its own may be wrong. Null if it was not. */
  readonly heardAt: number | null;
}

/** The latest runs of each game that are shown, at most. */
const RUNS = 32;
/** A process is taken for dead after so many times its interval without progress. */
const SILENCES = 4;
const LEAST_SILENCE_MS = 10_000;

/**
 * The runs of the games, ascending by time; records that are damaged, half written or of another version are left out.
 * @param before the last result of this function.
 */
export async function readRuns(
  reader: ManifestReader,
  listing: readonly string[],
  games: ReadonlySet<string>,
  before: readonly FoundRun[],
  now: number,
): Promise<FoundRun[]> {
  const all = runsAmong(listing).filter(({ game }) => games.has(game));
  const latest = [...games].flatMap((name) => all.filter(({ game }) => game === name).slice(-RUNS));
  const known = new Map(before.map((run) => [run.record.run, run]));
  const found = await Promise.all(
    latest.map((objects) => readRun(reader, objects, known.get(objects.run), now)),
  );
  return found
    .filter((run) => run !== null)
    .sort((a, b) => a.record.startedAt - b.record.startedAt || (a.record.run < b.record.run ? -1 : 1));
}

async function readRun(
  reader: ManifestReader,
  { game, record: name, progress: progressName, end: endName }: RunObjects,
  before: FoundRun | undefined,
  now: number,
): Promise<FoundRun | null> {
  const record = await readSound(reader, name, RunRecord);
  if (record === null) return null;
  const end = await readSound(reader, endName, EndRecord);
  // Since it was listed it may have been replaced by a newer one.
  const progress = (await readSound(reader, progressName, ProgressRecord)) ?? before?.progress ?? null;
  const said = progress?.at ?? record.startedAt;
  const news = before !== undefined && said !== (before.progress?.at ?? record.startedAt);
  const heardAt = news ? now : (before?.heardAt ?? null);
  const silentMs = Math.min(
    Math.abs(now - said),
    heardAt === null ? Number.POSITIVE_INFINITY : now - heardAt,
  );
  const quiet = silentMs > Math.max(LEAST_SILENCE_MS, SILENCES * record.everyMs);
  return { game, record, progress, end, state: end?.how ?? (quiet ? 'quiet' : 'running'), heardAt };
}

async function readSound<T>(
  reader: ManifestReader,
  name: string | null,
  shape: Parameters<typeof reader.read<T>>[1],
): Promise<T | null> {
  if (name === null) return null;
  try {
    return (await reader.read([name], shape))[0] ?? null;
  } catch (error) {
    if (error instanceof StorageError && !isUnreachable(error)) return null;
    throw error;
  }
}

export function runStatus({ game, record, progress, end, state }: FoundRun): RunStatus {
  const { version, kind, everyMs, ...facts } = record;
  return {
    ...facts,
    game,
    state,
    // The last time is no news for a run at work.
    lastAt: end?.at ?? (state === 'quiet' ? (progress?.at ?? null) : null),
    problem: end?.problem ?? null,
  };
}
