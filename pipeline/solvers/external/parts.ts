/** The shapes of what partitions return, where that is committed: see rank-crew.ts. */
import { z } from 'zod';
import {
  ClockRuns,
  CountersRecord,
  EventRun,
  FORMAT_VERSION,
  LabelRuns,
  PartRun,
  ProcessRecord,
  RoundDone,
} from '../../formats/manifest.js';
import { type Parcel, RunParcel } from '../../partition/transport.js';
import type { WrittenEdges } from '../../phases/edges.js';
import type { Finished } from '../../phases/finish.js';
import type { ResidentSolved } from '../../phases/resident.js';
import type { Committed } from '../../phases/rounds.js';
import type { Verified } from '../../phases/verify.js';

const count = z.number().int().nonnegative();
const perSide = <T extends z.ZodType>(type: T) => z.tuple([type, type]);
/** Parcels that are held in memory are never committed. */
const parcel = RunParcel as unknown as z.ZodType<Parcel>;

export const EdgesPart: z.ZodType<WrittenEdges> = z.object({ run: PartRun, rows: count });

export const CommittedPart: z.ZodType<Committed> = z.object({
  labels: LabelRuns,
  frontier: z.array(EventRun),
});

const finished = {
  values: perSide(z.array(PartRun)),
  partDigests: perSide(z.array(z.string())),
  positions: perSide(count),
  wins: perSide(count),
  losses: perSide(count),
  longestWin: perSide(z.number().nullable()),
};

export const FinishedPart: z.ZodType<Finished> = z.object(finished);

export const ResidentPart: z.ZodType<ResidentSolved> = z.object({
  ...finished,
  rounds: z.array(RoundDone),
  longest: count,
  turned: z.array(count).optional(),
  clocks: ClockRuns.optional(),
});

/** Rows that one partition sent to all. */
export const SentPart = z.object({ sent: parcel });

const header = {
  version: z.literal(FORMAT_VERSION),
  game: z.string(),
  slice: z.string(),
  counters: CountersRecord,
  ran: z.array(ProcessRecord),
};

/** Rows that all partitions sent: the moves of a slice; the requests of the first round behind a commit; questions and answers. */
export const SentManifest = z.object({ ...header, step: z.literal('sent'), sent: z.array(parcel) });
export type SentManifest = z.infer<typeof SentManifest>;

const labelled = { won: perSide(count), lost: perSide(count), stayed: count };

/** The share of a partition in a round; `sent` are the requests of the next round, if they are made. */
export const RoundPart = z.object({ ...labelled, sent: parcel.nullable() });

/** A round of all partitions. */
export const RoundManifest = z.object({
  ...header,
  ...labelled,
  step: z.literal('round'),
  ply: count,
  /** Requests that it worked off. */
  requests: count,
  sent: z.array(parcel),
});
export type RoundManifest = z.infer<typeof RoundManifest>;

const address = { slice: z.string(), side: z.union([z.literal(0), z.literal(1)]), part: count, key: count };
const code = z.number().int().nullable();
const verified = {
  positions: count,
  requests: count,
  wrong: count,
  mismatches: z.array(z.object({ ...address, stored: code, derived: code, clock: count.optional() })),
};

export const DerivedPart: z.ZodType<Verified> = z.object(verified);
