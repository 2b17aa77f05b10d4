/** Makes damaged tables again, and deletes damaged records. */
import { StorageError } from '../../../operators/core/errors.js';
import { deleteAll } from '../../../operators/storage/delete-all.js';
import type { Store } from '../../../operators/storage/store.js';
import { FORMAT_VERSION, TableManifest } from '../../game/manifest.js';
import { readRecord } from '../../game/record.js';
import { type Metric, metrics } from '../../game/value.js';
import { GRAPH, graphs } from '../../graph/graph-game.js';
import { graphPrefix } from '../../graph/graph-layout.js';
import { slicePrefix, tableManifestName } from '../table-names.js';
import type { Consequence, SliceInStore } from './consequences.js';

export interface Repaired {
  /** The name of the damaged object. */
  readonly name: string;
  readonly how: string;
}

/** How tables are made again. */
export interface Repairing {
  /** Solves and verifies a slice whose objects were deleted, and returns the digests of its table. */
  solveAgain(at: SliceInStore): Promise<TableManifest['digests']>;
  /** The file that a graph can be made from again; null if it is not known. Called before anything of the graph is deleted. */
  sourceOf?(graph: string): Promise<string | null>;
  /** Imports a graph whose objects were deleted, solves and verifies it. */
  solveGraphAgain?(graph: string, metric: Metric, source: string): Promise<TableManifest['digests']>;
}

/** Repairs what can be made from the store and the sources of graphs; what is not among the results is still damaged. */
export async function repair(
  store: Store,
  damaged: readonly Consequence[],
  repairing: Repairing,
): Promise<Repaired[]> {
  const repaired: Repaired[] = [];
  for (const { name, isRecord } of damaged) {
    if (!isRecord) continue;
    await store.delete(name);
    repaired.push({ name, how: 'deleted: nothing that is solved depends on it' });
  }
  const works = [...graphsToMake(damaged, repairing), ...slicesToMake(damaged, repairing)];
  // All of them go before any is solved: one may be made from another.
  const ready: { work: Work; removed: Removed[] }[] = [];
  for (const work of works) {
    // A person has to make room first.
    if (damaged.some(({ name, isInTheWay }) => isInTheWay === true && work.isOf(name))) continue;
    if (!(await work.isPossible())) continue;
    const removed: Removed[] = [];
    for (const folder of work.folders) removed.push(await removeSlice(store, folder));
    if (work.graph !== null) await deleteAll(store, await store.list(`${graphPrefix(work.graph)}/`));
    ready.push({ work, removed });
  }
  for (const { work, removed } of ready) {
    const hows: string[] = [];
    for (const [i, at] of work.folders.entries()) {
      const how = await makeAgain(() => work.make(at), removed[i], work.graph !== null);
      if (how !== null) hows.push(how);
    }
    if (hows.length < work.folders.length) continue;
    const how = [...new Set(hows)].join('; ') || 'deleted: to solve the graph again begins it again';
    repaired.push(...work.names.map((name) => ({ name, how })));
  }
  return repaired;
}

/** Tables to be deleted and made again, and all damaged objects that this mends. */
interface Work {
  readonly names: readonly string[];
  readonly folders: readonly SliceInStore[];
  /** The graph whose import is made again, too. */
  readonly graph: string | null;
  isOf(name: string): boolean;
  isPossible(): Promise<boolean>;
  make(at: SliceInStore): Promise<TableManifest['digests']>;
}

/** Damaged slices whose objects are made from others in the store. */
function slicesToMake(damaged: readonly Consequence[], { solveAgain }: Repairing): Work[] {
  const slices = new Map<string, { at: SliceInStore; names: string[] }>();
  const imports = new Set(
    damaged.flatMap(({ remake }) => (remake?.task === 'solve graph' ? remake.graph : [])),
  );
  for (const { name, slice } of damaged) {
    // The table of a graph is made again with its import.
    if (slice === null || (slice.game.name === GRAPH && imports.has(slice.slice))) continue;
    const key = `${slicePrefix(slice.game.name, slice.metric, slice.slice)}/`;
    slices.set(key, { at: slice, names: [...(slices.get(key)?.names ?? []), name] });
  }
  return [...slices].map(([key, { at, names }]) => ({
    names,
    folders: [at],
    graph: null,
    isOf: (name) => `${name}/`.startsWith(key),
    isPossible: async () => true,
    make: solveAgain,
  }));
}

/** Graphs whose imports are damaged: all that was made from them is made again from their sources. */
function graphsToMake(damaged: readonly Consequence[], { sourceOf, solveGraphAgain }: Repairing): Work[] {
  const found = new Map<string, { names: string[]; tables: Set<string> }>();
  for (const { name, remake, dependents } of damaged) {
    if (remake?.task !== 'solve graph') continue;
    const graph = found.get(remake.graph) ?? { names: [], tables: new Set() };
    found.set(remake.graph, graph);
    graph.names.push(name);
    for (const table of dependents) graph.tables.add(table);
  }
  for (const { name, slice } of damaged) {
    if (slice?.game.name !== GRAPH) continue;
    found.get(slice.slice)?.names.push(name);
    found.get(slice.slice)?.tables.add(`${slice.metric}/${slice.slice}`);
  }
  return [...found].map(([graph, { names, tables }]) => {
    let source: string | null = null;
    const solved = metrics.filter((metric) => tables.has(`${metric}/${graph}`));
    const folders = solved.map((metric) => `${slicePrefix(GRAPH, metric, graph)}/`);
    return {
      names,
      folders: solved.map((metric) => ({ game: graphs, metric, slice: graph })),
      graph,
      isOf: (name) => [`${graphPrefix(graph)}/`, ...folders].some((folder) => `${name}/`.startsWith(folder)),
      async isPossible() {
        source = (await sourceOf?.(graph)) ?? null;
        // Without tables it is an import that was not at its end.
        return solved.length === 0 || (source !== null && solveGraphAgain !== undefined);
      },
      make: ({ metric }) => solveGraphAgain!(graph, metric, source!),
    };
  });
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
  const table = await readRecord(store, name, TableManifest, 'manifest', FORMAT_VERSION).catch(nullIfDamaged);
  await store.delete(name);
  await deleteAll(store, listed);
  return { wasSolved, digests: table?.digests.join() ?? null };
}

function nullIfDamaged(error: unknown): null {
  if (error instanceof StorageError) return null;
  throw error;
}

/** How the slice was made again; null if it differs from the slice before. */
async function makeAgain(
  solveAgain: () => Promise<TableManifest['digests']>,
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
