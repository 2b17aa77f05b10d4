/**
 * Scrub: reads all objects of a store or a publication and checks every checksum. Checks, too, that every object lies where it
 * was written to, and that all objects named by manifests are there. Nothing is derived: `verify` says whether values are true.
 *
 * Records first, then the objects they name, each once. Memory: the records' names of runs, and a record batch; Syzygy's files
 * one at a time. I/O: one scan of the store.
 */
import { z } from 'zod';
import { DamageError, StorageError } from '../../operators/core/errors.js';
import type { BundleRef } from '../../operators/runs/bundle.js';
import type { RunRef } from '../../operators/runs/types.js';
import { objectName } from '../../operators/storage/object-names.js';
import type { Store } from '../../operators/storage/store.js';
import { Bundle, FORMAT_VERSION, NamedRun, TableManifest, VerifiedManifest } from '../formats/manifest.js';
import { readRecord, readSealed } from '../formats/record.js';
import { graphOf } from '../graph/imports.js';
import { type Catalogue, publishedName, readCatalogue, readDraft } from '../publish/catalogue.js';
import { gameOfClaim } from '../ranks/claims.js';
import { runsNeeded } from '../survey/garbage.js';
import {
  manifestReader,
  objectOf,
  type SliceObjects,
  type StoredGames,
  slicesAmong,
} from '../survey/slices.js';
import { isOf } from '../table/verified.js';
import {
  checkBundle,
  checkCodebook,
  checkPublished,
  checkRun,
  checkSyzygy,
  checkValues,
  isSyzygy,
} from './objects.js';

export interface ScrubOptions {
  readonly store: Store;
  /** By name; objects of no game, graph or Syzygy file are not looked at. */
  readonly games: StoredGames;
  /** Called and awaited after each object. */
  readonly report: (bytes: number) => Promise<void>;
}

export interface Damage {
  /** Name in the store. */
  readonly name: string;
  readonly problem: string;
}

export interface Scrubbed {
  /** Those that were read, and their bytes. */
  readonly objects: number;
  readonly bytes: number;
  /** Runs that no record names: `gc` deletes them. */
  readonly unnamed: number;
  /** Objects in the store that belong to no game, graph or Syzygy file. */
  readonly foreign: number;
  /** By name. */
  readonly damaged: readonly Damage[];
}

/** Throws StorageError if the store cannot be read; damaged objects in it are part of the result. */
export async function scrub(options: ScrubOptions): Promise<Scrubbed> {
  const { store, games } = options;
  const listing = await store.list('');
  const ours = listing.filter((name) => isOurs(name, games));
  const checks = newChecks(options);
  const named = new Map<string, RunRef | BundleRef>();
  for (const name of ours.filter((each) => each.endsWith('.json'))) {
    await checks.run(name, async () => {
      for (const ref of namedIn(await readSealed(store, name))) named.set(ref.name, ref);
    });
  }
  for (const name of ours) {
    if (/^[^/]+\/[^/]+\/[^/]+\/table\.json$/.test(name)) await checkTable(store, name, checks);
    else if (/^[^/]+\/catalogue(-draft)?\.json$/.test(name)) await checkCatalogue(store, name, games, checks);
    else if (isSyzygy(name)) await checks.run(name, () => checkSyzygy(store, name));
  }
  const there = new Set(ours);
  const lost = await lostRuns(store, ours, games);
  for (const ref of named.values()) {
    // Runs that have served are deleted before the records of the work that made them; what is finished needs all of its own.
    if (!checks.isDone(ref.name) && (there.has(ref.name) || isNeeded(ref.name) || lost.has(ref.name)))
      await checks.run(ref.name, () => ('ends' in ref ? checkBundle(store, ref) : checkRun(store, ref)));
  }
  const unnamed = ours.filter((name) => name.endsWith('.arrow') && !checks.isDone(name)).length;
  return { ...checks.sum(), unnamed, foreign: listing.length - ours.length };
}

function isOurs(name: string, games: StoredGames): boolean {
  const game = gameOfClaim(name) ?? name.slice(0, Math.max(0, name.indexOf('/')));
  return games.has(game) || graphOf(name) !== null || isSyzygy(name);
}

/** Missing runs that an unfinished slice needs to go on. */
async function lostRuns(store: Store, listing: readonly string[], games: StoredGames): Promise<Set<string>> {
  const lost = new Set<string>();
  for (const objects of unfinished(listing, games)) {
    if ((await missingOf(store, objects)).length === 0) continue;
    // A solve under way deletes runs that were needed when they were listed.
    const now = await store.list(objectOf(objects, ''));
    for (const again of unfinished(now, games))
      for (const name of await missingOf(store, again)) lost.add(name);
  }
  return lost;
}

