/**
 * The manifests of an import that is under way, from which another process goes on: below `steps/` of the graph,
 *
 *   read-00000.json, read-00001.json, …   strides of reading: their runs, and where the source goes on
 *   index.json                            the index and the joined names are there
 *
 * Objects that these do not name do not exist; the process that opens the steps deletes them. When the graph is committed, all of them
 * have served.
 */
import { z } from 'zod';
import { type Counters, takeCounters } from '../../operators/core/counters.js';
import { StorageError } from '../../operators/core/errors.js';
import { deleteAll } from '../../operators/storage/delete-all.js';
import { expectListed } from '../../operators/storage/doubted-absence.js';
import { objectName } from '../../operators/storage/object-names.js';
import type { Store } from '../../operators/storage/store.js';
import { commitManifest, NamedRun } from '../game/manifest.js';
import { readRecord } from '../game/record.js';
import { graphPrefix, IMPORT_VERSION } from './graph-layout.js';

const count = z.int().nonnegative();

const StrideRuns = z.object({
  /** The names of its nodes, and what they are. */
  names: NamedRun,
  statuses: NamedRun,
  /** Spills (operators/distribute/kept.ts) of (key | rest, number); those that have no rows are not there. */
  keys: NamedRun.optional(),
  targets: NamedRun.optional(),
  from: NamedRun.optional(),
  to: NamedRun.optional(),
  /** In a share: nodes of each layer. In a layer the nodes of all shares follow each other. */
  pieces: z.array(count).readonly().optional(),
});
export type StrideRuns = z.infer<typeof StrideRuns>;

const head = { version: z.literal(IMPORT_VERSION), fingerprint: z.string(), seed: count };

const PlaceManifest = z
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
});

/** The part of a stride that one of several has, as the one who commits it gets it. */
export const ShareOfStride = z.object({
  counts: ReadCounts,
  runs: StrideRuns,
  place: PlaceManifest,
  counters: z.record(z.string(), z.number()),
});

const ReadManifest = z.object({
  ...head,
  step: z.literal('read'),
  /** All that was read until then. */
  told: ReadCounts,
  /** One for each share, if several read the source together. */
  runs: z.union([StrideRuns, z.array(StrideRuns).min(1)]),
  /** Where the source goes on; null: this was its end. */
  place: PlaceManifest,
  /** At the end of a source with layers: how many nodes each has. */
  layers: z.array(count).optional(),
  counters: z.record(z.string(), z.number()),
});
export type ReadManifest = z.infer<typeof ReadManifest>;

/** The facts of a stride that was read. */
export type ReadStep = Pick<ReadManifest, 'told' | 'runs' | 'place' | 'layers'>;

/** The runs of a stride, share by share. */
export function sharesOf({ runs }: Pick<ReadManifest, 'runs'>): readonly StrideRuns[] {
  return Array.isArray(runs) ? runs : [runs];
}

const IndexManifest = z.object({
  ...head,
  step: z.literal('index'),
  /** Belongs to the graph itself. */
  runs: z.object({ index: z.array(NamedRun).min(1), names: NamedRun }),
  counters: z.record(z.string(), z.number()),
});
type IndexManifest = z.infer<typeof IndexManifest>;

export interface ImportSteps {
  readonly seed: number;
  /** Names of passing objects begin so. */
  readonly prefix: string;
  readonly read: readonly ReadManifest[];
  /** The index and the joined names; null until they are there. */
  readonly indexed: IndexManifest['runs'] | null;
  commitRead(step: ReadStep, counters: Counters): Promise<void>;
  commitIndex(runs: IndexManifest['runs'], counters: Counters): Promise<void>;
  /** All steps, and those not yet committed. */
  counted(counters: Counters): Record<string, number>;
}

/** The folder for ranks that find the positions of a source, so many of them: objects that no step names yet. */
export function folderOfRanks(name: string, ranks: number, source: string): string {
  return `${stepsPrefix(name)}of-${ranks}-${source}`;
}

/** Whether an object is in such a folder. */
export function isOfRanks(name: string): boolean {
  return /\/steps\/of-\d+-/.test(name);
}

function stepsPrefix(name: string): string {
  return `${graphPrefix(name)}/steps/`;
}

/**
 * The steps of an import that another process began; none, if it was another graph's or there was no such. What they do not
 * name is deleted, unless it is below `kept`. Throws DamageError if a manifest is damaged.
 */
