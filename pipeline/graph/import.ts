/**
 * Import: turns names into numbers by sorting, so that a graph is what the rounds work on: nodes in a dense run, edges in
 * the order of the nodes that they come from.
 *
 *   source ─ read ─┬─ (key | node) ─ distribute / gather ────────────────────▶ index of names ─┐
 *                  └─ (key of target | node) ─ distribute / gather ───── match ────────────────┘
 *                                                                          └─▶ (node | target) ─ distribute / gather ─▶ successors
 *
 * Edges that are told apart from their nodes have two names: both are matched, the answers put in the order of the edges'
 * numbers, and brought together. I/O: for E edges and N nodes sort(N) + 2 sort(E), two more sort(E) each for edges told
 * apart. It is one step: an interruption loses it, what it wrote is deleted by the next attempt.
 */
import { type Counters, newCounters } from '../../operators/core/counters.js';
import { UserError } from '../../operators/core/errors.js';
import { gather } from '../../operators/gather.js';
import { match, NONE } from '../../operators/match.js';
import type { Cursor } from '../../operators/runs/types.js';
import { commitManifest } from '../manifest.js';
import { type IdKey, KEY_MAJORS, keyOf, REST_MASK, sameKey } from './ids.js';
import { openIndexCursor, writeIndex } from './index-run.js';
import { graphPrefix, NODE_MASK, SIDE_BIT } from './layout.js';
import { GraphManifest, graphManifestName, newGraphManifest, readGraphManifest } from './manifest.js';
import { type ImportEnv, type ReadGraph, readGraph } from './read-graph.js';
import { type Gatherable, newRowCollector } from './row-collector.js';
import type { GraphSource, NodeId } from './source.js';
import { orderShift, writeSuccessors } from './successors.js';

export interface ImportOptions extends Omit<ImportEnv, 'counters'> {
  readonly source: GraphSource;
  /** What the graph will be called: letters, digits and dashes. */
  readonly name: string;
  /** Tells whether the source is the one of an earlier import. */
  readonly fingerprint: string;
}

/** Names that meet under so many seeds are not told apart. */
const SEEDS = 8;

/**
 * Imports the graph, if that was not done before.
 * @throws UserError for what is wrong with the source or the name, and if another graph was imported by that name.
 */
export async function importGraph(options: ImportOptions): Promise<GraphManifest> {
  const { source, name, store, fingerprint } = options;
  if (!/^[a-z0-9][a-z0-9-]*$/i.test(name))
    throw new UserError(`${JSON.stringify(name)} cannot be a graph's name: letters, digits and dashes can`);
  const found = await readGraphManifest(store, name);
  if (found !== null) {
    if (found.fingerprint === fingerprint) return found;
    throw new UserError(
      `${store.uri} has a graph ${name} that was made from another ${found.source}: give this one another name (--name)`,
    );
  }
  for (let seed = 0; seed < SEEDS; seed++) {
    // What an interrupted import, or one with another seed, has left.
    for (const left of await store.list(`${graphPrefix(name)}/`)) await store.delete(left);
    const counters = newCounters();
    const manifest = await importOnce(options, seed, counters);
    if (manifest === null) continue;
    return commitManifest(store, graphManifestName(name), manifest, GraphManifest);
  }
  throw new UserError(`${source.name}: two names of nodes cannot be told apart`);
}

/** Null if two names meet under this seed. */
async function importOnce(
  options: ImportOptions,
  seed: number,
  counters: Counters,
): Promise<GraphManifest | null> {
  const { source, name, fingerprint } = options;
  const env: ImportEnv = { ...options, counters };
  const prefix = graphPrefix(name);
  const run = (what: string) => `${prefix}/${what}.arrow`;
  const runs = {
    index: run('index'),
    names: run('names'),
    nodes: run('nodes'),
    successors: run('successors'),
    hubs: run('hubs'),
  };
  const read = await readGraph(source, seed, runs.names, env);
  try {
    const indexed = await writeIndex(source, read.keys, runs, env);
    await read.keys.release();
    if (!indexed) return null;
    const edges = await resolve(source, read, seed, runs.index, env);
    try {
      const written = await writeSuccessors(source, read, edges, runs, env);
      return newGraphManifest({
        name,
        source: source.name,
        fingerprint,
        players: [...source.head.players],
        nodes: read.nodes,
        edgesRead: read.edges,
        edges: written.edges,
        hubs: written.hubs,
        seed,
        idKind: read.idKind,
        runs,
        counters: { ...counters },
      });
    } finally {
      await edges.release();
    }
  } finally {
    await read.targets.release();
    await read.apart?.from.release();
    await read.apart?.to.release();
    await options.scratch.store.delete(read.statuses);
  }
}

/** Of the memory, while targets are matched. */
const SHARES = { edges: 0.15, order: 0.25, numbered: 0.04, apartOrder: 0.1 };

