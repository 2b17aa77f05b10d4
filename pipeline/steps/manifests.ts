/** What the tasks of a slice that is solved by steps commit. */
import { z } from 'zod';
import { StorageError } from '../../operators/core/errors.js';
import { objectName } from '../../operators/storage/names.js';
import {
  CountersRecord,
  EventRun,
  FORMAT_VERSION,
  LabelDelta,
  LabelRuns,
  PartRun,
  RequestRun,
  readManifest,
} from '../manifest.js';
import { type Phase, type SliceWork, taskName } from './names.js';

const count = z.number().int().nonnegative();
const pair = z.tuple([count, count]);

/** Who did a task, when, and what it took: for people only, and different in every attempt. */
export const Ran = z.object({
  host: z.string(),
  /** Milliseconds since 1970. */
  started: z.number(),
  wallMs: z.number(),
  cpuMs: z.number(),
  /** Bytes. */
  peakRss: z.number(),
});
export type Ran = z.infer<typeof Ran>;

const task = {
  version: z.literal(FORMAT_VERSION),
  game: z.string(),
  slice: z.string(),
  /** The parts [from, to). */
  from: count,
  to: count,
  /** Requests and counters of this partition in this and all phases before. */
  requestsSoFar: count,
  counters: CountersRecord,
  ran: Ran,
};

/** `start` (ply 0) and rounds: the partition after the round. */
export const PartitionTask = z.object({
  ...task,
  step: z.literal('partition'),
  ply: count,
  labels: LabelRuns,
  deltas: z.array(LabelDelta),
  /** What was labelled at this ply. */
  events: EventRun.nullable(),
  /** Values that conversions bring in, at all plies; those of `start` may be for other partitions too. */
  conversions: z.array(EventRun),
  /** Requests to all partitions for the next round. */
  requests: RequestRun.nullable(),
  won: pair,
  lost: pair,
  /** The last ply at which anything was labelled in the partition. */
  longest: count,
});
export type PartitionTask = z.infer<typeof PartitionTask>;

/** What `start` (ply 0) or a round brought in one partition. */
export const RoundOfPartition = z.object({
  ply: count,
  won: count,
  lost: count,
  /** Those that it worked off, of this partition's making. */
  requests: count,
  ran: Ran,
});
export type RoundOfPartition = z.infer<typeof RoundOfPartition>;

export const FinishTask = z.object({
  ...task,
  step: z.literal('finish'),
  /** For the record of the slice; earlier versions left none. */
  history: z.array(RoundOfPartition).optional(),
  /** Rounds of the slice. */
  rounds: count,
  /** The last ply at which anything was labelled in the slice. */
  longest: count,
  values: z.tuple([z.array(PartRun), z.array(PartRun)]),
  partDigests: z.tuple([z.array(z.string()), z.array(z.string())]),
  positions: pair,
  wins: pair,
  losses: pair,
  longestWin: z.tuple([z.number().nullable(), z.number().nullable()]),
});
export type FinishTask = z.infer<typeof FinishTask>;

export const VerifyTask = z.object({
  ...task,
  step: z.literal('verify'),
  /** Of the table that was verified. */
  digests: z.tuple([z.string(), z.string()]),
  positions: count,
  requests: count,
});
export type VerifyTask = z.infer<typeof VerifyTask>;

/** Manifests read at once. */
const TOGETHER = 16;

/** The manifests of all tasks [0, tasks) of a phase. One that is not there is a StorageError: the phase is not done. */
export async function readTasks<T>(
  work: SliceWork,
  phase: Phase,
  tasks: number,
  shape: z.ZodType<T>,
): Promise<T[]> {
  const names = Array.from({ length: tasks }, (_, task) => taskName(work, phase, task));
  return readAllOf(work, names, shape);
}

export async function readAllOf<T>(
  { store }: SliceWork,
  names: readonly string[],
  shape: z.ZodType<T>,
): Promise<T[]> {
  const found: T[] = [];
  for (let from = 0; from < names.length; from += TOGETHER) {
    const read = names.slice(from, from + TOGETHER).map(async (name) => {
      const manifest = await readManifest(store, name, shape);
      if (manifest === null) throw new StorageError(objectName(store, name), 'is not there (yet)');
      return manifest;
    });
    found.push(...(await Promise.all(read)));
  }
  return found;
}
