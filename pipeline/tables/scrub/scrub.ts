/**
 * Scrub: reads all objects of a store or a publication and checks every checksum. Checks, too, that every object lies where it
 * was written to, and that all objects named by manifests are there. Nothing is derived: `verify` says whether values are true.
 *
 * Records first, then the objects they name, each once. Memory: the records' names of runs, and a record batch; Syzygy's files
 * one at a time. I/O: one scan of the store.
 */
import { z } from 'zod';
import { ABSENT, DamageError, ObstacleError, StorageError } from '../../../operators/core/errors.js';
import type { BundleRef } from '../../../operators/runs/bundle.js';
import type { RunRef } from '../../../operators/runs/types.js';
import { objectName } from '../../../operators/storage/object-names.js';
import type { Store } from '../../../operators/storage/store.js';
import {
  Bundle,
  FORMAT_VERSION,
  NamedRun,
  RoundsManifest,
  readManifest,
  TableManifest,
  VerifiedManifest,
} from '../../game/manifest.js';
import { MisplacedError, readRecord, readSealed } from '../../game/record.js';
import { stepAt } from '../../game/slice-objects.js';
import { type Metric, metrics } from '../../game/value.js';
import { GRAPH, isGraphName } from '../../graph/graph-game.js';
import { graphOf } from '../../graph/imports.js';
import { graphManifestName } from '../../graph/manifest.js';
import {
  type Catalogue,
  catalogueName,
  draftName,
  publishedName,
  readCatalogue,
  readDraft,
} from '../published/catalogue.js';
import { gameOfClaim } from '../../engine/claims.js';
import { recordNumbers } from '../records/record-names.js';
import { runsNeeded } from '../records/garbage.js';
import { commitsOf, isByCrew, type StepObjects, stepsAmong } from '../records/joined-steps.js';
import {
  isSlice,
  manifestReader,
  objectOf,
  type SliceObjects,
  type StoredGames,
  slicesAmong,
} from '../records/slices.js';
import { isOf } from '../verified.js';
import {
  checkBundle,
  checkCodebook,
  checkPublished,
  checkPublishedGraph,
  checkRun,
  checkSyzygy,
  checkValues,
  isPublishedGraph,
  isSyzygy,
  soundCodebooks,
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
  /** A folder is in its place, or it in the place of a folder, or it may not be read: a person has to make room. */
  readonly isInTheWay?: boolean;
}

/** What may be as it should be, and may be what damage has left. */
export interface Remark {
  /** A folder of the store. */
  readonly name: string;
  readonly what: string;
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
  readonly remarks: readonly Remark[];
}

/** Throws StorageError if the store cannot be read; damaged objects in it are part of the result. */
export async function scrub(options: ScrubOptions): Promise<Scrubbed> {
  const { store, games } = options;
  const listing = await store.list('');
  const ours = listing.filter((name) => isOurs(name, games));
  const checks = newChecks(options);
  const named = new Map<string, RunRef | BundleRef>();
  /** Manifests of tables that lie elsewhere. */
  const moved = new Set<string>();
  for (const name of ours.filter((each) => each.endsWith('.json'))) {
    await checks.run(name, async () => {
      try {
        for (const ref of namedIn(await readSealed(store, name))) named.set(ref.name, ref);
      } catch (error) {
        if (error instanceof MisplacedError && error.writtenAs.endsWith('/table.json'))
          moved.add(error.writtenAs);
        throw error;
      }
    });
  }
  for (const name of ours) {
    if (/^[^/]+\/[^/]+\/[^/]+\/table\.json$/.test(name)) await checkTable(store, name, checks);
    else if (/^[^/]+\/catalogue(-draft)?\.json$/.test(name)) await checkCatalogue(store, name, games, checks);
    else if (isSyzygy(name)) await checks.run(name, () => checkSyzygy(store, name));
    else if (isPublishedGraph(name)) await checks.run(name, () => checkPublishedGraph(store, name));
    else if (isInPlaceOfFolder(name, games)) checks.note(name, IN_PLACE_OF_FOLDER, true);
  }
  const there = new Set(ours);
  const { lost, remarks } = await lostObjects(store, ours, games);
  for (const ref of named.values()) {
    // Runs that have served are deleted before the records of the work that made them; what is finished needs all of its own.
    if (!checks.isDone(ref.name) && (there.has(ref.name) || isNeeded(ref.name) || lost.has(ref.name)))
      await checks.run(ref.name, () => ('ends' in ref ? checkBundle(store, ref) : checkRun(store, ref)));
  }
  for (const name of moved)
    if (!there.has(name) && isOurs(name, games)) lost.set(name, 'is not there, but lies elsewhere');
  for (const [name, problem] of lost) {
    // A folder may be in its place, which no listing shows.
    if (!checks.isDone(name)) await checks.run(name, () => requireThere(store, name, problem));
  }
  const unnamed = ours.filter((name) => name.endsWith('.arrow') && !checks.isDone(name)).length;
  return { ...checks.sum(), unnamed, foreign: listing.length - ours.length, remarks };
}

