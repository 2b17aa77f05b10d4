/**
 * Manifests: the records that steps commit. A step writes its runs first and its manifest last, put-if-absent. A run that no
 * manifest names does not exist. A manifest names a run with the digest of its content. Manifests are sealed records
 * (record.ts).
 */

import { z } from 'zod';
import { StorageError } from '../../operators/core/errors.js';
import { objectName } from '../../operators/storage/object-names.js';
import type { Store } from '../../operators/storage/store.js';
import { FORMAT_VERSION, SKIPPING_VERSION } from './format-version.js';
import { putRecord, type RecordShape, readRecord } from './record.js';
import { metrics } from './value.js';

const count = z.number().int().nonnegative();
/** How a manifest names a run: with the digest of its content. */
export const NamedRun = z.object({ name: z.string(), crc: z.string() });

/** How a manifest names a bundle (operators/runs/bundle.ts): its runs by their ends and digests. */
export const Bundle = z.object({
  name: z.string(),
  ends: z.array(count).readonly(),
  crcs: z.array(z.string()).readonly(),
});

/** A run that holds the parts [from, to). */
export const PartRun = NamedRun.extend({ from: count, to: count });
export type PartRun = z.infer<typeof PartRun>;

/** A run of events of the parts [from, to) and the plies [first, last]. */
export const EventRun = PartRun.extend({ first: count, last: count, rows: count });
export type EventRun = z.infer<typeof EventRun>;

const perSide = <T extends z.ZodType>(type: T) => z.tuple([type, type]);
/** The label planes (pipeline/game/labels.ts) as runs. */
export const LabelRuns = z.object({
  counts: perSide(z.array(PartRun)),
  unwon: perSide(z.array(PartRun)),
  /** Counts of each side have so many planes of bits. Manifests of earlier versions have null, or nothing, for bytes. */
  countPlanes: perSide(count)
    .nullish()
    .transform((planes) => planes ?? ([8, 8] as [number, number])),
});
export type LabelRuns = z.infer<typeof LabelRuns>;

const header = { version: z.literal(FORMAT_VERSION), game: z.string(), slice: z.string() };
export const CountersRecord = z.record(z.string(), z.number());

/** A process that did a part of a step, when, and at what cost. For display only: it differs between attempts. */
export const ProcessRecord = z.object({
  host: z.string(),
  /** The number of the process among those that solve together. */
  rank: count,
  /** Milliseconds since 1970. */
  started: z.number(),
  wallMs: z.number(),
  /** Since the process began, or since the part before. */
  cpuMs: z.number(),
  /** Bytes. */
  peakRss: z.number(),
});
export type ProcessRecord = z.infer<typeof ProcessRecord>;

/** What the enumeration finds: of a part of the slice, and joined. */
export const Enumerated = z.object({
  labels: LabelRuns,
  /** Positions lost at ply 0 (mates). */
  mates: z.array(EventRun),
  /** Keys of positions that have conversions, if these cannot be taken back; majors of sides (pipeline/game/majors.ts). */
  converting: z.array(PartRun),
  legal: perSide(count),
  lost: perSide(count),
  drawn: perSide(count),
});
export type Enumerated = z.infer<typeof Enumerated>;

export const EnumerateManifest = Enumerated.extend({
  ...header,
  step: z.literal('enumerate'),
  /** That of the slice's index, if it has several. */
  numbering: z.string().optional(),
  counters: CountersRecord,
});
export type EnumerateManifest = z.infer<typeof EnumerateManifest>;

/** What conversions bring in: to a part of the slice, and joined. */
export const Converted = z.object({
  /**
   * Events, which join rounds by a rule (engine/phases/frontier-rule.ts). If conversions are taken back they are of all parts: runs of several
   * partitions overlap.
   */
  events: z.array(EventRun),
  /** The numbers of these events, ascending. Manifests of earlier versions lack them: any up to the last of the runs may be there. */
  numbers: z.array(count).optional(),
  /** Values that were asked for by joining, none if conversions were taken back; and the events that came of either. */
  requests: count,
  answers: count,
});
export type Converted = z.infer<typeof Converted>;

export const ConvertManifest = Converted.extend({
  ...header,
  step: z.literal('convert'),
  counters: CountersRecord,
});
export type ConvertManifest = z.infer<typeof ConvertManifest>;

export const EdgesManifest = z.object({
  ...header,
  step: z.literal('edges'),
  /** All moves in the slice, by successor: see pipeline/engine/phases/edges.ts. None if the slice has `unmoves`. */
  edges: z.array(PartRun),
  rows: count,
  counters: CountersRecord,
});
export type EdgesManifest = z.infer<typeof EdgesManifest>;

/**
 * Positions that a round labelled, with either side to move, each once, and the requests that it worked off. Where it streamed: the pages of
 * labels (operators/runs/dense-blocks.ts) that it came to, and that it changed. Rounds that cannot label anything are not done, so plies may
 * be missing.
 */
export const RoundDone = z.object({
  ply: count,
  won: count,
  lost: count,
  requests: count,
  met: count.optional(),
  changed: count.optional(),
});
export type RoundDone = z.infer<typeof RoundDone>;

