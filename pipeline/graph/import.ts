/**
 * Import: turns names into numbers by sorting, so that a graph is what the rounds work on. Nodes are a dense run,
 * edges are in the order of the nodes that they come from.
 *
 *   source ─ read ─┬─ (key | node) ─ distribute / gather ────────────────────▶ index of names ─┐
 *                  └─ (key of target | node) ─ distribute / gather ───── match ────────────────┘
 *                                                                          └─▶ (node | target) ─ distribute / gather ─▶ successors
 *
 * Edges that are listed separately from their nodes have two names. Both are matched. The answers are put in the order of
 * the edges' numbers, and brought together. I/O: for E edges and N nodes sort(N) + 2 sort(E), two more sort(E) each
 * for separate edges.
 *
 * Interruption: reading is committed (steps.ts), in strides if the source can go on from places in it, then the
 * index. What comes after is done again. What was distributed lies in the store until then, written once as in
 * scratch. A graph that is read in a moment and fits memory is one step.
 */
import { type Budget, split } from '../../operators/core/budget.js';
import { newCounters } from '../../operators/core/counters.js';
import { UserError } from '../../operators/core/errors.js';
import { orAbort } from '../../operators/core/or-abort.js';
import { gather } from '../../operators/gather.js';
import type { Cursor, RunRef } from '../../operators/runs/types.js';
import { deleteAll } from '../../operators/storage/delete-all.js';
import { asJoined, type Cut, edgesInPieces, indexInPieces, writeInPieces } from './cut-import.js';
import { divided } from './divided.js';
import { findNodes, type TakeFound, type Unknown } from './find-nodes.js';
import { requireGraphName } from './graph-game.js';
import { graphPrefix, NODE_MASK, PART_NODES } from './graph-layout.js';
import { type IdKey, KEY_MAJORS, keyOf, sameKey } from './ids.js';
import { writeIndex } from './index-run.js';
import { commitGraph, type GraphManifest, newGraphManifest, readGraphManifest } from './manifest.js';
import { joinNames } from './node-names.js';
import { FINDING, type ImportCrew } from './pieces.js';
import { COMMIT_ROWS, type ReadGraph, readGraph } from './read-graph.js';
import { layersOf, type Readers } from './read-share.js';
import { type Gatherable, newRowCollector, poolOf, putWords } from './row-collector.js';
import type { GraphSource, NodeId } from './source.js';
import { type ImportSteps, newSteps, openSteps, removeSteps } from './steps.js';
import type { ImportEnv } from './stride.js';
import { orderShift, writeSuccessors } from './successors.js';
import { TooLarge } from './too-large.js';
import { writeHeld } from './write-held.js';

export interface ImportOptions extends Omit<ImportEnv, 'counters'> {
  readonly source: GraphSource;
  /** The future name of the graph: letters, digits, - and _. */
  readonly name: string;
  /** Says whether the source is the one of an earlier import. */
  readonly fingerprint: string;
  /** Facts of the source that the manifest of the graph keeps. */
  readonly origin?: GraphManifest['origin'];
  /**
   * Samples the rules for the manifest. Called behind the last position, where keys were compared: asking for moves earlier would use up
   * what broken rules give only once, and hide the fault.
   */
  readonly rules?: () => GraphManifest['rules'];
  /** Called when a phase begins: with its nodes or rows, if they are known. */
  readonly phase: (phase: ImportPhase, total: number | null) => void;
  /** Nodes and edges after which reading is committed: {@link COMMIT_ROWS} if left out. */
  readonly commitRows?: number;
  /** Makes who does pieces of the import of a graph of several parts; without it this thread does all. Threads share the memory, unless `shared` says no. */
  readonly crew?: () => ImportCrew;
  /** Who read a source together that does not fit memory: for keyed games alone. Without them this thread does all. */
  readonly readers?: Readers;
  /** 'only': a graph that does not fit memory is not imported, and {@link TooLarge} thrown. 'never': that was found out before. */
  readonly inMemory?: 'only' | 'never';
  /** Called now and then while a graph is found in memory: what it returns is waited for. */
  readonly turn?: () => Promise<void> | undefined;
  /** Called now and then if a graph that is found in memory will probably not fit. True: it is given up, if that is not too early to say. */
  readonly large?: () => boolean;
}

/** Reading; making the index of names; finding the nodes that edges lead to, and ordering edges by those they come from. */
export type ImportPhase = 'import' | 'index' | 'successors';