function isOurs(name: string, games: StoredGames): boolean {
  const game = gameOfClaim(name) ?? name.slice(0, Math.max(0, name.indexOf('/')));
  return games.has(game) || graphOf(name) !== null || isSyzygy(name) || isPublishedGraph(name);
}

/** A file where the folder of a metric or of a slice belongs. */
function isInPlaceOfFolder(name: string, games: StoredGames): boolean {
  const [gameName, metric, slice, ...more] = name.split('/');
  const game = games.get(gameName);
  if (game === undefined || !metrics.includes(metric as Metric) || more.length > 0) return false;
  return slice === undefined || isSlice(game, slice);
}

const IN_PLACE_OF_FOLDER = 'is a file where a folder of tables belongs: move it away';

async function requireThere(store: Store, name: string, problem: string): Promise<void> {
  if ((await store.size(name)) === null) throw new DamageError(objectName(store, name), problem);
}

interface Lost {
  /** Problems, by the names of the objects that are not there. */
  readonly lost: Map<string, string>;
  readonly remarks: Remark[];
}

/** Objects that are not there, though others show that they were. */
async function lostObjects(store: Store, listing: readonly string[], games: StoredGames): Promise<Lost> {
  const found: Lost = { lost: new Map(), remarks: [] };
  for (const objects of unfinished(listing, games)) {
    const first = await lostOfSlice(store, objects);
    if (first.lost.size + first.remarks.length === 0) continue;
    // A solve under way deletes runs that were needed when they were listed, and finishes slices.
    const now = unfinished(await store.list(objectOf(objects, '')), games);
    for (const again of now) addLost(found, await lostOfSlice(store, again));
  }
  addLost(found, lostOfGraphs(listing));
  addLost(found, lostOfPublications(listing));
  return found;
}

function addLost(sum: Lost, more: Lost): void {
  for (const [name, problem] of more.lost) sum.lost.set(name, problem);
  sum.remarks.push(...more.remarks);
}

function unfinished(listing: readonly string[], games: StoredGames): SliceObjects[] {
  return slicesAmong(listing, games).filter(({ names }) => !names.includes('table.json'));
}

async function lostOfSlice(store: Store, objects: SliceObjects): Promise<Lost> {
  const { names } = objects;
  const lost = new Map<string, string>();
  const remarks: Remark[] = [];
  const lose = (name: string, problem: string) => lost.set(objectOf(objects, name), problem);
  for (const name of await missingRuns(store, objects)) lost.set(name, ABSENT);
  for (const steps of stepsAmong(names).filter(isByCrew)) {
    const missing = await missingEpoch(store, objects, steps);
    if (missing !== null) lose(missing, 'is not there, though later rounds are');
    const isPlanned = steps.parts.length === 0 || steps.joined.some(({ name }) => name === 'plan');
    if (!isPlanned)
      lose(
        stepAt(steps.folder, { name: 'plan' }).manifest,
        'is not there, though ranks have done parts by it',
      );
  }
  if (!names.some((name) => name.startsWith('steps/'))) {
    const values = names.filter((name) => name.endsWith('.arrow')).length;
    const wasSolved = names.includes('verified.json') || recordNumbers(names).length > 0;
    if (wasSolved) lose('table.json', 'is not there, though the table was solved');
    else if (values > 0 && !(await isFree(store, objectOf(objects, 'table.json'))))
      lose('table.json', 'is not there');
    else if (values > 0) {
      const runs = values === 1 ? '1 run' : `${values} runs`;
      const what = `has ${runs} and no table.json that names them: its solve was killed or is at work, or table.json was deleted`;
      remarks.push({ name: objectOf(objects, '').slice(0, -1), what });
    }
  }
  return { lost, remarks };
}

/** Whether nothing is in the place of an object: a folder is something. */
async function isFree(store: Store, name: string): Promise<boolean> {
  try {
    return (await store.size(name)) === null;
  } catch (error) {
    if (isDamage(error)) return false;
    throw error;
  }
}

/** The first commit of labels that is not there though a later one is: to go on, a solve would need runs that were deleted. */
async function missingEpoch(store: Store, objects: SliceObjects, steps: StepObjects): Promise<string | null> {
  let next = 1;
  for (const { ply } of commitsOf(steps)) {
    const name = stepAt(steps.folder, { name: 'commit', ply: next }).manifest;
    if (ply !== next) return name;
    const epoch = await readManifest(store, objectOf(objects, name), RoundsManifest).catch(notIfDamaged);
    if (epoch === null) return null;
    next = epoch.to;
  }
  return null;
}

