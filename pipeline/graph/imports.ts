/**
 * The imports that a store holds: which objects are a graph's, and which of them are in use. What an import writes is its own
 * business; here it is taken for manifests (JSON) and runs. In use are those runs that manifests name: the graph's, once it is
 * there, else all there are.
 */
import { z } from 'zod';
import type { Store } from '../../operators/storage/store.js';
import { readManifest } from '../game/manifest.js';
import type { Garbage } from '../tables/records/garbage.js';
import { isGraphName } from './graph-game.js';
import { graphPrefix } from './graph-layout.js';
import { GRAPH_VERSIONS, graphManifestName } from './manifest.js';

/** Manifests, runs, and runs that have numbers for names. What is called otherwise is not ours. */
const OURS = /\.json$|\.arrow$|\/\d+$/;

/** The imported part of a graph so far. */
export interface ImportObjects {
  readonly graph: string;
  /** Full names, ascending. */
  readonly names: readonly string[];
  /** Whether the import came to its end. */
  readonly complete: boolean;
}

/** The graph that an object was imported for; null if it is none's. */
export function graphOf(name: string): string | null {
  const prefix = graphPrefix('');
  if (!name.startsWith(prefix)) return null;
  const graph = /^([^/]+)\/./.exec(name.slice(prefix.length))?.[1];
  return graph !== undefined && isGraphName(graph) ? graph : null;
}

/** The imports in a listing of a store, by name. */
export function importsAmong(listing: readonly string[]): ImportObjects[] {
  const found = new Map<string, string[]>();
  for (const name of [...listing].sort()) {
    const graph = graphOf(name);
    if (graph !== null) found.set(graph, [...(found.get(graph) ?? []), name]);
  }
  return [...found].map(([graph, names]) => ({
    graph,
    names,
    complete: names.includes(graphManifestName(graph)),
  }));
}

/**
 * The garbage of a graph's import: runs of attempts that died and, once the import is complete, objects that only an unfinished one
 * needs. An import at work has runs that no manifest names yet: only their age shows it.
 * @throws DamageError if a manifest is damaged, because then it is unknown which objects are in use.
 */
export async function findImportGarbage(
  store: Store,
  { graph, names, complete }: ImportObjects,
): Promise<Garbage[]> {
  const manifests = complete ? [graphManifestName(graph)] : names.filter((name) => name.endsWith('.json'));
  const used = new Set(manifests);
  for (const manifest of manifests) {
    const read = await textsIn(store, manifest);
    // It went away since it was listed: somebody imports the graph now.
    if (read === null) return [];
    for (const text of read) used.add(text);
  }
  const group = graphPrefix(graph);
  return names.flatMap<Garbage>((name) => {
    if (used.has(name) || !OURS.test(name)) return [];
    if (complete) return { name, why: name.endsWith('.json') ? 'left over' : 'passing', group: null };
    return { name, why: 'orphan', group };
  });
}

const AnyManifest = z.looseObject({ version: z.literal(GRAPH_VERSIONS) });

/** All texts in a manifest: among them are the names of its runs. Null if it is not there. */
async function textsIn(store: Store, name: string): Promise<string[] | null> {
  const manifest = await readManifest(store, name, AnyManifest);
  return manifest === null ? null : textsOf(manifest);
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}
