/**
 * What partitions return from the steps of a slice, where that is committed: the parts of ranks, and the manifests that parts
 * are joined to. Types are inferred from the schemas; engine writes them, tables/records read them.
 */
import { z } from 'zod';
import type { Pool } from '../../operators/distribute/pool.js';
import type { DistributedRows } from '../../operators/distribute/segments.js';
import { FORMAT_VERSION } from './format-version.js';
import {
  Bundle,
  ClockRuns,
  CountersRecord,
  EventRun,
  LabelRuns,
  PartRun,
  ProcessRecord,
  RoundDone,
} from './manifest.js';
import type { RecordShape } from './record.js';

const count = z.number().int().nonnegative();
const perSide = <T extends z.ZodType>(type: T) => z.tuple([type, type]);

const head = { version: z.literal(FORMAT_VERSION), game: z.string(), slice: z.string() };

/** How a slice is cut for ranks: fixed by the first rank that begins it, because all steps must be cut alike. */
export const PartitionPlan = z.object({
  ...head,
  step: z.literal('plan'),
  parts: count,
  partitions: z.array(z.object({ from: count, to: count })).min(1),
});
export type PartitionPlan = z.infer<typeof PartitionPlan>;

/** The fields that all parts of steps have in common. */
export const PartRecord = z.object({
  ...head,
  step: z.literal('part'),
  /** Of a step of the rounds. */
  ply: count.optional(),
  /** The number of the partition. */
  partition: count,
  counters: CountersRecord,
  ran: ProcessRecord,
});

/** A part of a step, with its result `did`. */
export type PartOf<Part> = z.infer<typeof PartRecord> & { readonly did: Part };

/** By the shape of the result. A shape is compiled when it is first used, so it is made once and not for each round. */
const partShapes = new WeakMap<z.ZodType, RecordShape<PartOf<unknown>>>();

export function partOf<Part>(did: z.ZodType<Part>): RecordShape<PartOf<Part>> {
  const shape = partShapes.get(did) ?? PartRecord.extend({ did });
  partShapes.set(did, shape);
  return shape as RecordShape<PartOf<Part>>;
}

/**
 * Rows in the store: a run for each partition, in their order. `runs` is null if no row left its partition. `rows` counts those
 * that did not leave it as well.
 */
export const RunParcel = z.object({
  /** Tells the parcels of a slice apart. */
  what: z.string(),
  rows: count,
  runs: Bundle.nullable(),
});
export type RunParcel = z.infer<typeof RunParcel>;

/** Rows in the memory of the sender, and in its scratch; goes to another thread by structured clone. */
export interface HeldParcel {
  readonly what: string;
  readonly rows: number;
  readonly held: { readonly segments: DistributedRows; readonly pool: Pool };
}

export type Parcel = HeldParcel | RunParcel;
/** Parcels that are held in memory are never committed. */
export const Parcel = RunParcel as unknown as z.ZodType<Parcel>;

/** The object of a parcel, if it has one. */
export function objectOf(parcel: Parcel): string[] {
  return 'runs' in parcel && parcel.runs !== null ? [parcel.runs.name] : [];
}

export const EdgesPart = z.object({ run: PartRun, rows: count });
export type EdgesPart = z.infer<typeof EdgesPart>;

/** What a partition commits behind a round: all its labels, and the frontier of the last round. */
export const CommittedPart = z.object({ labels: LabelRuns, frontier: z.array(EventRun) });
export type CommittedPart = z.infer<typeof CommittedPart>;

export const FinishedPart = z.object({
  values: perSide(z.array(PartRun)),
  /** SHA-256 of each part's values, in part order. */
  partDigests: perSide(z.array(z.string())),
  positions: perSide(count),
  wins: perSide(count),
  losses: perSide(count),
  longestWin: perSide(z.number().nullable()),
  /** Runs and digests of the second column, if there is one. */
  numbers: z
    .object({ values: perSide(z.array(PartRun)), partDigests: perSide(z.array(z.string())) })
    .optional(),
});
export type FinishedPart = z.infer<typeof FinishedPart>;

/** The results of a slice that was solved in memory, and of its rounds. */
export const ResidentPart = FinishedPart.extend({
  rounds: z.array(RoundDone),
  /** The last ply at which anything was labelled. */
  longest: count,
  /** Under `score`: as that of a table. */
  turned: z.array(count).optional(),
  /** Under dtm50. */
  clocks: ClockRuns.optional(),
});
export type ResidentPart = z.infer<typeof ResidentPart>;

const joined = { ...head, counters: CountersRecord, ran: z.array(ProcessRecord) };

/** Rows that all partitions sent: the moves of a slice; the requests of the first round behind a commit; questions and answers. */
export const SentManifest = z.object({
  ...joined,
  step: z.literal('sent'),
  ply: count.optional(),
  sent: z.array(Parcel),
});
export type SentManifest = z.infer<typeof SentManifest>;

/**
 * The positions that a round labels, by the side to move, and its requests that were never sent: they stayed in their part, or led to
 * labelled positions alone. Pages of labels (operators/runs/dense-blocks.ts) that it came to, and that it changed.
 */
const Labelled = z.object({
  won: perSide(count),
  lost: perSide(count),
  stayed: count,
  met: count.default(0),
  changed: count.default(0),
});
export type Labelled = z.infer<typeof Labelled>;

/** The share of a partition in a round; `sent` are the requests of the next round, if they are made. */
export const RoundPart = Labelled.extend({ sent: Parcel.nullable() });

/** A round of all partitions. */
export const RoundManifest = Labelled.extend({
  ...joined,
  step: z.literal('round'),
  ply: count,
  /** Requests that it worked off. */
  requests: count,
  sent: z.array(Parcel),
});
export type RoundManifest = z.infer<typeof RoundManifest>;

/** A position whose stored value is not the one that forward moves give. */
export const Mismatch = z.object({
  slice: z.string(),
  side: z.union([z.literal(0), z.literal(1)]),
  part: count,
  key: count,
  /** The code in the table, and the one that forward moves give; null: broken. */
  stored: z.number().int().nullable(),
  derived: z.number().int().nullable(),
  /** Under dtm50: the first clock at which they differ; 0 unless given. */
  clock: count.optional(),
  /** Where positions have numbers: that in the table, and that of forward moves. */
  numbers: z.object({ stored: count, derived: count }).optional(),
});
export type Mismatch = z.infer<typeof Mismatch>;

/** The result of the verification of a partition. */
export const DerivedPart = z.object({
  positions: count,
  /** Moves that were looked up one by one, not by rows. */
  requests: count,
  wrong: count,
  /** Parts that the kernels by rows doubt, and whose values are right by single moves. */
  doubtful: count.default(0),
  /** The first in index order, at most ten. */
  mismatches: z.array(Mismatch),
});
export type DerivedPart = z.infer<typeof DerivedPart>;

/** The names of all runs in the result of a part. */
export function runNamesIn(did: unknown): string[] {
  if (typeof did === 'string') return did.endsWith('.arrow') ? [did] : [];
  if (typeof did !== 'object' || did === null) return [];
  return Object.values(did).flatMap(runNamesIn);
}

/** The runs that are named in one result and not in another. */
export function runsOnlyIn(did: unknown, other: unknown): string[] {
  const others = new Set(runNamesIn(other));
  return runNamesIn(did).filter((name) => !others.has(name));
}
