/**
 * The manifests of an import that is under way, from which other processes go on: below `steps/` of the graph,
 *
 *   stride-00000.json, stride-00001.json, …   strides of reading: their runs, and where the source goes on
 *   index.json                                the index and the joined names are there
 *   of-N-DIGEST/                              objects that ranks send each other, for N ranks and this source
 *
 * Objects that these do not name do not exist; the leading process that opens the steps deletes them. When the graph is committed,
 * all of them have served.
 */
import { z } from 'zod';
import { crc32, hex } from '../../operators/core/checksum.js';
import type { Source } from '../../operators/gather.js';
import { deleteAll } from '../../operators/storage/delete-all.js';
import { expectListed } from '../../operators/storage/doubted-absence.js';
import type { Store } from '../../operators/storage/store.js';
import { FORMAT_VERSION } from '../game/format-version.js';
import { CountersRecord, NamedRun, readManifest } from '../game/manifest.js';
import { stepAt } from '../game/slice-objects.js';
import { Parcel, runNamesIn } from '../game/step-manifests.js';
import { graphPrefix, IMPORT_VERSION } from './graph-layout.js';
import { type GraphManifest, graphManifestName } from './manifest.js';

const count = z.int().nonnegative();

export const StrideRuns = z.object({
  /** The names of its nodes, and what they are. */
  names: NamedRun,
  statuses: NamedRun,
  /** The names of edges, if there are any. */
  moves: NamedRun.optional(),
  /** Spills (operators/distribute/kept.ts) of (key | rest, number); those that have no rows are not there. */
  keys: NamedRun.optional(),
  targets: NamedRun.optional(),
  from: NamedRun.optional(),
  to: NamedRun.optional(),
  /** In a share: nodes of each layer. In a layer the nodes of all shares follow each other. */
  pieces: z.array(count).readonly().optional(),
});
export type StrideRuns = z.infer<typeof StrideRuns>;

const PlaceRecord = z
  .object({
    at: z.array(z.number()).readonly(),
    runs: z.array(NamedRun).readonly(),
    shares: z.array(count).readonly().optional(),
  })
  .nullable();

const ReadCounts = z.object({
  nodes: count,
  edges: count,
  apart: count,
  texts: count,
  compared: count.optional(),
  boards: count.optional(),
  exchanging: count.optional(),
});

/** The part of a stride that a partition has read: the counts of it alone. `place`: null at the end of the source. */
export const StridePart = z.object({ counts: ReadCounts, runs: StrideRuns.nullable(), place: PlaceRecord });
export type StridePart = z.infer<typeof StridePart> & {
  /** Rows that are in memory: where that is so, nothing is committed. */
  readonly held?: Readonly<Partial<Record<string, Source>>>;
};

const joined = {
  version: z.literal(IMPORT_VERSION),
  fingerprint: z.string(),
  seed: count,
  counters: CountersRecord,
};

export const StrideManifest = z.object({
  ...joined,
  /** All that was read until then. */
  told: ReadCounts,
  /** One for each partition that has read some of it. */
  runs: z.array(StrideRuns).min(1),
  /** Where the source goes on; null: this was its end. */
  place: PlaceRecord,
  /** As those of the graph's manifest. */
  movers: z.literal(true).optional(),
  weights: z.literal(true).optional(),
  /** At the end of a source with layers: how many nodes each has. */
  layers: z.array(count).optional(),
});
export type StrideManifest = z.infer<typeof StrideManifest> & {
  readonly held?: readonly NonNullable<StridePart['held']>[];
};

const Twice = z.object({ first: count, second: count });

export const IndexPart = z.object({
  index: NamedRun.nullable(),
  /** Two nodes with one key: there is no index then. */
  twice: Twice.nullable(),
  /** From the partition that joins them. */
  names: NamedRun.nullable(),
  moves: NamedRun.nullable(),
  statuses: z.array(NamedRun).nullable(),
});
export type IndexPart = z.infer<typeof IndexPart>;

/** The runs of index and names belong to the graph itself. */
export const IndexManifest = z.object({
  ...joined,
  index: z.array(NamedRun).min(1).nullable(),
  twice: Twice.nullable(),
  names: NamedRun,
  moves: NamedRun.optional(),
  statuses: z.array(NamedRun),
});
export type IndexManifest = z.infer<typeof IndexManifest>;

/** Steps in which partitions send rows, or say how many they have: see import-partition.ts. */
const passing = { version: z.literal(FORMAT_VERSION), counters: CountersRecord };

/**
 * Own positions of a layer, rows of the graph that were read, and keys that were sent. `more`: the source does not end here. `held`: all
 * rows of the stride are in memory.
 */
export const ReadPart = z.object({
  positions: count,
  rows: count,
  more: z.boolean(),
  held: z.boolean(),
  sent: Parcel.nullable(),
  /** In mode `memory`: there is no room for more. The last layer is not expanded then. */
  full: z.boolean().optional(),
});
export type ReadPart = z.infer<typeof ReadPart>;
export const ReadManifest = z.object({
  ...passing,
  /** By partition. */
  positions: z.array(count),
  rows: count,
  more: z.boolean(),
  held: z.boolean(),
  sent: z.array(Parcel),
  full: z.boolean().optional(),
});
export type ReadManifest = z.infer<typeof ReadManifest>;