export async function openSteps(
  store: Store,
  name: string,
  fingerprint: string,
  kept?: string,
): Promise<ImportSteps> {
  const prefix = stepsPrefix(name);
  // What is not found here is deleted as what others left.
  await expectListed(store, prefix);
  const read = await strides(store, prefix, fingerprint);
  if (read.length === 0) return newSteps(store, name, fingerprint, 0, kept);
  const named = new Set([indexName(prefix), ...read.map((_, number) => readName(prefix, number))]);
  const index = await readRecord(store, indexName(prefix), IndexManifest, 'manifest', IMPORT_VERSION);

  for (const { pieces, ...runs } of read.flatMap(sharesOf))
    for (const run of Object.values(runs)) if (run !== undefined) named.add(run.name);
  for (const { name } of read.at(-1)!.place?.runs ?? []) named.add(name);
  for (const { name } of Object.values(index?.runs ?? {}).flat()) named.add(name);
  const all = await store.list(`${graphPrefix(name)}/`);
  await deleteAll(
    store,
    all.filter((each) => !named.has(each) && !isBelow(each, kept)),
  );
  return stepsOf(store, prefix, { version: IMPORT_VERSION, fingerprint, seed: read[0].seed }, read, index);
}

/** The strides that were read so far, of this source and no other. */
async function strides(store: Store, prefix: string, fingerprint: string): Promise<ReadManifest[]> {
  const read: ReadManifest[] = [];
  for (;;) {
    const name = readName(prefix, read.length);
    const manifest = await readRecord(store, name, ReadManifest, 'manifest', IMPORT_VERSION);
    if (manifest?.fingerprint !== fingerprint) return read;
    read.push(manifest);
  }
}

/** The steps as they are now, of an import that another process makes: nothing is changed. */
export async function seeSteps(
  store: Store,
  name: string,
  fingerprint: string,
): Promise<Pick<ImportSteps, 'read' | 'seed' | 'prefix'>> {
  const prefix = stepsPrefix(name);
  return { read: await strides(store, prefix, fingerprint), seed: 0, prefix };
}

/** No steps: what others left is deleted, but for what is below `kept`. */
export async function newSteps(
  store: Store,
  name: string,
  fingerprint: string,
  seed: number,
  kept?: string,
): Promise<ImportSteps> {
  await removeAll(store, name, `${graphPrefix(name)}/`, kept);
  return stepsOf(store, stepsPrefix(name), { version: IMPORT_VERSION, fingerprint, seed }, [], null);
}

/** Whether the first stride is committed, of an import that is not over. */
export async function isBegun(store: Store, name: string): Promise<boolean> {
  return (await store.size(readName(stepsPrefix(name), 0))) !== null;
}

/** Deletes the steps, and what they name below their prefix. */
export function removeSteps(store: Store, name: string): Promise<void> {
  return removeAll(store, name, stepsPrefix(name));
}

/** The first manifest goes first: without it the others say nothing. */
async function removeAll(store: Store, name: string, prefix: string, kept?: string): Promise<void> {
  const objects = await store.list(prefix);
  const first = readName(stepsPrefix(name), 0);
  if (objects.includes(first)) await store.delete(first);
  await deleteAll(
    store,
    objects.filter((object) => object !== first && !isBelow(object, kept)),
  );
}

function isBelow(name: string, folder: string | undefined): boolean {
  return folder !== undefined && name.startsWith(`${folder}/`);
}

function readName(prefix: string, stride: number): string {
  return `${prefix}read-${String(stride).padStart(5, '0')}.json`;
}

function indexName(prefix: string): string {
  return `${prefix}index.json`;
}

function stepsOf(
  store: Store,
  prefix: string,
  common: Pick<ReadManifest, 'version' | 'fingerprint' | 'seed'>,
  read: ReadManifest[],
  index: IndexManifest | null,
): ImportSteps {
  let indexed = index;
  const commit = async <T extends object>(name: string, manifest: T, shape: z.ZodType<T>) => {
    // Another process may cut its strides otherwise.
    if ((await commitManifest(store, name, manifest, shape, IMPORT_VERSION)) !== manifest)
      throw new StorageError(objectName(store, name), 'another process imports the same graph');
  };
  return {
    seed: common.seed,
    prefix,
    read,
    get indexed() {
      return indexed?.runs ?? null;
    },
    async commitRead(step, counters) {
      const manifest: ReadManifest = {
        ...common,
        step: 'read',
        ...step,
        counters: { ...takeCounters(counters) },
      };
      const before = read.at(-1)?.place?.runs ?? [];
      await commit(readName(prefix, read.length), manifest, ReadManifest);
      read.push(manifest);
      const needed = new Set(step.place?.runs.map(({ name }) => name));
      await deleteAll(
        store,
        before.map(({ name }) => name).filter((name) => !needed.has(name)),
      );
    },
    async commitIndex({ index, names }, counters) {
      const runs = { index, names };
      const manifest: IndexManifest = {
        ...common,
        step: 'index',
        runs,
        counters: { ...takeCounters(counters) },
      };
      await commit(indexName(prefix), manifest, IndexManifest);
      indexed = manifest;
    },
    counted(counters) {
      const sum: Record<string, number> = { ...counters };
      for (const step of [...read, ...(indexed === null ? [] : [indexed])])
        for (const [what, value] of Object.entries(step.counters)) sum[what] = (sum[what] ?? 0) + value;
      return sum;
    },
  };
}