/** The edges as (node | successor and its side), majors 2^{@link orderShift} nodes. */
async function resolve(
  source: GraphSource,
  read: ReadGraph,
  seed: number,
  index: string,
  env: ImportEnv,
): Promise<Gatherable> {
  const shift = orderShift(read, env.budget);
  const edges = newRowCollector(Math.ceil(read.nodes / 2 ** shift), 1, SHARES.edges, env);
  const find = finder(source, seed, index, env);
  const ends: Gatherable[] = [];
  try {
    await find(read.targets, 'node', (node, word) => edges.put(node >>> shift, node, word));
    if (read.apart !== null) {
      for (const end of [read.apart.from, read.apart.to]) {
        const numbered = newRowCollector(NUMBER_MAJORS, 1, SHARES.numbered, env);
        await find(end, 'edge', (edge, word) => numbered.put(edge >>> NUMBER_SHIFT, edge, word)).catch(
          async (error) => {
            await numbered.abort();
            throw error;
          },
        );
        ends.push(await numbered.finish());
      }
      const order = orderEnv(env, SHARES.apartOrder);
      const [from, to] = ends.map((end) => gather([end], { from: 0, to: NUMBER_MAJORS }, 1, order));
      for await (const { nodes, words, length } of paired(from!, to!)) {
        for (let i = 0; i < length; i++) {
          const node = nodes[i]! & NODE_MASK;
          const sent = edges.put(node >>> shift, node, words[i]!);
          if (sent !== undefined) await sent;
        }
        env.report(length);
      }
    }
    return await edges.finish();
  } catch (error) {
    await edges.abort();
    throw error;
  } finally {
    for (const end of ends) await end.release();
  }
}

const NUMBER_SHIFT = 20;
const NUMBER_MAJORS = 2 ** (32 - NUMBER_SHIFT);

/**
 * Finds the nodes of names: joins rows (key | rest, number) with the index and hands each number out with its node and the
 * side of that. What has the numbers is for messages.
 */
function finder(source: GraphSource, seed: number, index: string, env: ImportEnv) {
  return async function find(
    names: Gatherable,
    numbersOf: 'node' | 'edge',
    found: (number: number, word: number) => Promise<void> | undefined,
  ): Promise<void> {
    const rows = gather([names], { from: 0, to: KEY_MAJORS }, 2, orderEnv(env, SHARES.order));
    const nodes = await openIndexCursor(env, index);
    for await (const { left, first, second } of match(rows, nodes, { mask: REST_MASK, ...env })) {
      const numbers = left.payload[1] as Uint32Array;
      for (let i = 0; i < left.length; i++) {
        if (second[i] === NONE) {
          const key = { major: left.major, minor: left.minor[i]!, rest: left.payload[0]![i]! & REST_MASK };
          throw await unknown(source, numbersOf, numbers[i]!, seed, key);
        }
        const taken = found(numbers[i]!, (second[i]! | (first[i]! & (1 << SIDE_BIT))) >>> 0);
        if (taken !== undefined) await taken;
      }
      env.report(left.length);
    }
  };
}

/** The payloads of two cursors that have the same keys, side by side. */
async function* paired(a: Cursor, b: Cursor) {
  const other = b[Symbol.asyncIterator]();
  let words: Uint32Array = new Uint32Array(0);
  try {
    for await (const batch of a) {
      const nodes = batch.payload[0] as Uint32Array;
      for (let from = 0; from < batch.length; ) {
        if (words.length === 0) {
          const next = await other.next();
          if (next.done) throw new Error('both ends of the edges have the same numbers');
          words = (next.value.payload[0] as Uint32Array).subarray(0, next.value.length);
        }
        const length = Math.min(batch.length - from, words.length);
        yield { nodes: nodes.subarray(from, from + length), words, length };
        words = words.subarray(length);
        from += length;
      }
    }
  } finally {
    await other.return?.();
  }
}

/** The user's error for a name at an edge that is no node's: with the first such name where it is. */
async function unknown(
  source: GraphSource,
  what: 'node' | 'edge',
  number: number,
  seed: number,
  wanted: IdKey,
): Promise<UserError> {
  const key: IdKey = { major: 0, minor: 0, rest: 0 };
  const isIt = (id: NodeId): boolean => {
    keyOf(id, seed, key);
    return sameKey(key, wanted);
  };
  const [where, id] =
    what === 'node'
      ? [await source.whereNode(number), await source.nameAtNode(number, isIt)]
      : [await source.whereEdge(number), await source.nameAtEdge(number, isIt)];
  const called = typeof id === 'string' ? JSON.stringify(id) : String(id);
  return new UserError(`${source.name}: ${where}: there is no node ${called}`);
}

function orderEnv({ budget, scratch, counters }: ImportEnv, fraction: number) {
  const memory = Math.floor(budget.memory * fraction);
  return { budget: { ...budget, memory }, scratch, counters };
}