/** Names that meet under so many seeds are not told apart. */
const SEEDS = 8;
/** The share of the memory for a graph that is held: while it is found there is nothing else but what it is expanded to. */
const HOLDING = 0.5;

/**
 * Imports the graph, if that was not done before, and goes on where an earlier call was interrupted.
 * @throws UserError for what is wrong with the source or the name, and if another graph was imported by that name.
 * DamageError if what an interrupted call has left is damaged.
 */
export async function importGraph(options: ImportOptions): Promise<GraphManifest> {
  const { source, name, store, fingerprint } = options;
  requireGraphName(name);
  const found = await readGraphManifest(store, name);
  if (found !== null) {
    if (found.fingerprint !== fingerprint)
      throw new UserError(
        `${store.uri} has a graph ${name} that was made from another ${found.source}: delete that one first, or give this one another name`,
      );
    await removeSteps(store, name);
    return found;
  }
  let steps = await openSteps(store, name, fingerprint, options.readers?.place?.kept);
  try {
    for (;;) {
      const manifest = await importOnce(options, steps);
      if (manifest !== null) {
        const graph = await commitGraph(store, manifest);
        await removeSteps(store, name);
        return graph;
      }
      if (steps.seed + 1 === SEEDS)
        throw new UserError(`${source.name}: two names of nodes cannot be told apart`);
      steps = await newSteps(store, name, fingerprint, steps.seed + 1);
    }
  } catch (error) {
    // Nobody goes on with what is wrong.
    if (error instanceof UserError) await newSteps(store, name, fingerprint, 0);
    throw error;
  }
}

/** Null if two names meet under the seed of the steps. */
async function importOnce(options: ImportOptions, steps: ImportSteps): Promise<GraphManifest | null> {
  const { source, name, fingerprint, origin, rules, store, phase, commitRows = COMMIT_ROWS } = options;
  const nameOf = (what: keyof GraphManifest['runs']) => `${graphPrefix(name)}/${what}.arrow`;
  const counters = newCounters();
  const env: ImportEnv = { ...options, counters, shared: options.shared ?? options.crew !== undefined };
  phase('import', null);
  const written = await importHeld(options, steps, { env, nameOf, commitRows });
  if (written !== null) return written;
  if (options.inMemory === 'only') throw new TooLarge();
  const read = await readGraph(source, steps, { ...env, commitRows }, options.readers);
  const cut = cutFor(options, read, env);
  let { indexed } = steps;
  if (indexed === null) {
    phase('index', read.nodes);
    const joined = { name: nameOf('names'), packed: source.packed === true };
    const [pieces, names] = await Promise.all([
      cut && indexInPieces(cut, read.keys!, nameOf('index')),
      joinNames(store, read.names, joined, counters),
    ]);
    let index = pieces ?? null;
    if (index === null) {
      const whole = await writeIndex(source, read.keys!, nameOf('index'), names, env);
      if (whole === null) return null;
      index = [whole];
    }
    indexed = { index, names };
    if (read.isCommitted) await steps.commitIndex(indexed, counters);
    await read.keys!.release();
    await deleteAll(
      store,
      read.names.flatMap(({ runs }) => runs.map(({ name }) => name)),
    );
  }
  const { targets, looseEdges } = read;
  // Rows of targets are matched; each end of separate edges is, too, and they are brought together; all are then ordered.
  phase('successors', 2 * targets.rows + 4 * (looseEdges?.from.rows ?? 0));
  const pieces = cut && (await edgesInPieces(cut, read, indexed.index, `${steps.prefix}edges.arrow`));
  const edges = pieces ?? (await resolve(source, read, steps.seed, indexed.index, env));
  try {
    const { nodes, edges: listed, statuses } = read;
    const parts = { from: 0, to: Math.ceil(nodes / PART_NODES) };
    const toWrite = { nodes, edges: listed, statuses, parts, stuck: source.stuck };
    const written = pieces
      ? await writeInPieces(cut, toWrite, pieces, nameOf)
      : asJoined([await writeSuccessors(toWrite, edges, nameOf, env)]);
    return newGraphManifest({
      name,
      source: source.name,
      fingerprint,
      origin,
      rules: rules?.(),
      players: [...source.head.players],
      nodes: read.nodes,
      edgesRead: read.edges,
      edges: written.edges,
      partEdges: [...written.partEdges],
      hubs: written.hubs,
      ...(source.scored === true ? { scores: [...written.scores] } : {}),
      ...(read.compared === undefined ? {} : { movesCompared: read.compared }),
      ...(read.boards === undefined ? {} : { boards: read.boards }),
      ...(read.layers === undefined ? {} : { layers: read.layers }),
      seed: steps.seed,
      idKind: read.idKind,
      runs: { ...indexed, ...written.runs },
      counters: steps.counted(counters),
    });
  } finally {
    await edges.release();
  }
}

