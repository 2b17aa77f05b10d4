/**
 * Scrub: reads all objects of a store or a publication and checks every checksum. It also checks that every object lies where it
 * was written, and that all objects named by manifests are there. It derives no values: that is what `verify` does.
 *
 * Records first, then the objects they name, each once. Memory: the records' names of runs, and a record batch; Syzygy's files
 * one at a time. I/O: one scan of the store.
 *
 * A solve may be under way: it deletes what it has replaced. An object that was listed and is gone is damage only if a record that is
 * there needs it.
 */
import { z } from 'zod';
import {
  ABSENT,
  DamageError,
  isMissing,
  ObstacleError,
  StorageError,
} from '../../../operators/core/errors.js';
import type { BundleRef } from '../../../operators/runs/bundle.js';
import type { RunRef } from '../../../operators/runs/types.js';
import { objectName } from '../../../operators/storage/object-names.js';
import type { Store } from '../../../operators/storage/store.js';
import { gameOfClaim } from '../../engine/crew/claims.js';
import {
  Bundle,
  NamedRun,
  RoundsManifest,
  readManifest,
  TableManifest,
  VerifiedManifest,
} from '../../game/manifest.js';
import { MisplacedError, readSealed } from '../../game/record.js';
import { type Metric, metrics } from '../../game/value.js';
import { GRAPH, isGraphName } from '../../graph/graph-game.js';
import { graphOf } from '../../graph/imports.js';
import { graphManifestName } from '../../graph/manifest.js';
import type { Codebook } from '../../tables/codec/codec.js';
import {
  catalogueName,
  draftName,
  publishedName,
  publishedObject,
  readCatalogue,
  readDraft,
} from '../../tables/published/catalogue.js';
import { readCodebook } from '../../tables/published/codebook.js';
import { runsNeeded } from '../../tables/records/garbage.js';
import { recordNumbers } from '../../tables/records/record-shapes.js';
import { type ListedSteps, stepsAmong } from '../../tables/records/slice-steps.js';
import {
  isSlice,
  ManifestReader,
  objectOf,
  type SliceObjects,
  type StoredGames,
  slicesAmong,
} from '../../tables/records/slices.js';
import { isVerificationOf } from '../../tables/verified.js';
import {
  checkPublished,
  checkPublishedGraph,
  checkRun,
  checkSyzygy,
  checkValues,
  isPublishedGraph,
  isSyzygy,
  nullIfDamaged,
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
  /** A folder is in its place, or it is in the place of a folder, or cannot be read. The user has to move it away. */
  readonly isInTheWay?: boolean;
}

/** An observation that damage would explain, but that may be normal. */
export interface Remark {
  /** A folder of the store. */
  readonly name: string;
  readonly what: string;
}

export interface Scrubbed {
  /** Those that were read, and their bytes. */
  readonly objects: number;
  readonly bytes: number;
  /** Runs that no record names: `scrub --collect` deletes them. */
  readonly unnamed: number;
  /** Objects in the store that belong to no game, graph or Syzygy file. */
  readonly foreign: number;
  /** By name. */
  readonly damaged: readonly Damage[];
  readonly remarks: readonly Remark[];
}

/** Throws StorageError if the store cannot be read; damaged objects in it are part of the result. */
export function scrub(options: ScrubOptions): Promise<Scrubbed> {
  return new Scrub(options).all();
}

/** Problems by the names of missing objects whose former existence other objects prove. */
type Lost = Map<string, string>;

class Scrub {
  private readonly done = new Set<string>();
  private readonly damaged = new Map<string, Damage>();
  private bytes = 0;

  constructor(private readonly options: ScrubOptions) {}