function unfinished(listing: readonly string[], games: StoredGames): SliceObjects[] {
  return slicesAmong(listing, games).filter(({ names }) => !names.includes('table.json'));
}

async function missingOf(store: Store, objects: SliceObjects): Promise<string[]> {
  const there = new Set(objects.names.map((name) => objectOf(objects, name)));
  try {
    const needed = await runsNeeded(manifestReader(store), objects);
    return [...(needed ?? [])].filter((name) => !there.has(name));
  } catch (error) {
    // A manifest that is damaged was found before.
    if (error instanceof StorageError) return [];
    throw error;
  }
}

/** A run of an imported graph, or the values of a table. */
function isNeeded(name: string): boolean {
  return !name.includes('/steps/');
}

/** Runs and bundles that are named with a digest, anywhere in a record. */
function namedIn(value: unknown): (RunRef | BundleRef)[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = z.union([NamedRun, Bundle]).safeParse(value);
  return own.success ? [own.data] : Object.values(value).flatMap(namedIn);
}

interface Checks {
  /** Does the check of an object once, and notes its findings. */
  run(name: string, check: () => Promise<void>): Promise<void>;
  isDone(name: string): boolean;
  sum(): Pick<Scrubbed, 'objects' | 'bytes' | 'damaged'>;
}

function newChecks({ store, report }: ScrubOptions): Checks {
  const done = new Set<string>();
  const damaged = new Map<string, string>();
  let total = 0;
  return {
    async run(name, check) {
      const bytes = done.has(name) ? 0 : ((await store.size(name)) ?? 0);
      done.add(name);
      try {
        await check();
      } catch (error) {
        if (!isDamage(error)) throw error;
        const problem = (error as Error).message.replace(`${objectName(store, name)}: `, '');
        if (!damaged.has(name)) damaged.set(name, problem);
      }
      total += bytes;
      await report(bytes);
    },
    isDone: (name) => done.has(name),
    sum: () => ({
      objects: done.size,
      bytes: total,
      damaged: [...damaged]
        .map(([name, problem]) => ({ name, problem }))
        .sort((a, b) => (a.name < b.name ? -1 : 1)),
    }),
  };
}

/** A store that cannot be read is no damage; a disk that fails, or an object that is gone, is. */
function isDamage(error: unknown): boolean {
  if (!(error instanceof StorageError)) return false;
  const { code } = (error.cause ?? {}) as NodeJS.ErrnoException;
  return error instanceof DamageError || error.cause === undefined || code === 'EIO' || code === 'ENOENT';
}

/** The runs of a table, and the record that it was verified. */
async function checkTable(store: Store, name: string, checks: Checks): Promise<void> {
  let table: TableManifest | null = null;
  await checks.run(name, async () => {
    table = await readRecord(store, name, TableManifest, 'manifest', FORMAT_VERSION);
  });
  if (table === null) return;
  const found: TableManifest = table;
  for (const side of [0, 1] as const)
    for (const run of found.values[side])
      await checks.run(run.name, () => checkValues(store, found, side, run));
  const verifiedName = name.replace(/table\.json$/, 'verified.json');
  if ((await store.size(verifiedName)) === null) return;
  await checks.run(verifiedName, async () => {
    const verified = await readRecord(store, verifiedName, VerifiedManifest, 'manifest', FORMAT_VERSION);
    if (verified !== null && !isOf(verified, found))
      throw new StorageError(objectName(store, verifiedName), 'is the record of another table than is there');
  });
}

/** The files that a catalogue names, and their codebooks. */
async function checkCatalogue(store: Store, name: string, games: StoredGames, checks: Checks): Promise<void> {
  const game = games.get(name.slice(0, name.indexOf('/')))!;
  let catalogue: Catalogue | null = null;
  await checks.run(name, async () => {
    const isDraft = name.endsWith('-draft.json');
    catalogue = await (isDraft ? readDraft : readCatalogue)(store, game.name);
  });
  if (catalogue === null) return;
  const found: Catalogue = catalogue;
  for (const book of found.codebooks) await checks.run(book.name, () => checkCodebook(store, book.name));
  for (const entry of found.files) {
    const file = publishedName(game, entry.slice, entry.side);
    await checks.run(file, () => checkPublished(store, file, found, entry));
  }
}