/** Damage of the object itself was found before. */
function notIfDamaged(error: unknown): null {
  if (error instanceof StorageError) return null;
  throw error;
}

async function missingRuns(store: Store, objects: SliceObjects): Promise<string[]> {
  const there = new Set(objects.names.map((name) => objectOf(objects, name)));
  const needed = await runsNeeded(manifestReader(store), objects).catch(notIfDamaged);
  return [...(needed ?? [])].filter((name) => !there.has(name));
}

/** Graphs that have tables, and whose import says nothing of its end. */
function lostOfGraphs(listing: readonly string[]): Lost {
  const lost = new Map<string, string>();
  const there = new Set(listing);
  for (const name of listing) {
    const [, graph] = new RegExp(`^${GRAPH}/[^/]+/([^/]+)/table\\.json$`).exec(name) ?? [];
    const manifest = graph === undefined || !isGraphName(graph) ? null : graphManifestName(graph);
    if (manifest !== null && !there.has(manifest))
      lost.set(manifest, 'is not there, though its graph is solved');
  }
  return { lost, remarks: [] };
}

/** Published files without a catalogue. */
function lostOfPublications(listing: readonly string[]): Lost {
  const lost = new Map<string, string>();
  const there = new Set(listing);
  for (const name of listing) {
    const [, game] = /^([^/]+)\/[^/]+\.wdl$/.exec(name) ?? [];
    if (game === undefined || there.has(catalogueName(game)) || there.has(draftName(game))) continue;
    lost.set(catalogueName(game), 'is not there, though published files are');
  }
  return { lost, remarks: [] };
}

/** A run of an imported graph, or the values of a table. */
function isNeeded(name: string): boolean {
  return !name.includes('/steps/');
}

/** Runs and bundles that are named with a digest, anywhere in a record. */
function namedIn(value: unknown): (RunRef | BundleRef)[] {
  if (typeof value !== 'object' || value === null) return [];
  // Most objects of a record have no name: to have the schemas refuse each of them takes longer than all else.
  const own = 'name' in value ? NAMED.safeParse(value) : null;
  return own?.success === true ? [own.data] : Object.values(value).flatMap(namedIn);
}

const NAMED = z.union([NamedRun, Bundle]);

interface Checks {
  /** Does the check of an object once, and notes its findings. */
  run(name: string, check: () => Promise<void>): Promise<void>;
  note(name: string, problem: string, isInTheWay: boolean): void;
  isDone(name: string): boolean;
  sum(): Pick<Scrubbed, 'objects' | 'bytes' | 'damaged'>;
}

function newChecks({ store, report }: ScrubOptions): Checks {
  const done = new Set<string>();
  const damaged = new Map<string, Damage>();
  let total = 0;

  function note(name: string, problem: string, isInTheWay: boolean): void {
    done.add(name);
    if (!damaged.has(name)) damaged.set(name, { name, problem, ...(isInTheWay && { isInTheWay }) });
  }

  return {
    async run(name, check) {
      const isFirst = !done.has(name);
      done.add(name);
      let bytes = 0;
      try {
        if (isFirst) bytes = (await store.size(name)) ?? 0;
        await check();
      } catch (error) {
        if (!isDamage(error)) throw error;
        const what = (error as Error).message
          .replace(`${objectName(store, name)}: `, '')
          .replace(`${name}: `, '');
        note(name, what, error instanceof ObstacleError || codeOf(error) === 'EACCES');
      }
      total += bytes;
      await report(bytes);
    },
    note,
    isDone: (name) => done.has(name),
    sum: () => ({
      objects: done.size,
      bytes: total,
      damaged: [...damaged.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    }),
  };
}

/** Errors about a single file: a disk that fails, a file that is gone, that may not be read, or that no path leads to. */
const OF_A_FILE = new Set(['EIO', 'ENOENT', 'EACCES', 'EPERM', 'ELOOP', 'ENXIO', 'EISDIR']);

const codeOf = (error: unknown): string | undefined =>
  (((error as Error).cause ?? {}) as NodeJS.ErrnoException).code;

/** A store that cannot be read is no damage; an object that cannot is. */
function isDamage(error: unknown): boolean {
  if (!(error instanceof StorageError)) return false;
  return error instanceof DamageError || error.cause === undefined || OF_A_FILE.has(codeOf(error) ?? '');
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
  if (await isFree(store, verifiedName)) return;
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
  const books = await soundCodebooks(store, found);
  for (const entry of found.files) {
    const file = publishedName(game, entry.slice, entry.side);
    await checks.run(file, () => checkPublished(store, file, found.game, entry, books));
  }
}