  async all(): Promise<Scrubbed> {
    const { store, games } = this.options;
    const listing = await store.list('');
    const ours = listing.filter((name) => isOurs(name, games));
    const there = new Set(ours);
    const { named, moved } = await this.checkRecords(ours);
    for (const name of ours) await this.checkObject(name);
    const remarks: Remark[] = [];
    const lost = new Map([...(await this.lostOfSlices(ours, remarks)), ...lostOfSets(there)]);
    for (const { ref, by } of named.values()) {
      // Runs that have served are deleted before the records of the work that made them; what is finished needs all of its own.
      const isStep = ref.name.includes('/steps/');
      const isLost = lost.has(ref.name);
      if (this.done.has(ref.name) || (isStep && !isLost && !there.has(ref.name))) continue;
      await this.check(ref.name, () => checkRun(store, ref), isStep && !isLost ? null : by);
    }
    for (const name of moved)
      if (!there.has(name) && isOurs(name, games)) lost.set(name, 'is not there, but lies elsewhere');
    for (const [name, problem] of lost) {
      // A folder may be in its place, which no listing shows.
      if (!this.done.has(name)) await this.check(name, () => requireThere(store, name, problem));
    }
    return {
      objects: this.done.size,
      bytes: this.bytes,
      unnamed: ours.filter((name) => name.endsWith('.arrow') && !this.done.has(name)).length,
      foreign: listing.length - ours.length,
      damaged: [...this.damaged.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
      remarks,
    };
  }

  /**
   * Does the check of an object, and notes its findings.
   * @param by the record that needs it: while that is there, the absence of the object is damage. Null: its absence is none.
   */
  private async check(name: string, check: () => Promise<void>, by: string | null = null): Promise<void> {
    const { store, report } = this.options;
    const isFirst = !this.done.has(name);
    this.done.add(name);
    let bytes = 0;
    try {
      if (isFirst) bytes = (await store.size(name)) ?? 0;
      await check();
    } catch (error) {
      if (!isDamage(error)) throw error;
      if (isMissing(error) && (by === null || (await isFree(store, by)))) {
        // Another process has deleted it since it was listed or named.
        if (isFirst) this.done.delete(name);
        return;
      }
      const problem = error.message.replace(`${objectName(store, name)}: `, '').replace(`${name}: `, '');
      this.note(name, problem, error instanceof ObstacleError || codeOf(error) === 'EACCES');
    }
    this.bytes += bytes;
    await report(bytes);
  }

  private note(name: string, problem: string, isInTheWay: boolean): void {
    this.done.add(name);
    if (!this.damaged.has(name)) this.damaged.set(name, { name, problem, ...(isInTheWay && { isInTheWay }) });
  }

  /** As {@link check}; null if it is damaged. */
  private async read<T>(name: string, read: () => Promise<T | null>, by?: string): Promise<T | null> {
    let found: T | null = null;
    const check = async () => {
      found = await read();
    };
    await this.check(name, check, by);
    return found;
  }

  /** Checks all records. @returns the runs and bundles that they name, and the manifests of tables that lie elsewhere. */
  private async checkRecords(names: readonly string[]) {
    const named = new Map<string, { readonly ref: RunRef | BundleRef; readonly by: string }>();
    const moved = new Set<string>();
    for (const name of names.filter((each) => each.endsWith('.json'))) {
      await this.check(name, async () => {
        try {
          for (const ref of namedIn(await readSealed(this.options.store, name)))
            named.set(ref.name, { ref, by: name });
        } catch (error) {
          if (error instanceof MisplacedError && error.writtenAs.endsWith('/table.json'))
            moved.add(error.writtenAs);
          throw error;
        }
      });
    }
    return { named, moved };
  }

  /** What an object of this name has to be, beside a sound record or run; and what it names. */
  private async checkObject(name: string): Promise<void> {
    const { store, games } = this.options;
    if (/^[^/]+\/[^/]+\/[^/]+\/table\.json$/.test(name)) await this.checkTable(name);
    else if (isCatalogue(name)) await this.checkCatalogue(name);
    else if (isSyzygy(name)) await this.check(name, () => checkSyzygy(store, name));
    else if (isPublishedGraph(name)) await this.check(name, () => checkPublishedGraph(store, name));
    else if (isInPlaceOfFolder(name, games))
      this.note(name, 'is a file where a folder of tables belongs: move it away', true);
  }

  /** The runs of a table, and the record that it was verified. */
  private async checkTable(name: string): Promise<void> {
    const { store } = this.options;
    const table = await this.read(name, () => readManifest(store, name, TableManifest));
    if (table === null) return;
    for (const side of [0, 1] as const)
      for (const [what, runs] of [
        ['values', table.values[side]],
        ['numbers', table.numbers?.runs[side] ?? []],
      ] as const)
        for (const run of runs)
          await this.check(run.name, () => checkValues(store, table, what, side, run), name);
    const verifiedName = name.replace(/table\.json$/, 'verified.json');
    if (await isFree(store, verifiedName)) return;
    await this.check(verifiedName, async () => {
      const verified = await readManifest(store, verifiedName, VerifiedManifest);
      if (verified !== null && !isVerificationOf(verified, table))
        throw new StorageError(
          objectName(store, verifiedName),
          'is the record of another table than the one there',
        );
    });
  }

  /** The files that a catalogue names, and their codebooks. */
  private async checkCatalogue(name: string): Promise<void> {
    const { store, games } = this.options;
    const { game: gameName, metric, kind } = publishedObject(name)!;
    const game = games.get(gameName)!;
    const readIt = kind === 'draft' ? readDraft : readCatalogue;
    const catalogue = await this.read(name, () => readIt(store, game.name, metric));
    if (catalogue === null) return;
    // To decode a codebook takes longer than to check a small file.
    const books: Codebook[] = [];
    for (const book of catalogue.codebooks) {
      const sound = await this.read(book.name, () => readCodebook(store, book.name), name);
      if (sound !== null) books.push(sound);
    }
    for (const entry of catalogue.files) {
      const file = publishedName(game, metric, entry);
      await this.check(file, () => checkPublished(store, file, catalogue.game, entry, books), name);
    }
  }

  /** Objects of unfinished slices. */
  private async lostOfSlices(listing: readonly string[], remarks: Remark[]): Promise<Lost> {
    const { store, games } = this.options;
    const found: Lost = new Map();
    for (const objects of unfinished(listing, games)) {
      const first = await lostOfSlice(store, objects);
      if (first.lost.size + first.remarks.length === 0) continue;
      // A solve under way deletes runs that were needed when they were listed, also while they are listed, and finishes slices. What
      // it has replaced when the first look ends is no more needed at the second.
      for (const now of unfinished(await store.list(objectOf(objects, '')), games)) {
        const again = await lostOfSlice(store, now);
        for (const [name, problem] of again.lost) if (first.lost.has(name)) found.set(name, problem);
        remarks.push(...again.remarks);
      }
    }
    return found;
  }
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

async function requireThere(store: Store, name: string, problem: string): Promise<void> {
  if ((await store.size(name)) === null) throw new DamageError(objectName(store, name), problem);
}

function unfinished(listing: readonly string[], games: StoredGames): SliceObjects[] {
  return slicesAmong(listing, games).filter(({ names }) => !names.includes('table.json'));
}

async function lostOfSlice(store: Store, objects: SliceObjects): Promise<{ lost: Lost; remarks: Remark[] }> {
  const { names } = objects;
  const lost: Lost = new Map();
  const remarks: Remark[] = [];
  const there = new Set(names.map((name) => objectOf(objects, name)));
  const needed = await runsNeeded(new ManifestReader(store), objects).catch(nullIfDamaged);
  for (const name of needed ?? []) if (!there.has(name)) lost.set(name, ABSENT);
  for (const steps of stepsAmong(objects).filter(({ isByCrew }) => isByCrew)) {
    const missing = await missingEpoch(store, steps);
    if (missing !== null) lost.set(missing, 'is not there, though later rounds are');
    if (steps.parts.length > 0 && !steps.isJoined({ name: 'plan' }))
      lost.set(steps.nameOf({ name: 'plan' }), 'is not there, though ranks have done parts by it');
  }
  if (names.some((name) => name.startsWith('steps/'))) return { lost, remarks };
  const table = objectOf(objects, 'table.json');
  const values = names.filter((name) => name.endsWith('.arrow')).length;
  if (names.includes('verified.json') || recordNumbers(names).length > 0)
    lost.set(table, 'is not there, though the table was solved');
  else if (values > 0 && !(await isFree(store, table))) lost.set(table, 'is not there');
  else if (values > 0) {
    const runs = values === 1 ? '1 run' : `${values} runs`;
    const what = `has ${runs} and no table.json that names them: its solve was killed or is at work, or table.json was deleted`;
    remarks.push({ name: objectOf(objects, '').slice(0, -1), what });
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
async function missingEpoch(store: Store, steps: ListedSteps): Promise<string | null> {
  let next = 1;
  for (const { ply } of steps.commits) {
    const name = steps.nameOf({ name: 'commit', ply: next });
    if (ply !== next) return name;
    const epoch = await readManifest(store, name, RoundsManifest).catch(nullIfDamaged);
    if (epoch === null) return null;
    next = epoch.to;
  }
  return null;
}

const GRAPH_TABLE = new RegExp(`^${GRAPH}/[^/]+/([^/]+)/table\\.json$`);

function isCatalogue(name: string): boolean {
  const kind = publishedObject(name)?.kind;
  return kind === 'catalogue' || kind === 'draft';
}

/** Imports of graphs that have tables, and catalogues of published files. */
function lostOfSets(there: ReadonlySet<string>): Lost {
  const lost: Lost = new Map();
  for (const name of there) {
    const graph = GRAPH_TABLE.exec(name)?.[1];
    if (graph !== undefined && isGraphName(graph) && !there.has(graphManifestName(graph)))
      lost.set(graphManifestName(graph), 'is not there, though its graph is solved');
    const object = publishedObject(name);
    if (object?.kind !== 'file' || name.endsWith('.bin')) continue;
    const { game, metric } = object;
    if (!there.has(catalogueName(game, metric)) && !there.has(draftName(game, metric)))
      lost.set(catalogueName(game, metric), 'is not there, though published files are');
  }
  return lost;
}

/** Runs and bundles that are named with a digest, anywhere in a record. */
function namedIn(value: unknown): (RunRef | BundleRef)[] {
  if (typeof value !== 'object' || value === null) return [];
  // Most objects of a record have no name: to have the schemas refuse each of them takes longer than all else.
  const own = 'name' in value ? NAMED.safeParse(value) : null;
  return own?.success === true ? [own.data] : Object.values(value).flatMap(namedIn);
}

const NAMED = z.union([NamedRun, Bundle]);

/** Errors about a single file: a disk that fails, a file that is gone, that may not be read, or that no path leads to. */
const OF_A_FILE = new Set(['EIO', 'ENOENT', 'EACCES', 'EPERM', 'ELOOP', 'ENXIO', 'EISDIR']);

const codeOf = (error: Error): string | undefined => ((error.cause ?? {}) as NodeJS.ErrnoException).code;

/** A store that cannot be read is no damage; an object that cannot is. */
function isDamage(error: unknown): error is StorageError {
  if (!(error instanceof StorageError)) return false;
  return error instanceof DamageError || error.cause === undefined || OF_A_FILE.has(codeOf(error) ?? '');
}
