/**
 * Deletes what is solved: slices of a game, a graph, or all of a game whose rules were changed.
 *
 * Manifests go first, those of tables before all others: a table is there as a whole, or it is not there. Whoever is killed in between
 * leaves runs that no manifest names, and the next call, or the next solve, deletes them. What says which source the tables were made from,
 * a graph's manifest or a game's record of rules, goes behind all tables: what is left is never taken for that of another source.
 */
import { UserError } from '../../operators/core/errors.js';
import { deleteAll } from '../../operators/storage/delete-all.js';
import type { Store } from '../../operators/storage/store.js';
import { metrics } from '../../pipeline/game/value.js';
import { GRAPH } from '../../pipeline/graph/graph-game.js';
import { graphPrefix } from '../../pipeline/graph/graph-layout.js';
import { graphManifestName } from '../../pipeline/graph/manifest.js';
import { rulesRecordName } from '../game-module/same-rules.js';
import { whoWorks } from './claims.js';

/** Objects of a store to be deleted, all of one group before any of the next. */
export interface Removal {
  /** Names it for people. */
  readonly what: string;
  readonly game: string;
  /** Whether work at "METRIC/SLICE", or at the graph of a name, is work at it. */
  readonly concerns: (claimed: string) => boolean;
  readonly groups: readonly (readonly string[])[];
}

export function objectsOf({ groups }: Removal): string[] {
  return groups.flat();
}

/** All that is solved of a slice of a game, under all metrics or one. */
export async function sliceRemoval(
  store: Store,
  game: string,
  slices: readonly string[],
  metric: string | null,
): Promise<Removal> {
  const wanted = new Set(slices);
  const under: readonly string[] = metric === null ? metrics : [metric];
  const listed = await listEach(
    store,
    under.map((each) => `${game}/${each}/`),
  );
  const isIn = (name: string) => wanted.has(name.split('/')[2]);
  return {
    what: `${slices.join(', ')} of ${game}`,
    game,
    concerns: (claimed) => {
      const [at, slice] = claimed.split('/');
      return under.includes(at) && wanted.has(slice);
    },
    groups: manifestsFirst(listed.filter(isIn)),
  };
}

/** All tables of a game, whatever its slices were called, and the record of its rules. */
export async function gameRemoval(store: Store, game: string): Promise<Removal> {
  const listed = await listEach(
    store,
    metrics.map((metric) => `${game}/${metric}/`),
  );
  const record = rulesRecordName(game);
  const isKept = (await store.size(record)) !== null;
  return {
    what: `the tables of ${game}`,
    game,
    concerns: () => true,
    groups: [...manifestsFirst(listed), isKept ? [record] : []],
  };
}

/** A graph: its tables, and what was imported. */
export async function graphRemoval(store: Store, name: string): Promise<Removal> {
  const tables = await listEach(
    store,
    metrics.map((metric) => `${GRAPH}/${metric}/${name}/`),
  );
  const imported = await store.list(`${graphPrefix(name)}/`);
  const manifest = graphManifestName(name);
  const others = imported.filter((each) => each !== manifest);
  return {
    what: `graph ${name}`,
    game: GRAPH,
    concerns: (claimed) => claimed === name,
    groups: [
      ...manifestsFirst(tables),
      imported.includes(manifest) ? [manifest] : [],
      ...manifestsFirst(others),
    ],
  };
}

/** @throws UserError while a process works at it; StorageError if something cannot be deleted. */
export async function remove(store: Store, removal: Removal): Promise<void> {
  const { game, what, concerns, groups } = removal;
  const worker = await whoWorks(store, game, concerns);
  if (worker !== null)
    throw new UserError(`${what} in ${store.uri}: ${worker} is at work on it: nothing was deleted`);
  for (const names of groups) await deleteAll(store, names);
}

async function listEach(store: Store, prefixes: readonly string[]): Promise<string[]> {
  return (await Promise.all(prefixes.map((prefix) => store.list(prefix)))).flat();
}

/** Tables, other manifests, all else. */
function manifestsFirst(names: readonly string[]): string[][] {
  const isTable = (name: string) => name.endsWith('/table.json');
  const isManifest = (name: string) => name.endsWith('.json') && !isTable(name);
  return [
    names.filter(isTable),
    names.filter(isManifest),
    names.filter((name) => !isTable(name) && !isManifest(name)),
  ];
}
