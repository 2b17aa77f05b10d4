/** Finds objects that may be deleted from a store, and their age. */
import { rmSync } from 'node:fs';
import { systemError } from '../../operators/storage/errno.js';
import type { Store } from '../../operators/storage/store.js';
import { GRAPH } from '../../pipeline/graph/graph-game.js';
import { findImportGarbage, graphOf, importsAmong } from '../../pipeline/graph/imports.js';
import { findGarbage, findJobGarbage, type Garbage } from '../../pipeline/tables/records/garbage.js';
import { ManifestReader, type StoredGames, slicesAmong } from '../../pipeline/tables/records/slices.js';
import { deadScratch, isAlive, measureFolder } from '../engines/scratch-folder.js';
import { claimedNow } from './claims.js';

export interface Waste {
  readonly name: string;
  readonly why: Garbage['why'] | 'unfinished' | 'scratch';
  readonly bytes: number;
  /** When it was last written to, in ms since 1970; of several objects of one process, the newest. */
  readonly at: number;
  remove(): Promise<void>;
}

/** @param scratch the folder in which processes make their scratch folders. */
export async function findWaste(store: Store, games: StoredGames, scratch: string): Promise<Waste[]> {
  const garbage = await certainGarbage(store, games);
  const isAtWork = await workOf(store, games);
  const parts = (await unfinished(store, games)).filter(({ name }) => !isAtWork(name));
  return [...(await measured(store, garbage)), ...parts, ...scratchFolders(scratch)];
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

async function measured(store: Store, garbage: readonly Garbage[]): Promise<Waste[]> {
  const found: (Waste & { group: string | null })[] = [];
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

/** Unfinished objects in the folders of slices and graphs, except those of processes that run on this machine. */
async function unfinished(store: Store, games: StoredGames): Promise<Waste[]> {
  const found = (await store.unfinished?.('')) ?? [];
  const isOurs = (name: string) => graphOf(name) !== null || slicesAmong([name], games).length > 0;
  return found
    .filter(({ name, pid }) => isOurs(name) && (pid === null || !isAlive(pid)))
    .map(({ name, bytes, at, remove }) => ({ name, why: 'unfinished', bytes, at, remove }));
}

function scratchFolders(parent: string): Waste[] {
  return deadScratch(parent).map((folder) => ({
    name: folder,
    why: 'scratch',
    ...measureFolder(folder),
    async remove() {
      try {
        rmSync(folder, { recursive: true, force: true });
      } catch (error) {
        throw systemError(folder, 'delete', error);
      }
    },
  }));
}
