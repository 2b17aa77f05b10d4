/**
 * Import: turns names into numbers by sorting, so that a graph is what the rounds work on. Nodes are a dense run,
 * edges are in the order of the nodes that they come from.
 *
 *   source ─ read ─┬─ (key | node) ─ distribute / gather ────────────────────▶ index of names ─┐
 *                  └─ (key of target | node) ─ distribute / gather ───── match ────────────────┘
 *                                                                          └─▶ (node | target) ─ exchange ─▶ successors
 *
 * Edges that are listed separately from their nodes have two names. Both are matched. The answers are put in the order of
 * the edges' numbers, and brought together. I/O: for E edges and N nodes sort(N) + 2 sort(E), two more sort(E) each
 * for separate edges.
 *
 * The partitions of a crew (engine/crew/crew.ts) do it in steps, whether they are in this thread, in several or in ranks:
 *
 *   roots, layer-N, expand-N    positions of a game are found (finder.ts), and their rows are read; or read: the first reads a file
 *   stride-K                    what was read is committed, and where reading goes on
 *   index                       the index, of the keys that each partition owns; committed
 *   ends, edges                 names are matched with it, and edges sent to the partitions that write them
 *   nodes                       nodes and successors, by intervals of parts: the graph is there
 *
 * A process that is interrupted goes on from the last commit. A graph that is read in a moment and fits memory is not committed before
 * its end. A keyed game is first tried in mode `memory`: the same steps by a partition that has all in memory and sorts nothing
 * (held-partition.ts).
 */
import { assert, UserError } from '../../operators/core/errors.js';
import { orAbort } from '../../operators/core/or-abort.js';
import type { Store } from '../../operators/storage/store.js';
import { MemoryCrew } from '../engine/crew/crew.js';
import { memoryCarrier } from '../engine/phases/exchange.js';
import type { ChosenMode } from '../game/mode.js';
import { Import } from './do-import.js';
import { keyOwners } from './finder.js';
import { requireGraphName } from './graph-game.js';
import { HeldPartition } from './held-partition.js';
import { HELD_ROWS, type ImportCrews, type ImportOptions } from './import-options.js';
import { type Importer, ImportPartition, type ImportSetup } from './import-partition.js';
import { type GraphManifest, readGraphManifest } from './manifest.js';
import { dividedBudget } from './memory.js';
import type { Layer } from './source.js';
import {
  clearSteps,
  folderOfRanks,
  type ImportSteps,
  readSteps,
  removeImport,
  removeSteps,
  stepsPrefix,
} from './steps.js';
import { LimitReached, SameHash, TooLarge } from './too-large.js';

/** Seeds that are tried for the hash of names until no two names collide. */
const SEEDS = 8;

const STREAMING: ChosenMode = { mode: 'streaming', why: 'it does not fit the memory, or is not known to' };

/** Partitions in threads that share a memory, the first of them perhaps in this one. @param open one partition for each setup. */
export function threadCrews(
  of: number,
  open: (setups: readonly ImportSetup[], options: ImportOptions) => Promise<Importer[]>,
  chosen: ChosenMode = STREAMING,
): ImportCrews {
  return {
    ranks: null,
    async open(options, steps) {
      const owners = keyOwners(of);
      const budget = dividedBudget(options.budget, owners.length);
      const place = { of: owners.length, budget, prefix: stepsPrefix(options.name), attempt: '' };
      const setups = owners.map((_, self) => setupOf(steps, { ...place, self, shared: of > 1 }));
      const members = await open(setups, options);
      return new MemoryCrew(options.store, owners, new Map(members.entries()), chosen, true);
    },
  };
}

/** One partition, in this thread. */
const HERE = threadCrews(1, async (setups, options) =>
  setups.map((setup) => new ImportPartition(setup, { ...options, carrier: memoryCarrier(false) })),
);

/** One partition, in this thread, that has all in memory. */
const IN_MEMORY = threadCrews(
  1,
  async (setups, { source, commitRows: rows, crews, ...world }) => {
    assert(
      source.game !== undefined && rows !== undefined,
      'so many positions of a game are found in memory',
    );
    // Ranks begin with the same steps, whatever the leading one has found alone.
    const goesOn = (crews?.ranks ?? null) === null;
    return setups.map(
      (setup) => new HeldPartition(setup, { ...world, source, rows, goesOn, carrier: memoryCarrier(false) }),
    );
  },
  { mode: 'memory', why: 'whether a keyed game fits the memory shows only when that is tried' },
);

