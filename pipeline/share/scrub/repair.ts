/** Makes damaged tables again, and deletes damaged records. */
import { deleteAll } from '../../../operators/storage/delete-all.js';
import type { Store } from '../../../operators/storage/store.js';
import { digestsOf, readManifest, TableManifest } from '../../game/manifest.js';
import { type Metric, metrics } from '../../game/value.js';
import { GRAPH, graphs } from '../../graph/graph-game.js';
import { graphPrefix } from '../../graph/graph-layout.js';
import { slicePrefix, tableManifestName } from '../../tables/table-names.js';
import type { Consequence, SliceInStore } from './consequences.js';
import { nullIfDamaged } from './objects.js';

export interface Repaired {
  /** The name of the damaged object. */
  readonly name: string;
  readonly how: string;
}

/** How tables are made again. */
export interface Repairing {
  /** Whether a process is at work on a slice, or on a graph of this name: then it is left alone. Not given: none ever is. */
  isAtWork?(at: SliceInStore | string): Promise<boolean>;
  /** Solves and verifies a slice whose objects were deleted, and returns the digests of its table. */
  solveAgain(at: SliceInStore): Promise<readonly string[]>;
  /** The file that a graph can be made from again; null if it is not known. Called before anything of the graph is deleted. */
  sourceOf?(graph: string): Promise<string | null>;
  /** Imports a graph whose objects were deleted, solves and verifies it. */
  solveGraphAgain?(graph: string, metric: Metric, source: string): Promise<readonly string[]>;
}

/** Repairs all that can be made from the store and the sources of graphs. Damage that is not among the results remains. */
export async function repair(
  store: Store,
  damaged: readonly Consequence[],
  repairing: Repairing,
): Promise<Repaired[]> {
  const repaired: Repaired[] = [];
  for (const { name, remake } of damaged) {
    if (remake !== null) continue;
    await store.delete(name);
    repaired.push({ name, how: 'deleted: nothing that is solved depends on it' });
  }
  // Delete all of them before any is solved, because one may be made from another.
  const ready: { work: Work; source: string | null; removed: Map<SliceInStore, Removed> }[] = [];
  for (const work of worksOf(damaged)) {
    const folders = [...work.tables.keys(), ...(work.graph === null ? [] : [`${graphPrefix(work.graph)}/`])];
    const isIn = (name: string) => folders.some((folder) => `${name}/`.startsWith(folder));
    // Something else is in its place, which the user has to move away first.
    if (damaged.some(({ name, isInTheWay }) => isInTheWay === true && isIn(name))) continue;
    if (await isAtWork(work, repairing)) continue;
    const source = work.graph === null ? null : ((await repairing.sourceOf?.(work.graph)) ?? null);
    // Without tables it is an import that was not at its end.
    if (work.graph !== null && work.tables.size > 0 && source === null) continue;
    const removed = new Map<SliceInStore, Removed>();
    for (const at of work.tables.values()) removed.set(at, await removeSlice(store, at));
    if (work.graph !== null) await deleteAll(store, await store.list(`${graphPrefix(work.graph)}/`));
    ready.push({ work, source, removed });
  }
  for (const { work, source, removed } of ready) {
    const hows = new Set<string | null>();
    for (const [at, before] of removed) {
      const make = () =>
        source === null ? repairing.solveAgain(at) : repairing.solveGraphAgain!(at.slice, at.metric, source);
      hows.add(await makeAgain(make, before, work.graph !== null));
    }
    if (hows.has(null)) continue;
    const how = [...hows].join('; ') || 'deleted: to solve the graph again begins it again';
    repaired.push(...work.names.map((name) => ({ name, how })));
  }
  return repaired;
}

/** Tables to be deleted and made again, by their folders, and all damaged objects that this mends. */
interface Work {
  readonly names: string[];
  readonly tables: Map<string, SliceInStore>;
  /** The graph whose import is made again from its source, too. */
  readonly graph: string | null;
}

/** Graphs whose imports are damaged, with all that was made from them; then slices that are made from others in the store. */
function worksOf(damaged: readonly Consequence[]): Work[] {
  const works = new Map<string, Work>();
  const workOn = (folder: string, graph: string | null): Work => {
    const work = works.get(folder) ?? { names: [], tables: new Map(), graph };
    works.set(folder, work);
    return work;
  };
  const folderOf = ({ game, metric, slice }: SliceInStore) => `${slicePrefix(game.name, metric, slice)}/`;
  for (const { name, remake, dependents } of damaged) {
    if (remake?.task !== 'solve graph') continue;
    const work = workOn(graphPrefix(remake.graph), remake.graph);
    work.names.push(name);
    for (const metric of metrics.filter((each) => dependents.includes(`${each}/${remake.graph}`))) {
      const table = { game: graphs, metric, slice: remake.graph };
      work.tables.set(folderOf(table), table);
    }
  }
  for (const { name, slice } of damaged) {
    if (slice === null) continue;
    // The table of a graph is made again with its import.
    const ofGraph = slice.game.name === GRAPH ? works.get(graphPrefix(slice.slice)) : undefined;
    const work = ofGraph ?? workOn(folderOf(slice), null);
    work.names.push(name);
    work.tables.set(folderOf(slice), slice);
  }
  return [...works.values()];
}

async function isAtWork({ tables, graph }: Work, repairing: Repairing): Promise<boolean> {
  for (const at of graph === null ? tables.values() : [graph])
    if ((await repairing.isAtWork?.(at)) === true) return true;
  return false;
}

/** Facts about a slice whose objects were deleted. */
interface Removed {
  /** A table was there: it is not a slice that is begun and not solved. */
  readonly wasSolved: boolean;
  /** The digests of the table; null if its manifest does not say. */
  readonly digests: string | null;
}

/** Deletes all objects of a slice, the manifest of the table first. */
async function removeSlice(store: Store, { game, metric, slice }: SliceInStore): Promise<Removed> {
  const name = tableManifestName(game.name, metric, slice);
  const folder = `${slicePrefix(game.name, metric, slice)}/`;
  const listed = await store.list(folder);
  const isBegun = listed.some((object) => object.startsWith(`${folder}steps/`));
  const wasSolved = listed.includes(name) || !isBegun;
  const table = await readManifest(store, name, TableManifest).catch(nullIfDamaged);
  await store.delete(name);
  await deleteAll(store, listed);
  return { wasSolved, digests: table === null ? null : digestsOf(table).join() };
}

/** How the slice was made again; null if it differs from the slice before. */
async function makeAgain(
  solveAgain: () => Promise<readonly string[]>,
  { wasSolved, digests }: Removed,
  isGraph: boolean,
): Promise<string | null> {
  if (!wasSolved) return 'its steps were deleted: to solve it again begins it again';
  const made = (await solveAgain()).join();
  if (digests === null) return 'solved again; its digests before are not known: verify what was made from it';
  // A graph that is read again may have its nodes in another order.
  if (made !== digests && isGraph) return 'read and solved again from its source';
  return made === digests ? 'solved again: its digests are those before' : null;
}
