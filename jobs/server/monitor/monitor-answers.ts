/**
 * Answers of the monitor. Times are milliseconds since 1970 by the clocks of the working processes, `at` by that of the server.
 * Pages measure ages from `at`, so that ages need no common clock. All comes from the store alone.
 */
import { z } from 'zod';
import { metrics } from '../../../pipeline/game/value.js';
import { PhaseRecord, RoundRecord, runFacts } from '../../../pipeline/tables/records/record-shapes.js';

const count = z.int().nonnegative();
const ms = z.number();

/** A run that solves, or has solved. */
export const RunStatus = z.object({
  run: z.string(),
  game: z.string(),
  ...runFacts,
  /** `quiet`: it has neither ended nor been heard of for too long, so it was probably killed. */
  state: z.enum(['running', 'quiet', 'done', 'failed', 'stopped']),
  /** When it ended, or was last heard of; null if it was never heard of since it began. */
  lastAt: ms.nullable(),
  problem: z.string().nullable(),
});
export type RunStatus = z.infer<typeof RunStatus>;

/**
 * `waiting`: not begun; `begun`: begun, and nobody is known to be at work; `solved`: its table is there and not (yet)
 * verified.
 */
export const SliceState = z.enum(['waiting', 'working', 'begun', 'solved', 'verified', 'damaged']);
export type SliceState = z.infer<typeof SliceState>;

export const SliceStatus = z.object({
  game: z.string(),
  metric: z.enum(metrics),
  slice: z.string(),
  /** 1 if it depends on nothing, else one more than the greatest of its dependencies. */
  wave: count,
  /** Dependencies that are in the snapshot, too. */
  dependencies: z.array(z.string()),
  state: SliceState,
  /** Present phase; null if there is none. */
  phase: z.string().nullable(),
  /** The last round that is done, while it is in its rounds. */
  round: count.nullable(),
  /** How much of the phase is done, 0 to 1, where that is known. */
  share: z.number().nullable(),
  problem: z.string().nullable(),
  /** Legal positions of both sides to move. */
  positions: count.nullable(),
  /** Plies; null if nobody wins, or it is not known yet. */
  longestWin: count.nullable(),
  requests: count.nullable(),
  bytesRead: count.nullable(),
  bytesWritten: count.nullable(),
  spills: count.nullable(),
  /** Time in phases so far. */
  wallMs: ms.nullable(),
  peakRss: count.nullable(),
});
export type SliceStatus = z.infer<typeof SliceStatus>;

/** A process that solves a slice together with others; `partitions`: how many it did last. */
export const SeenRank = z.object({ rank: count, host: z.string(), partitions: count, lastAt: ms });
/** A partition whose part of the step at hand is not done, and who did its part of the steps before. */
const MissingPart = z.object({
  partition: count,
  rank: count.nullable(),
  host: z.string().nullable(),
});

/** All that is known of one slice. */
export const SliceDetail = SliceStatus.extend({
  /** Solver from beginning to end: one process, or ranks together; null if it is not begun or not known. */
  by: z.enum(['process', 'ranks']).nullable(),
  startedAt: ms.nullable(),
  /** Time of the last sign of the process that works at it, or of that process's end. */
  lastAt: ms.nullable(),
  /** Present phase. `left`: about how long it still takes, `atMost` if it may end much earlier. */
  current: z
    .object({
      startedAt: ms.nullable(),
      done: count.nullable(),
      total: count.nullable(),
      leftMs: ms.nullable(),
      atMost: z.boolean(),
    })
    .nullable(),
  phases: z.array(PhaseRecord),
  rounds: z.array(RoundRecord),
  /** Over the last rounds, or all of them when it is solved. */
  requestsPerSecond: z.number().nullable(),
  rowsSpilled: count.nullable(),
  /** Bytes: buffers it may use, and the present resident set of the process. */
  memory: count.nullable(),
  rss: count.nullable(),
  /** Progress of ranks: their step, how many of the partitions have done it, and the ranks that all wait for. */
  ranks: z
    .object({
      step: z.string(),
      partitions: count,
      done: count,
      missing: z.array(MissingPart),
      seen: z.array(SeenRank),
    })
    .nullable(),
});
export type SliceDetail = z.infer<typeof SliceDetail>;

/** An ending of a set that becomes Syzygy's files. What its ledger says is null before it is done. */
export const SetEnding = z.object({
  ending: z.string(),
  /** `begun`: the set failed at it. */
  state: z.enum(['waiting', 'working', 'begun', 'done']),
  /** The step at hand, and when it began. */
  step: z.enum(['solve', 'write', 'verify']).nullable(),
  since: ms.nullable(),
  wallMs: ms.nullable(),
  cpuMs: ms.nullable(),
  /** Bytes of each file. */
  bytes: z.record(z.string(), count).nullable(),
  /** Plies to a zeroing move; null if nobody wins. */
  longestWin: count.nullable(),
  /** Positions whose values were derived again: of tables (null if they were not verified), and of each file. */
  tablePositions: count.nullable(),
  filePositions: z.record(z.string(), count).nullable(),
});
export type SetEnding = z.infer<typeof SetEnding>;

export const FileSet = z.object({
  startedAt: ms,
  heardAt: ms,
  /** `quiet`: not heard of for too long, so it was probably killed. */
  state: z.enum(['running', 'quiet', 'done', 'failed']),
  /** As they are done. */
  endings: z.array(SetEnding),
});
export type FileSet = z.infer<typeof FileSet>;

export const RunSnapshot = z.object({
  /** Name of the store, without its place. */
  store: z.string(),
  at: ms,
  /** The latest last. */
  runs: z.array(RunStatus),
  slices: z.array(SliceStatus),
  /** The set of endings that becomes Syzygy's files; null if the server was given no files, or no set is made there. */
  set: FileSet.nullable(),
});
export type RunSnapshot = z.infer<typeof RunSnapshot>;

/** Event `change`: runs and slices that are new or other than they were, and slices that are no more ("game/metric/slice"). */
export const RunChange = z.object({
  at: ms,
  runs: z.array(RunStatus),
  slices: z.array(SliceStatus),
  gone: z.array(z.string()),
  /** The set of files, if it is other than it was. */
  set: FileSet.nullable().optional(),
});
export type RunChange = z.infer<typeof RunChange>;

/** Event `heartbeat`: nothing has changed. `problem`: the store cannot be read now. */
export const Heartbeat = z.object({ at: ms, problem: z.string().nullable() });
export type Heartbeat = z.infer<typeof Heartbeat>;

/** Event `ended`: a run that was being watched has. */
export const RunEnded = RunStatus.pick({ run: true, state: true, problem: true });
export type RunEnded = z.infer<typeof RunEnded>;