/** The parcels of a step that resolves names, or the first name that no node has. */
export const ResolvedPart = z.object({
  sent: z.array(Parcel),
  unknown: z
    .object({
      of: z.enum(['node', 'edge']),
      number: count,
      key: z.object({ major: count, minor: count, rest: count }),
    })
    .nullable(),
});
export type ResolvedPart = z.infer<typeof ResolvedPart>;
export const ResolvedManifest = z.object({
  ...passing,
  /** By partition. */
  sent: z.array(z.array(Parcel)),
  unknown: ResolvedPart.shape.unknown,
});
export type ResolvedManifest = z.infer<typeof ResolvedManifest>;

/** An import: of which graph, from which source, under which seed of keys. */
export interface ImportId {
  readonly name: string;
  /** Says whether the source is the one of an earlier import. */
  readonly fingerprint: string;
  readonly seed: number;
}

/** What is committed of an import. */
export interface ImportSteps extends ImportId {
  readonly strides: readonly StrideManifest[];
  /** Null until it is there. */
  readonly index: IndexManifest | null;
}

export function stepsFolder(name: string): string {
  return `${graphPrefix(name)}/steps`;
}

export function stepsPrefix(name: string): string {
  return `${stepsFolder(name)}/`;
}

/** The folder of the objects that so many ranks send each other. Ranks of another number, or of another source, do not go on with it. */
export function folderOfRanks({ name, fingerprint, seed }: ImportId, ranks: number): string {
  const digest = hex(crc32(new TextEncoder().encode(`${seed} ${fingerprint}`)));
  return `${stepsFolder(name)}/of-${ranks}-${digest}`;
}

export function strideName(name: string, stride: number): string {
  return stepAt(stepsFolder(name), { name: 'stride', ply: stride }).manifest;
}

export function indexName(name: string): string {
  return stepAt(stepsFolder(name), { name: 'index' }).manifest;
}

/**
 * The steps that are committed, of this source and no other. An import whose names cannot be told apart under a seed goes on with the
 * next one. An index without all the strides that it was made of is left over from a removal that was interrupted, and its runs may be gone.
 * @throws DamageError if a manifest is damaged.
 */
export async function readSteps(store: Store, name: string, fingerprint: string): Promise<ImportSteps> {
  const strides: StrideManifest[] = [];
  for (;;) {
    const manifest = await readManifest(store, strideName(name, strides.length), StrideManifest);
    if (manifest?.fingerprint !== fingerprint || manifest.seed !== (strides[0] ?? manifest).seed) break;
    strides.push(manifest);
  }
  const found = await readManifest(store, indexName(name), IndexManifest);
  const index = found?.fingerprint === fingerprint ? found : null;
  const seed = strides[0]?.seed ?? 0;
  if (index !== null && index.index === null && index.seed >= seed)
    return { name, fingerprint, seed: index.seed + 1, strides: [], index: null };
  const isOfStrides = index?.seed === seed && strides.at(-1)?.place === null;
  return { name, fingerprint, seed, strides, index: isOfStrides ? index : null };
}

/**
 * Deletes what other processes left and {@link readSteps} does not name. @param ranks the folder of ranks that import together: what lies
 * there stays, and so do runs of the graph, which parts of their steps may name.
 */
export async function clearSteps(store: Store, steps: ImportSteps, ranks?: string): Promise<void> {
  const { name, strides, index } = steps;
  const prefix = ranks === undefined ? `${graphPrefix(name)}/` : stepsPrefix(name);
  // What is not found here is deleted as what others left.
  await expectListed(store, stepsPrefix(name));
  const named = new Set(strides.map((_, number) => strideName(name, number)));
  for (const { pieces, ...runs } of strides.flatMap(({ runs }) => runs))
    for (const run of Object.values(runs)) if (run !== undefined) named.add(run.name);
  for (const run of strides.at(-1)?.place?.runs ?? []) named.add(run.name);
  if (index !== null) {
    named.add(indexName(name));
    const moves = index.moves === undefined ? [] : [index.moves];
    for (const run of [...index.index!, index.names, ...moves, ...index.statuses]) named.add(run.name);
  }
  const left = (await store.list(prefix)).filter(
    (object) => !named.has(object) && !(ranks !== undefined && object.startsWith(`${ranks}/`)),
  );
  await removeAll(store, name, left);
}

/** Deletes the steps of a graph that is there, and runs that attempts at them left. */
export async function removeSteps(store: Store, { name, runs }: GraphManifest): Promise<void> {
  const needed = new Set([graphManifestName(name), ...runNamesIn(runs)]);
  const objects = await store.list(`${graphPrefix(name)}/`);
  await removeAll(
    store,
    name,
    objects.filter((object) => !needed.has(object)),
  );
}

/** Deletes all of an import that is not at its end. */
export async function removeImport(store: Store, name: string): Promise<void> {
  await removeAll(store, name, await store.list(`${graphPrefix(name)}/`));
}

/** The first manifest goes first: without it the others say nothing. */
async function removeAll(store: Store, name: string, objects: readonly string[]): Promise<void> {
  const first = strideName(name, 0);
  if (objects.includes(first)) await store.delete(first);
  await deleteAll(
    store,
    objects.filter((object) => object !== first),
  );
}
