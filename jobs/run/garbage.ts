/** Finds objects that may be deleted from a store, and their age. */
import { rmSync } from 'node:fs';
import { systemError } from '../../operators/storage/errno.js';
import { isIdentity, whereabouts } from '../../operators/storage/process-identity.js';
import type { Store, Unfinished } from '../../operators/storage/store.js';
import { GRAPH } from '../../pipeline/graph/graph-game.js';
import { findImportGarbage, graphOf, importsAmong } from '../../pipeline/graph/imports.js';
import { findGarbage, findJobGarbage, type Garbage } from '../../pipeline/tables/records/garbage.js';
import { ManifestReader, type StoredGames, slicesAmong } from '../../pipeline/tables/records/slices.js';
import { deadScratch, measureFolder, timeIn } from '../engines/scratch-folder.js';
import { claimedNow } from './claims.js';

export interface Waste {
  readonly name: string;
  readonly why: Garbage['why'] | 'unfinished' | 'scratch';
  readonly bytes: number;
  /** Milliseconds since it was last written to, by the clock of its place; of several objects of one process, of the newest. */
  readonly ageMs: number;
  remove(): Promise<void>;
}

/** @param scratch the folder in which processes make their scratch folders. */
export async function findWaste(store: Store, games: StoredGames, scratch: string): Promise<Waste[]> {
  const garbage = await certainGarbage(store, games);
  const isAtWork = await workOf(store, games);
  const parts = (await unfinished(store, games)).filter(({ name }) => !isAtWork(name));
  const now = Date.now() + (await store.clockAhead());
  const stored = [...(await measured(store, garbage)), ...parts];
  return [...stored.map((waste) => aged(waste, now)), ...scratchFolders(scratch)];
}

/** Waste, with the time since when it is there: in ms since 1970, by the clock of its place. */
type Dated = Omit<Waste, 'ageMs'> & { readonly at: number };

function aged({ at, ...waste }: Dated, now: number): Waste {
  return { ...waste, ageMs: Math.max(0, now - at) };
}

/**
 * Garbage that no process is about to name. A process claims its slices before it writes their runs, and names these before it gives
 * the claim back. So runs that a listing shows, that no process claims after that, and that a later listing shows without a manifest that
 * names them, belong to a process that is no more.
 */
async function certainGarbage(store: Store, games: StoredGames): Promise<Garbage[]> {
  const reader = new ManifestReader(store);
  const first = await garbageNow(store, games, reader);
  if (first.length === 0) return [];
  const isAtWork = await workOf(store, games);
  const later = new Set((await garbageNow(store, games, reader)).map(({ name }) => name));
  return first.filter(({ name }) => later.has(name) && !isAtWork(name));
}

async function garbageNow(store: Store, games: StoredGames, reader: ManifestReader): Promise<Garbage[]> {
  const found: Garbage[] = [];
  const listing = await store.list('');
  reader.keep(listing);
  for (const objects of slicesAmong(listing, games)) found.push(...(await findGarbage(reader, objects)));
  for (const objects of importsAmong(listing)) found.push(...(await findImportGarbage(store, objects)));
  return [...found, ...findJobGarbage(listing)];
}

/** Returns whether an object belongs to a slice or graph that a process has claimed and is at. */
async function workOf(store: Store, games: StoredGames): Promise<(name: string) => boolean> {
  const claimed = new Set<string>();
  for (const game of games.keys())
    for (const what of await claimedNow(store, game)) claimed.add(`${game}/${what}`);
  return (name) => {
    const graph = graphOf(name);
    if (graph !== null) return claimed.has(`${GRAPH}/${graph}`);
    const [game, metric, slice] = name.split('/');
    return claimed.has(game === GRAPH ? `${GRAPH}/${slice}` : `${game}/${metric}/${slice}`);
  };
}

async function measured(store: Store, garbage: readonly Garbage[]): Promise<Dated[]> {
  const found: (Dated & { group: string | null })[] = [];
  const newest = new Map<string, number>();
  for (const { name, why, group } of garbage) {
    const at = await store.modified(name);
    const bytes = await store.size(name);
    if (at === null || bytes === null) continue;
    if (group !== null) newest.set(group, Math.max(at, newest.get(group) ?? 0));
    const remove = async () => {
      // Written again meanwhile: somebody needs it.
      if ((await store.modified(name)) === at) await store.delete(name);
    };
    found.push({ name, why, bytes, at, remove, group });
  }
  return found.map(({ group, ...waste }) => (group === null ? waste : { ...waste, at: newest.get(group)! }));
}

/**
 * Unfinished objects in the folders of slices and graphs, and what a killed process left of its look at the clock (an empty file beside
 * these folders), except those of processes that are seen to run.
 */
async function unfinished(store: Store, games: StoredGames): Promise<Dated[]> {
  const found = (await store.unfinished?.('')) ?? [];
  const isClock = ({ name, bytes, writer }: Unfinished) =>
    bytes === 0 && !name.includes('/') && writer !== null && isIdentity(writer);
  const isOfObject = (name: string) => graphOf(name) !== null || slicesAmong([name], games).length > 0;
  return found
    .filter((each) => isOfObject(each.name) || isClock(each))
    .filter(({ writer }) => writer === null || whereabouts(writer) !== 'here')
    .map(({ name, bytes, at, remove }) => ({ name, why: 'unfinished', bytes, at, remove }));
}

function scratchFolders(parent: string): Waste[] {
  const folders = deadScratch(parent);
  if (folders.length === 0) return [];
  const now = timeIn(parent);
  return folders.map((folder) => {
    const remove = async () => {
      try {
        rmSync(folder, { recursive: true, force: true });
      } catch (error) {
        throw systemError(folder, 'delete', error);
      }
    };
    return aged({ name: folder, why: 'scratch', ...measureFolder(folder), remove }, now);
  });
}
