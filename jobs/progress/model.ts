/**
 * The model of progress: what runs, its parts, how fast they go, how long they still take, and what is wrong. Workers write records
 * (recorder.ts, set.ts), look.ts computes this from them, and `status`, its `--json`, the monitor page and its API only show it. Lists and lines
 * of a running command compute their part of it from the events themselves (at-work.ts). Times are milliseconds since 1970 by the clocks of the
 * working processes, `at` by that of the viewer. Viewers measure ages from `at`, so that ages need no common clock.
 */
import { z } from 'zod';
import { metrics } from '../../pipeline/game/value.js';
import { GraphSurvey } from '../../pipeline/graph/survey.js';
import {
  PhaseRecord,
  RoundRecord,
  runFacts,
  SliceProgress,
} from '../../pipeline/tables/records/record-shapes.js';
import { Ledger, SET_STEPS, Sitting } from './set-records.js';

export type { Ledger };

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
  /** Of a slice that waits: the one that was begun and depends on it, if that is all that is known of it. */
  neededBy: z.string().nullable(),
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

/** The phase under way. */
export const Step = z.object({
  startedAt: ms.nullable(),
  /** Positions; in the rounds the labelled ones of all legal ones. Of ranks without a report: partitions. */
  done: count.nullable(),
  total: count.nullable(),
  perSecond: z.number().nullable(),
  /** About how long the phase still takes; `atMost`: it may end much earlier. */
  leftMs: ms.nullable(),
  atMost: z.boolean(),
  inAll: SliceProgress.shape.inAll,
});
export type Step = z.infer<typeof Step>;

/** All that is known of one slice. */
export const SliceDetail = SliceStatus.extend({
  /** Solver from beginning to end: one process, or ranks together; null if it is not begun or not known. */
  by: z.enum(['process', 'ranks']).nullable(),
  startedAt: ms.nullable(),
  /** Time of the last sign of the process that works at it, or of that process's end. */
  lastAt: ms.nullable(),
  /** How it is solved: "count" or "lookup", or the name of another solver. Null if that is not known. */
  strategy: z.string().nullable(),
  current: Step.nullable(),
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

/** An ending of a set that becomes Syzygy's files. */
export const SetEnding = z.object({
  ending: z.string(),
  /** `begun`: the set failed at it. */
  state: z.enum(['waiting', 'working', 'begun', 'done']),
  /** The step at hand, and when it began. */
  step: z.enum(SET_STEPS).nullable(),
  since: ms.nullable(),
  /** Null before it is done. */
  ledger: Ledger.nullable(),
});
export type SetEnding = z.infer<typeof SetEnding>;

export const FileSet = z.object({
  startedAt: ms,
  heardAt: ms,
  /** `quiet`: not heard of for too long, so it was probably killed. */
  state: z.enum(['running', 'quiet', 'done', 'failed']),
  leftMs: ms.nullable(),
  /** The first before the others, the present one last. */
  sittings: z.array(Sitting),
  /** In the order in which they are listed. */
  endings: z.array(SetEnding),
  /** Endings of other sets that are done in the same place, fewer men first. */
  others: z.array(Ledger),
});
export type FileSet = z.infer<typeof FileSet>;

export const Progress = z.object({
  /** Its URI, or for clients of a server its name. */
  store: z.string(),
  at: ms,
  /** The latest last. */
  runs: z.array(RunStatus),
  slices: z.array(SliceDetail),
  /** Graphs and keyed games that were imported or are on their way; `imported` is null before the end of the import. */
  graphs: z.array(GraphSurvey),
  /** The set of endings that becomes Syzygy's files; null if nobody named a place of files, or no set is made there. */
  set: FileSet.nullable(),
});
export type Progress = z.infer<typeof Progress>;

/** Progress in short, as viewers of a server get it first. */
export const RunSnapshot = Progress.omit({ graphs: true }).extend({ slices: z.array(SliceStatus) });
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
