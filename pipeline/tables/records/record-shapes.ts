/**
 * Records: information about a run for display, beside the manifests that a solve continues from. No result
 * depends on them, so they may be missing (older stores have none), late, or damaged. Times are milliseconds since 1970, by
 * the clocks of their writers.
 *
 *   GAME/runs/RUN/run.json             what a process set out to do; written when it begins its first slice
 *   GAME/runs/RUN/progress-N.json   the work under way. The last two are kept while the process works
 *   GAME/runs/RUN/end.json             how it ended. A process that was killed leaves none
 *   GAME/METRIC/SLICE/record-N.json    how a slice was solved. The last counts, and the others are deleted
 *
 * Every object is written once and never changed, as everything in a store.
 */
import { z } from 'zod';
import { FORMAT_VERSION } from '../../game/format-version.js';
import { CountersRecord, RoundDone } from '../../game/manifest.js';
import { ChosenMode } from '../../game/mode.js';
import { metrics } from '../../game/value.js';

const count = z.number().int().nonnegative();
const ms = z.number();

/** Positions that a round labelled, with either side to move: its frontier. `wallMs`: null where it is not known. */
export const RoundRecord = RoundDone.extend({ wallMs: ms.nullable() });
export type RoundRecord = z.infer<typeof RoundRecord>;

export const PhaseRecord = z.object({ phase: z.string(), startedAt: ms, wallMs: ms });
export type PhaseRecord = z.infer<typeof PhaseRecord>;

/** The work on a slice so far. A phase that was interrupted and done again is there twice. */
const history = {
  startedAt: ms,
  phases: z.array(PhaseRecord),
  rounds: z.array(RoundRecord),
  counters: CountersRecord,
};
export const History = z.object(history);
export type History = z.infer<typeof History>;

export const SliceRecord = z.object({
  version: z.literal(FORMAT_VERSION),
  ...history,
  /** In one process, or by ranks: processes that share nothing but the store. */
  by: z.enum(['process', 'ranks']),
  endedAt: ms,
  /** Bytes of buffers of the process, or of each rank; null where they are not known. */
  memory: count.nullable(),
  /** Greatest resident set of a process, bytes. */
  peakRss: count,
  /** Absent in records of older versions. */
  mode: ChosenMode.optional(),
});
export type SliceRecord = z.infer<typeof SliceRecord>;

/** The facts of a run that are known before it begins. */
export const runFacts = {
  metric: z.enum(metrics),
  /** The endings of the command, by the names given. */
  endings: z.array(z.string()),
  /** Canonical names of the slices that they are; all that they convert to is solved with them. */
  wanted: z.array(z.string()),
  engine: z.string(),
  host: z.string(),
  startedAt: ms,
  /** Bytes of buffers: of the process, or of each rank. */
  memory: count,
  workers: count,
  verify: z.boolean(),
};

export const RunRecord = z.object({
  version: z.literal(FORMAT_VERSION),
  run: z.string(),
  /** `task`: a process that solves slices for another process's run. */
  kind: z.enum(['solve', 'task']),
  ...runFacts,
  /** The heartbeat of the process, in ms. */
  everyMs: count,
  /** Its identity (operators/storage/process-identity.ts). Absent in records of older versions, as is the next. */
  process: z.string().optional(),
  /** Of a rank: its job, with the number of ranks, and its number. */
  rank: z.object({ job: z.string(), rank: count }).optional(),
});
export type RunRecord = z.infer<typeof RunRecord>;

export const SliceProgress = z.object({
  slice: z.string(),
  ...history,
  /** The phase under way. `total`: positions it walks over; in the rounds, the legal ones, and `done` are the labelled ones. */
  phase: z.object({ phase: z.string(), startedAt: ms, total: count.nullable(), done: count }),
  /** About how long all steps still take, where that can be guessed: of games whose positions are found layer by layer. */
  inAll: z.object({ leftMs: ms, ifLayersShrink: z.boolean() }).nullable().optional(),
  /** A failure after which the process tries again. */
  trouble: z.string().nullable(),
});
export type SliceProgress = z.infer<typeof SliceProgress>;

export const ProgressRecord = z.object({
  version: z.literal(FORMAT_VERSION),
  metric: z.enum(metrics),
  at: ms,
  /** Resident set of the process, now and at most, bytes. */
  rss: count,
  peakRss: count,
  /** Those at work. */
  slices: z.array(SliceProgress),
});
export type ProgressRecord = z.infer<typeof ProgressRecord>;

export const EndRecord = z.object({
  version: z.literal(FORMAT_VERSION),
  at: ms,
  /** `stopped`: by a signal. */
  how: z.enum(['done', 'failed', 'stopped']),
  problem: z.string().nullable(),
});
export type EndRecord = z.infer<typeof EndRecord>;

export function runsFolder(game: string): string {
  return `${game}/runs`;
}

/** Names of one process; `run` sorts by the time at which it began. No metric is called "runs", so no slice is taken for a run. */
export function runObject(game: string, run: string, name: string): string {
  return `${runsFolder(game)}/${run}/${name}`;
}

export function progressName(number: number): string {
  return `progress-${String(number).padStart(9, '0')}.json`;
}

/** The objects of a run that are there. */
export interface RunObjects {
  readonly game: string;
  readonly run: string;
  /** Full names. */
  record: string | null;
  /** The last; those before it are about to go. */
  progress: string | null;
  end: string | null;
}

/** The runs in a listing, ascending, of each game one after the other. */
export function runsAmong(names: readonly string[]): Readonly<RunObjects>[] {
  const found = new Map<string, RunObjects>();
  for (const name of [...names].sort()) {
    const [, game, run, what] =
      /^([^/]+)\/runs\/([^/]+)\/(run|progress|end)(?:-\d+)?\.json$/.exec(name) ?? [];
    if (what === undefined) continue;
    const key = `${game}/${run}`;
    const objects = found.get(key) ?? { game, run, record: null, progress: null, end: null };
    objects[what === 'run' ? 'record' : (what as 'progress' | 'end')] = name;
    found.set(key, objects);
  }
  return [...found.values()];
}

/** The numbers of the records among the last parts of the names of a slice's objects, ascending. */
export function recordNumbers(names: readonly string[]): number[] {
  return names
    .flatMap((name) => /^record-(\d+)\.json$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
}