/** Who does pieces of the import, of a graph of several parts whose rows they can read. */
function cutFor(options: ImportOptions, read: ReadGraph, env: ImportEnv): Cut | undefined {
  if (read.looseEdges !== null || read.nodes <= PART_NODES) return undefined;
  const crew = options.crew?.();
  if (crew === undefined || (crew.sharing === 'store' && !read.isCommitted)) return undefined;
  const each = crew.sharing === 'memory' ? divided(env.budget, crew.workers) : env.budget;
  return { crew, env: { ...env, budget: each } };
}

interface HeldImport {
  readonly env: ImportEnv;
  readonly nameOf: (what: keyof GraphManifest['runs']) => string;
  readonly commitRows: number;
}

/** The import of a graph that is found in a moment, and fits memory: nothing of it is sorted; null if it is none. */
async function importHeld(
  { source, name, fingerprint, origin, rules, phase, inMemory, turn, large }: ImportOptions,
  steps: ImportSteps,
  { env, nameOf, commitRows }: HeldImport,
): Promise<GraphManifest | null> {
  if (source.hold === undefined || inMemory === 'never') return null;
  if (steps.read.length > 0 || steps.indexed !== null) return null;
  const listeners = { ...(turn && { turn }), ...(large && { large }) };
  const room = { memory: HOLDING * env.budget.memory, rows: commitRows, ...listeners };
  const held = await source.hold(room, env.report);
  if (held === null) return null;
  phase('index', 2 * held.nodes);
  const layers = layersOf(source);
  const { runs, hubs, scores, edges, partEdges } = await writeHeld(held, source.stuck, nameOf, env);
  return newGraphManifest({
    name,
    source: source.name,
    fingerprint,
    origin,
    rules: rules?.(),
    players: [...source.head.players],
    nodes: held.nodes,
    edgesRead: held.edges,
    edges,
    partEdges: [...partEdges],
    hubs,
    ...(source.scored === true ? { scores: [...scores] } : {}),
    ...(layers === undefined ? {} : { layers }),
    movesCompared: held.compared,
    boards: held.boards,
    seed: steps.seed,
    idKind: 'integer',
    runs,
    counters: steps.counted(env.counters),
  });
}

/** The edges as (node | successor and its side), majors 2^{@link orderShift} nodes. */
async function resolve(
  source: GraphSource,
  read: ReadGraph,
  seed: number,
  index: readonly RunRef[],
  env: ImportEnv,
): Promise<Gatherable> {
  const shift = orderShift(read, env.budget);
  const majors = Math.ceil(read.nodes / 2 ** shift);
  const shares = split(env.budget, FINDING);
  const edges = newRowCollector({ majors, payload: 1, pool: poolOf(shares.edges) }, env);
  const finding = { ...env, order: shares.order };
  const find = async (names: Gatherable, numbersOf: 'node' | 'edge', found: TakeFound): Promise<void> => {
    const none = await findNodes(names, { from: 0, to: KEY_MAJORS }, index, finding, found);
    if (none !== null) throw await unknown(source, numbersOf, none, seed);
  };
  const ends: Gatherable[] = [];
  try {
    await find(read.targets, 'node', (from, words, length) => putWords(edges, from, words, length, shift));
    if (read.looseEdges !== null) {
      for (const which of ['from', 'to'] as const) {
        const pool = poolOf(shares[which]);
        const numbered = newRowCollector({ majors: NUMBER_MAJORS, payload: 1, pool }, env);
        const names = read.looseEdges[which];
        const put: TakeFound = (edges, words, length) =>
          putWords(numbered, edges, words, length, NUMBER_SHIFT);
        await orAbort(numbered, () => find(names, 'edge', put));
        ends.push(await numbered.finish());
      }
      const order = orderEnv(env, shares.apartOrder);
      const [from, to] = ends.map((end) => gather(end.sources, { from: 0, to: NUMBER_MAJORS }, 1, order));
      for await (const { nodes, words, length } of paired(from, to)) {
        for (let i = 0; i < length; i++) nodes[i] &= NODE_MASK;
        await putWords(edges, nodes, words, length, shift);
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
  { number, key: wanted }: Unknown,
  seed: number,
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

function orderEnv({ scratch, counters }: ImportEnv, budget: Budget) {
  return { budget, scratch, counters };
}