export const RoundsManifest = z.object({
  ...header,
  version: z.literal([FORMAT_VERSION, SKIPPING_VERSION]),
  step: z.literal('rounds'),
  /** The rounds of plies [from, to) were done in this step. */
  from: count,
  to: count,
  labels: LabelRuns,
  frontier: z.array(EventRun),
  /** Nothing is left to label. */
  done: z.boolean(),
  /** Under `score`: the rounds that an event joined. */
  turned: z.array(count).optional(),
  /** Rounds have few requests now, so one partition does the next ones for all. */
  few: z.boolean().optional(),
  rounds: z.array(RoundDone),
  counters: CountersRecord,
});
export type RoundsManifest = z.infer<typeof RoundsManifest>;

/** Runs of a table of dtm50 that give values by clock: pipeline/tables/clock-runs.ts. */
export const ClockRuns = z.object({
  /** Numbers of ladders, by index. */
  type: z.enum(['u16', 'u32']),
  numbers: perSide(z.array(PartRun)),
  /** As those of the table. */
  digests: perSide(z.string()),
  /** The ladders, and SHA-256 over their columns. */
  ladders: NamedRun,
  ladderCount: count,
  ladderDigest: z.string(),
});
export type ClockRuns = z.infer<typeof ClockRuns>;

/** The runs of the numbers of positions, beside their values: pipeline/tables/numbers.ts. */
export const NumberRuns = z.object({
  runs: perSide(z.array(PartRun)),
  /** As those of the table. */
  digests: perSide(z.string()),
});
export type NumberRuns = z.infer<typeof NumberRuns>;

export const TableManifest = z.object({
  ...header,
  step: z.literal('table'),
  metric: z.enum(metrics),
  parts: count,
  width: count,
  size: count,
  /** That of the slice's index, if it has several. */
  numbering: z.string().optional(),
  valueType: z.enum(['i8', 'i16']),
  values: perSide(z.array(PartRun)),
  /** SHA-256 over the SHA-256 of each part's values (little endian), per side: the same for every configuration. */
  digests: perSide(z.string()),
  positions: perSide(count),
  /** Under `dtz` cursed wins are among the wins, and blessed losses among the losses. */
  wins: perSide(count),
  losses: perSide(count),
  /** Under `score`: the plies that ends by fewer points joined at, from event 1 on (pipeline/graph/outcomes.ts). */
  turned: z.array(count).optional(),
  /**
   * Longest win in plies per side, null if the side never wins, and under `score`. Where the goal is one side's, the most plies to it from
   * positions with the side to move.
   */
  longestWin: perSide(z.number().nullable()),
  /** Under dtm50 only. */
  clocks: ClockRuns.optional(),
  /** Where the stipulation has numbers. */
  numbers: NumberRuns.optional(),
  /** The files that a table which is looked up was made of, with their checksums in hexadecimal. */
  source: z.array(z.object({ file: z.string(), checksum: z.string() })).optional(),
  /** The ply of the last round. */
  rounds: count,
  requests: count,
  counters: CountersRecord,
});
export type TableManifest = z.infer<typeof TableManifest>;

/** The digests of all that a table holds: those of its values, and behind them those of its numbers, if it has any. */
export function digestsOf({
  digests,
  numbers,
}: Pick<TableManifest, 'digests' | 'numbers'>): readonly string[] {
  return numbers === undefined ? digests : [...digests, ...numbers.digests];
}

export const VerifiedManifest = z.object({
  ...header,
  step: z.literal('verified'),
  /** The digest of the manifest of the table that was verified. */
  table: z.string(),
  positions: count,
  requests: count,
  /** As that of `DerivedPart` (step-manifests.ts), if there are any. */
  doubtful: count.optional(),
});
export type VerifiedManifest = z.infer<typeof VerifiedManifest>;

/** Reads and checks a manifest; null if the step is not done. A damaged or foreign one is a StorageError. */
export function readManifest<T>(store: Store, name: string, shape: RecordShape<T>): Promise<T | null> {
  return readRecord(store, name, shape, 'manifest');
}

/** Manifests read at once. */
const TOGETHER = 16;

/** Those of the manifests that are there, in order. @param read returns null for one that is not. */
export async function readManifests<T>(
  names: readonly string[],
  read: (name: string) => Promise<T | null>,
): Promise<T[]> {
  const found: T[] = [];
  for (let from = 0; from < names.length; from += TOGETHER) {
    const some = await Promise.all(names.slice(from, from + TOGETHER).map(read));
    for (const manifest of some) if (manifest !== null) found.push(manifest);
  }
  return found;
}

/** How often to put a manifest that the store neither accepts nor shows. */
const MOST_COMMITS = 50;

/** Commits a step, and returns the committed manifest, which is that of another attempt if that one came first. */
export async function commitManifest<T extends object>(
  store: Store,
  name: string,
  manifest: T,
  shape: RecordShape<T>,
): Promise<T> {
  // Only the fields of the shape: so a manifest reads back as it was written.
  const written = shape.parse(manifest) as object;
  for (let times = 1; ; times++) {
    if (await putRecord(store, name, written)) return manifest;
    const standing = await readRecord(store, name, shape, 'manifest');
    // Null: it was deleted meanwhile.
    if (standing !== null) return standing;
    if (times === MOST_COMMITS)
      throw new StorageError(
        objectName(store, name),
        'the store says that it is there when it is written, and that it is not when it is read',
      );
  }
}