/** The task of a partition that continues from the last commit. */
export function setupOf(
  { name, seed, strides }: ImportSteps,
  place: Pick<ImportSetup, 'self' | 'of' | 'budget' | 'prefix' | 'attempt' | 'shared'>,
): ImportSetup {
  const last = strides.at(-1);
  const told = last?.told ?? { nodes: 0, edges: 0, apart: 0, texts: 0 };
  return { ...place, graph: name, seed, stride: strides.length, told, place: last?.place ?? null };
}

/**
 * Imports the graph, if that was not done before, and goes on where an earlier call was interrupted.
 * @throws UserError for what is wrong with the source or the name, and if another graph was imported by that name.
 * DamageError if what an interrupted call has left is damaged. Overtaken if another process was ahead: then it is to be called again.
 * UserError, too, if this process imports it already: both calls would write the same runs, and delete each other's.
 */
export async function importGraph(given: ImportOptions): Promise<GraphManifest> {
  const { store, name, crews = HERE } = given;
  // Ranks import a graph together.
  if (crews.ranks !== null) return importOnce(given);
  const place = placeOf(store);
  const names = importing.get(place) ?? new Set();
  if (names.has(name))
    throw new UserError(`${store.uri}: graph ${name} is being imported by this process: wait for it`);
  importing.set(place, names.add(name));
  try {
    return await importOnce(given);
  } finally {
    names.delete(name);
    if (names.size === 0) importing.delete(place);
  }
}

/** The names of the graphs that this process imports, by store. */
const importing = new Map<Store | string, Set<string>>();

/** Two stores with one URI are one place, unless they are in memory: their URI names none. */
function placeOf(store: Store): Store | string {
  return store.uri.endsWith(':') ? store : store.uri;
}

async function importOnce(given: ImportOptions): Promise<GraphManifest> {
  const { source, name, store, fingerprint, crews = HERE } = given;
  const { ranks } = crews;
  const isLeading = ranks?.isLeading ?? true;
  requireGraphName(name);
  const there = await readGraphManifest(store, name);
  if (there !== null) {
    if (there.fingerprint !== fingerprint)
      throw new UserError(
        `${store.uri} has a graph ${name} that was made from another ${there.source}: delete that one first, or give this one another name`,
      );
    if (isLeading) await removeSteps(store, there);
    return there;
  }
  let steps = await readSteps(store, name, fingerprint);
  let reported = 0;
  /** A graph that cannot be held is found again from its roots. */
  const found = (layer: Layer): void => {
    if (layer.moves < reported) return;
    reported = layer.moves + 1;
    given.found?.(layer);
  };
  const options = { ...given, found };
  if (isLeading) await clearSteps(store, steps, ranks === null ? undefined : folderOfRanks(steps, ranks.of));
  try {
    options.phase('import', null);
    let graph = isLeading ? await importInMemory(options, steps) : null;
    if (graph === null && options.inMemory === 'only') throw new TooLarge();
    if (graph === null && ranks === null) steps = await readSteps(store, name, fingerprint);
    for (; graph === null; steps = { ...steps, seed: steps.seed + 1, strides: [], index: null }) {
      if (steps.seed === SEEDS)
        throw new UserError(`${source.name}: two names of nodes cannot be told apart`);
      graph = await importBy(crews, options, steps);
    }
    if (isLeading) await removeSteps(store, graph);
    return graph;
  } catch (error) {
    // An import of a faulty source cannot be continued.
    const isFaulty = error instanceof UserError && !(error instanceof LimitReached);
    if (isFaulty && isLeading) await removeImport(store, name);
    throw error;
  }
}

/**
 * A keyed game whose positions are few is found in memory, unless an import of it is begun. Null if there is no room: what was found may then
 * be committed as the first stride.
 */
async function importInMemory(options: ImportOptions, steps: ImportSteps): Promise<GraphManifest | null> {
  const { source, inMemory, commitRows = HELD_ROWS } = options;
  if (source.game === undefined || inMemory === 'never' || steps.strides.length > 0) return null;
  for (let { seed } = steps; seed < SEEDS; seed++) {
    try {
      return await importBy(IN_MEMORY, { ...options, commitRows }, { ...steps, seed });
    } catch (error) {
      if (error instanceof TooLarge) return null;
      if (!(error instanceof SameHash)) throw error;
    }
  }
  return null;
}

/** Null if two names collide under the seed. */
async function importBy(
  crews: ImportCrews,
  options: ImportOptions,
  steps: ImportSteps,
): Promise<GraphManifest | null> {
  const crew = await crews.open(options, steps);
  const close = () => crew.each((partition) => partition.close());
  const graph = await orAbort({ abort: () => close().catch(() => {}) }, () =>
    new Import({ ...options, crews }, steps, crew).run(),
  );
  await close();
  return graph;
}
