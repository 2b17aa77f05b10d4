/**
 * Graphs in a store by the files that they were made from. A graph is called by its file's name, sanitised; where another file has taken
 * that name, a part of the file's digest follows it: two files of one name are two graphs. Whether a graph is that of a file, its
 * digest alone shows.
 *
 * Cost: a small manifest, and a digest of the file if a graph was made from a file of as many bytes. If the graph has another name than its file,
 * the manifests of all graphs of the store.
 */
import { resolve } from 'node:path';
import { UserError } from '../../operators/core/errors.js';
import { oneOf } from '../../operators/core/once.js';
import type { Store } from '../../operators/storage/store.js';
import { graphPrefix } from '../../pipeline/graph/graph-layout.js';
import { type GraphManifest, listGraphs, readGraphManifest } from '../../pipeline/graph/manifest.js';
import { whatIs } from '../cli/what-is.js';
import { digestOf } from './digest.js';
import { nameOfFile } from './name-of-file.js';

/** Digits of a digest in the name of a graph. */
const DIGITS = 8;

/** The name of a graph whose file's own name is taken by another file. */
export function secondName(path: string, digest: string): string {
  return `${nameOfFile(path)}-${digest.slice(0, DIGITS)}`;
}

/**
 * The name of the graph that was made from this file. Without the file it is the one that was made from a file at this path.
 * @throws UserError if there is none, with the command that solves it.
 */
export async function graphOfFile(path: string, store: Store): Promise<string> {
  const first = await readGraphManifest(store, nameOfFile(path));
  const file = whatIs(path);
  if (file === undefined || !file.isFile()) return madeFromPath(path, first, store);
  const isSame = comparing(path, file.size);
  if (first !== null && (await isSame(first))) return first.name;
  if (first === null && (await isBegun(store, nameOfFile(path)))) return nameOfFile(path);
  const others = await listGraphs(store);
  for (const other of others) if (other.name !== first?.name && (await isSame(other))) return other.name;
  const old = others.find((other) => isFrom(other, path) && hasOwnName(other, path));
  if (old !== undefined)
    throw new UserError(
      `${path} was changed since graph ${old.name} in ${store.uri} was made from it: run "mergemate solve ${path} --again"`,
    );
  const taken =
    first === null ? '' : ` (its graph ${first.name} was made from another file, ${first.source})`;
  throw new UserError(`${path} is not solved in ${store.uri}${taken}: run "mergemate solve ${path}" first`);
}

/** Where a file is to be solved. */
interface PlaceOfGraph {
  readonly name: string;
  /** Graphs that the solved one takes the place of: they were made from this file before it was changed. */
  readonly replaced: readonly string[];
}

/** The name by which a file is solved, and the graphs that were made from it before it was changed. */
export async function placeOfFile(path: string, store: Store): Promise<PlaceOfGraph> {
  const base = nameOfFile(path);
  const first = await readGraphManifest(store, base);
  const digest = await digestOf(path);
  if (first === null || first.fingerprint === digest) {
    // Nothing of this name, or this file itself: one look is enough.
    if (first !== null || !(await hasSecond(store, base))) return { name: base, replaced: [] };
  }
  const own = (await listGraphs(store)).filter((graph) => hasOwnName(graph, path));
  const same = own.find(({ fingerprint }) => fingerprint === digest);
  const replaced = own
    .filter((graph) => isFrom(graph, path) && graph.fingerprint !== digest)
    .map(({ name }) => name);
  if (same !== undefined) return { name: same.name, replaced };
  const isFree = first === null || replaced.includes(base);
  return { name: isFree ? base : secondName(path, digest), replaced };
}

/** Whether graphs have the name with a digest behind it. */
async function hasSecond(store: Store, base: string): Promise<boolean> {
  return (await store.list(`${graphPrefix(base)}-`)).length > 0;
}

/** Compares a graph with a file of so many bytes, whose digest is made once, when first needed. */
function comparing(path: string, bytes: number): (graph: GraphManifest) => Promise<boolean> {
  const digest = oneOf(() => digestOf(path));
  return async ({ fingerprint, origin, rules }) => {
    if (rules !== undefined || (origin !== undefined && origin.bytes !== bytes)) return false;
    return (await digest()) === fingerprint;
  };
}

/** Whether a graph was made from a file at this path. Earlier releases kept the path as it was typed. */
function isFrom({ origin, source }: GraphManifest, path: string): boolean {
  return (origin?.path ?? resolve(source)) === resolve(path);
}

/** Whether it has the name that its file gave it, and none that was chosen. */
function hasOwnName({ name, fingerprint }: GraphManifest, path: string): boolean {
  return name === nameOfFile(path) || name === secondName(path, fingerprint);
}

/** The graphs that were made from a file at this path, whatever it holds now. */
export async function graphsFromPath(path: string, store: Store): Promise<string[]> {
  return (await listGraphs(store)).filter((graph) => isFrom(graph, path)).map(({ name }) => name);
}

async function madeFromPath(path: string, first: GraphManifest | null, store: Store): Promise<string> {
  if (first !== null && isFrom(first, path)) return first.name;
  const [found] = await graphsFromPath(path, store);
  if (found !== undefined) return found;
  throw new UserError(
    `there is no file ${path}, and no graph in ${store.uri} was made from it ("mergemate status graph" lists its graphs)`,
  );
}

/** Whether the import of a graph was interrupted. */
async function isBegun(store: Store, name: string): Promise<boolean> {
  return (await store.list(`${graphPrefix(name)}/`)).length > 0;
}
