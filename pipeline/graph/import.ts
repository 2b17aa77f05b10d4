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
import type { Budget } from '../../operators/core/budget.js';
import { addCounters, newCounters } from '../../operators/core/counters.js';
import { assert, UserError } from '../../operators/core/errors.js';
import { orAbort } from '../../operators/core/or-abort.js';
import type { RunRef } from '../../operators/runs/types.js';
import type { Scratch } from '../../operators/storage/scratch.js';
import type { Store } from '../../operators/storage/store.js';
import { type Crew, MemoryCrew, type Step } from '../engine/crew/crew.js';
import { memoryCarrier } from '../engine/phases/exchange.js';
import { FORMAT_VERSION } from '../game/format-version.js';
import type { ChosenMode } from '../game/mode.js';
import type { RecordShape } from '../game/record.js';
import { type ImportStepName, type SliceStep, stepAt } from '../game/slice-objects.js';
import { objectOf, type Parcel } from '../game/step-manifests.js';
import { KEY_BITS } from '../games/yours/keyed/key-words.js';
import type { Unknown } from './find-nodes.js';
import { keyOwners, positionsAt } from './finder.js';
import { requireGraphName } from './graph-game.js';
import { IMPORT_VERSION } from './graph-layout.js';
import { HeldPartition } from './held-partition.js';
import { type IdKey, idText, keyOf, sameKey } from './ids.js';
import {
  type Importer,
  ImportPartition,
  type ImportSetup,
  type ReadGraph,
  type StrideRows,
  sumOf,
  sumOfCounts,
} from './import-partition.js';
import { openNodeIndex, type Twice } from './index-run.js';
import { GraphManifest, graphManifestName, newGraphManifest, readGraphManifest } from './manifest.js';
import { dividedBudget } from './memory.js';
import { type Names, openNames } from './node-names.js';
import { WrittenSuccessors } from './node-writer.js';
import type { GraphSource, Layer, NodeId, Place, SourceCounts } from './source.js';
import {
  clearSteps,
  folderOfRanks,
  type ImportSteps,
  IndexManifest,
  IndexPart,
  indexName,
  ReadManifest,
  ReadPart,
  ResolvedManifest,
  ResolvedPart,
  readSteps,
  removeImport,
  removeSteps,
  StrideManifest,
  StridePart,
  stepsFolder,
  stepsPrefix,
  strideName,
} from './steps.js';
import type { RowKind } from './stride.js';
import { LimitReached, SameHash, TooLarge } from './too-large.js';

export interface ImportOptions {
  readonly source: GraphSource;
  /** The future name of the graph: letters, digits, - and _. */
  readonly name: string;
  /** Identifies the content of the source: an interrupted import is continued only if its fingerprint is the same. */
  readonly fingerprint: string;
  /** Facts of the source that the manifest of the graph keeps. */
  readonly origin?: GraphManifest['origin'];
  /**
   * Samples the rules for the manifest. Called after the last position, when all keys were compared: listing moves earlier would consume
   * what faulty rules return only once, and so hide the fault.
   */
  readonly rules?: () => GraphManifest['rules'];
  readonly store: Store;
  readonly scratch: Scratch;
  readonly budget: Budget;
  /** Called every few thousand rows with the number of nodes or rows done since the last call. */
  readonly report: (done: number) => void;
  /** Called when a phase begins: with its nodes or rows, if they are known. */
  readonly phase: (phase: ImportPhase, total: number | null) => void;
  /** Called with each layer of a game, also with those that an earlier process found. */
  readonly found?: ((layer: Layer) => void) | undefined;
  /**
   * Nodes and edges after which reading is committed: {@link COMMIT_ROWS} if left out. A game with more of them is not found in memory:
   * {@link HELD_ROWS} if left out.
   */
  readonly commitRows?: number;
  /** Opens the partitions that do the import; by default one partition in this thread. */
  readonly crews?: ImportCrews | undefined;
  /**
   * Keyed games: once more positions than these are found, the import commits them and throws {@link LimitReached}. A later call with a
   * larger limit goes on from there. Layers are found as a whole, so the last one may be far beyond.
   */
  readonly atMost?: number | undefined;
  /** 'only': throws {@link TooLarge} for a graph that does not fit memory. 'never': does not try, because an earlier call has found that out. */
  readonly inMemory?: 'only' | 'never';
  /** Called every few thousand nodes while a graph is found in memory; the import waits for the promise that it returns. */
  readonly turn?: () => Promise<void> | undefined;
  /** Returns true to abandon the in-memory search early. Called after each layer once the growth of layers suggests that the graph will not fit. */
  readonly large?: () => boolean;
}

/** The threads or ranks that do an import. */
export interface ImportCrews {
  /** Null for threads. For ranks, which share nothing but the store: their number, and whether this one leads. */
  readonly ranks: { readonly isLeading: boolean; readonly of: number } | null;
  /** Opens a crew that continues from the last commit. */
  open(options: ImportOptions, steps: ImportSteps): Promise<Crew<Importer>>;
}

/** Reading; making the index of names; finding the nodes that edges lead to, and ordering edges by those they come from. */
export type ImportPhase = 'import' | 'index' | 'successors';

/** Seeds that are tried for the hash of names until no two names collide. */
const SEEDS = 8;
/**
 * Nodes and edges after which a stride is committed, if the source can go on from there. Fixed, so that strides are the same
 * everywhere: an interruption loses some ten seconds of reading.
 */
export const COMMIT_ROWS = 2 ** 23;
/** Nodes and edges that are found in memory: an interruption loses all of them, so they may be a few strides. */
export const HELD_ROWS = 2 ** 24;
/** More layers than this are too many for a manifest. */
const MOST_LAYERS = 2 ** 16;

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

/** A step of the import, to which the counters and the fingerprint of the source are added. */
type ImportStep<Part, Whole extends object> = Pick<
  Step<Part, Whole, Importer>,
  'kind' | 'part' | 'whole' | 'run'
> & {
  readonly manifest?: string;
  join(parts: readonly Part[]): Omit<Whole, 'version' | 'fingerprint' | 'seed' | 'counters'>;
};

/** The import of one process under one seed. */
class Import {
  private readonly strides: StrideManifest[];
  /** Counters of the committed steps, and of those since the last commit. */
  private readonly committed = newCounters();
  private since = newCounters();
  /** The number of positions of each layer found so far. */
  private readonly layers: number[] = [];
  /** Whether all that was read is in memory. */
  private fitsMemory = true;
  /** Objects that were sent since the last commit. */
  private sent: string[] = [];
  private readonly isWithinProcess: boolean;
  private readonly work: string;
  private readonly commitRows: number;

  constructor(
    private readonly options: ImportOptions,
    private readonly steps: ImportSteps,
    private readonly crew: Crew<Importer>,
  ) {
    const { crews, commitRows = COMMIT_ROWS } = options;
    const ranks = crews?.ranks ?? null;
    this.strides = [...steps.strides];
    for (const done of [...steps.strides, ...(steps.index === null ? [] : [steps.index])])
      addCounters(this.committed, { ...newCounters(), ...done.counters });
    this.isWithinProcess = ranks === null;
    this.work = ranks === null ? stepsFolder(steps.name) : folderOfRanks(steps, ranks.of);
    this.commitRows = commitRows;
  }

  /** Null if two names collide under the seed. */
  async run(): Promise<GraphManifest | null> {
    const { source, phase, store } = this.options;
    if (this.strides.at(-1)?.place !== null) await (source.game === undefined ? this.read() : this.find());
    const { nodes, edges, apart } = this.strides.at(-1)!.told;
    if (nodes === 0) throw new UserError(`${source.name}: there are no nodes`);
    const read = this.graphRead();
    phase('index', nodes);
    const made = this.steps.index ?? (await this.index(read));
    const { index, twice, names } = made;
    if (index === null) {
      await requireDifferentNames(source, await openNames(store, names, newCounters()), twice!);
      return null;
    }
    await requireRoots(this.options, { index: [...index], names }, this.steps.seed);
    // Rows of targets are matched; each end of separate edges is, too, and they are brought together; all are then ordered.
    phase('successors', 2 * (edges - apart) + 4 * apart);
    return this.write(read, { ...made, index });
  }

  /** Finds the positions of a game, layer by layer. */
  private async find(): Promise<void> {
    const { source, found = () => {}, atMost = Number.POSITIVE_INFINITY } = this.options;
    const { place = null } = this.strides.at(-1) ?? {};
    const { layers } = this;
    let total = 0;
    const addLayer = (positions: number): void => {
      total += positions;
      found({ moves: layers.push(positions) - 1, positions, total });
    };
    for (const positions of place?.at ?? []) addLayer(positions);
    let positions: readonly number[] = [];
    let sent: readonly Parcel[] = [];
    if (place === null)
      ({ sent } = await this.reading({ name: 'roots' }, (partition, again) => partition.roots(again)));
    else {
      await this.crew.each((partition) => partition.restore());
      positions = await positionsAt(place, this.crew.partitions.length, this.options.store, newCounters());
    }
    let isThere = place !== null;
    let isFull: boolean | undefined;
    for (let rows = 0; ; isThere = false) {
      if (!isThere) {
        const arrived = sent;
        ({ positions, full: isFull } = await this.reading(
          { name: 'layer', ply: layers.length },
          (partition) => partition.layer(arrived),
        ));
        const all = sumOf(positions);
        if (all > 0) addLayer(all);
        else if (!isFull) return this.endStride(null, rows);
        if (isFull || rows >= this.commitRows || total > atMost) {
          await this.endStride(layers, rows);
          rows = 0;
        }
      }
      if (total > atMost) throw new LimitReached(source.name, { atMost, total, moves: layers.length - 1 });
      if (isFull) throw new TooLarge();
      const [next, sizes] = [layers.length, positions];
      const first = total - sumOf(sizes);
      const expanded = await this.reading({ name: 'expand', ply: next - 1 }, (partition, again) =>
        partition.expand(next, first, sizes, again),
      );
      if (expanded.full) {
        await this.endStride(layers, rows);
        throw new TooLarge();
      }
      sent = expanded.sent;
      rows += expanded.rows;
    }
  }

  /** Reads a listed source. */
  private async read(): Promise<void> {
    for (let goesOn = true; goesOn; ) {
      const { more, rows } = await this.reading({ name: 'read', ply: this.strides.length }, (partition) =>
        partition.read(this.commitRows),
      );
      await this.endStride(null, rows);
      goesOn = more;
    }
  }

  private async reading(
    step: SliceStep<ImportStepName>,
    run: (partition: Importer, again: boolean) => Promise<ReadPart>,
  ): Promise<ReadManifest> {
    const done = await this.step<ReadPart, ReadManifest>(step, {
      kind: 'passing',
      part: ReadPart,
      whole: ReadManifest,
      run,
      join: (parts) => ({
        positions: parts.map(({ positions }) => positions),
        rows: sumOf(parts.map(({ rows }) => rows)),
        more: parts.some(({ more }) => more),
        held: parts.every(({ held }) => held),
        full: parts.some(({ full }) => full),
        sent: parts.flatMap(({ sent }) => sent ?? []),
      }),
    });
    this.sent.push(...done.sent.flatMap(objectOf));
    this.fitsMemory &&= done.held;
    return done;
  }

  /** Commits what was read. A small graph that fits memory is not worth writing. @param layers if the source goes on behind them. */
  private async endStride(layers: readonly number[] | null, rows: number): Promise<void> {
    const { strides, commitRows, options } = this;
    const isFirst = strides.length === 0 && layers === null && rows < commitRows;
    const holds = isFirst && this.isWithinProcess && this.fitsMemory;
    const before = strides.at(-1);
    const stride = await this.step<StridePart, StrideManifest>(
      { name: 'stride', ply: strides.length },
      {
        kind: holds ? 'passing' : 'labels',
        manifest: strideName(options.name, strides.length),
        part: StridePart,
        whole: StrideManifest,
        run: (partition) => partition.endStride(layers, holds),
        join: (parts) => {
          const places = parts.flatMap(({ place }) => place ?? []);
          const place = places.length === 0 ? null : joinedPlace(places);
          const isWhole = place === null && this.layers.length > 0 && this.layers.length <= MOST_LAYERS;
          return {
            told: sumOfCounts([before?.told ?? NO_COUNTS, ...parts.map(({ counts }) => counts)]),
            runs: parts.flatMap(({ runs }) => runs ?? []),
            place,
            ...(options.source.game !== undefined && { movers: true as const }),
            ...weightsOf(options.source),
            ...(isWhole && { layers: [...this.layers] }),
            ...(holds && { held: parts.map(({ held }) => held ?? {}) }),
          };
        },
      },
    );
    strides.push(stride);
    if (holds) return;
    const needed = new Set(stride.place?.runs.map(({ name }) => name));
    const passed = (before?.place?.runs ?? []).map(({ name }) => name).filter((name) => !needed.has(name));
    await this.crew.deleteShare([...passed, ...this.sent.splice(0)]);
  }

  /** Whether all that was read is in memory, and nothing committed. */
  private get isHeld(): boolean {
    return this.strides.some(({ held }) => held !== undefined);
  }

  /** What all strides say of the graph. */
  private graphRead(): ReadGraph {
    const { strides } = this;
    const { nodes, edges, apart } = strides.at(-1)!.told;
    const rowsOf = (kind: RowKind): StrideRows => ({
      held: strides.flatMap(({ held = [] }) => held.flatMap((each) => each[kind] ?? [])),
      kept: strides.flatMap(({ runs }) => runs.flatMap((each) => each[kind] ?? [])),
    });
    const columnsOf = (of: 'names' | 'statuses') =>
      strides.map(({ runs }) => ({
        runs: runs.map((each) => each[of]),
        pieces: runs.flatMap(({ pieces }) => (pieces === undefined ? [] : [pieces])),
      }));
    return {
      nodes,
      edges: edges + apart,
      apart,
      // Earlier versions may have begun the import.
      hasWeights: strides.every(({ weights }) => weights === true),
      rows: { keys: rowsOf('keys'), targets: rowsOf('targets'), from: rowsOf('from'), to: rowsOf('to') },
      names: columnsOf('names'),
      statuses: columnsOf('statuses'),
      moves: strides.map(({ told, runs }, i) => ({
        nodes: told.nodes - (strides[i - 1]?.told.nodes ?? 0),
        run: runs.find(({ moves }) => moves !== undefined)?.moves ?? null,
      })),
    };
  }

  private async index(read: ReadGraph): Promise<IndexManifest> {
    const made = await this.step<IndexPart, IndexManifest>(
      { name: 'index' },
      {
        kind: this.isHeld ? 'passing' : 'committed',
        manifest: indexName(this.options.name),
        part: IndexPart,
        whole: IndexManifest,
        run: (partition) => partition.index(read),
        join: (parts) => {
          const twice = parts.find((part) => part.twice !== null)?.twice ?? null;
          return {
            index: twice === null ? parts.map((part) => part.index!) : null,
            twice,
            names: parts[0].names!,
            ...(parts[0].moves !== null && { moves: parts[0].moves }),
            statuses: parts.at(-1)!.statuses!,
          };
        },
      },
    );
    // They have served.
    const used = [
      read.rows.keys.kept,
      ...read.names.map(({ runs }) => runs),
      read.moves.flatMap(({ run }) => run ?? []),
    ].flat();
    if (!this.isHeld) await this.crew.deleteShare(used.map(({ name }) => name));
    return made;
  }

  private async write(
    read: ReadGraph,
    { index, names, moves, statuses }: IndexManifest & { readonly index: readonly RunRef[] },
  ): Promise<GraphManifest> {
    const { source, name } = this.options;
    const ends =
      read.apart === 0
        ? []
        : await this.resolving({ name: 'ends' }, (partition, again) => partition.ends(read, index, again));
    const edges = await this.resolving({ name: 'edges' }, (partition, again) =>
      partition.edges(read, index, ends, again),
    );
    const sent = edges.flat();
    const { told, layers } = this.strides.at(-1)!;
    const { texts, nodes, compared, boards, exchanging = 0 } = told;
    return this.step<WrittenSuccessors | null, GraphManifest>(
      { name: 'nodes' },
      {
        kind: 'result',
        manifest: graphManifestName(name),
        part: WrittenSuccessors.nullable(),
        whole: GraphManifest,
        run: (partition) => partition.nodes(read, statuses, sent),
        join: (parts) => {
          const { runs, scores, unscored, mostPlies, ...written } = joinedNodes(parts);
          return newGraphManifest({
            ...headOf(this.options),
            nodes,
            edgesRead: read.edges,
            ...written,
            ...endsOf(source, { scores, unscored, mostPlies }),
            ...(compared === undefined ? {} : { movesCompared: compared }),
            ...(boards === undefined ? {} : { boards }),
            ...(exchanging > 0 && { exchanging }),
            // Earlier versions may have begun the import.
            ...(this.strides.every((stride) => stride.movers === true) && { movers: true as const }),
            ...(read.hasWeights && { weights: true as const }),
            ...keyBitsOf(source),
            ...(layers === undefined ? {} : { layers }),
            seed: this.steps.seed,
            idKind: texts === nodes ? 'text' : texts === 0 ? 'integer' : 'mixed',
            runs: { index: [...index], names, ...(moves !== undefined && { moves }), ...runs },
            counters: {},
          });
        },
      },
    );
  }

  /** A step in which partitions send what they have found of names. @returns the parcels of each. @throws UserError for a name that no node has. */
  private async resolving(
    step: SliceStep<ImportStepName>,
    run: (partition: Importer, again: boolean) => Promise<ResolvedPart>,
  ): Promise<ResolvedPart['sent'][]> {
    const { sent, unknown } = await this.step<ResolvedPart, ResolvedManifest>(step, {
      kind: 'passing',
      part: ResolvedPart,
      whole: ResolvedManifest,
      run,
      join: (parts) => ({
        sent: parts.map((part) => part.sent),
        unknown: parts.find((part) => part.unknown !== null)?.unknown ?? null,
      }),
    });
    if (unknown !== null) throw await unknownName(this.options.source, unknown, this.steps.seed);
    return sent;
  }

  /** Does a step, and adds its counts. */
  private async step<Part, Whole extends object>(
    is: SliceStep<ImportStepName>,
    { join, ...step }: ImportStep<Part, Whole>,
  ): Promise<Whole> {
    const { fingerprint, seed } = this.steps;
    const isOfSource = step.kind !== 'result' && 'fingerprint' in step.whole.shape;
    const head = isOfSource ? { version: IMPORT_VERSION, fingerprint, seed } : { version: FORMAT_VERSION };
    const done = await this.crew.step<Part, Whole & Counting>({
      ...stepAt(this.work, is),
      ...step,
      whole: step.whole as RecordShape<Whole & Counting>,
      isOf: (standing) => !isOfSource || (standing.fingerprint === fingerprint && standing.seed === seed),
      join: (parts, { counters: took }) => {
        const counters = { ...took };
        if (step.kind !== 'passing') addCounters(counters, this.since);
        if (step.kind === 'result') addCounters(counters, this.committed);
        return { ...head, ...join(parts), counters } as unknown as Whole & Counting;
      },
    });
    if (step.kind !== 'passing') this.since = newCounters();
    addCounters(step.kind === 'passing' ? this.since : this.committed, {
      ...newCounters(),
      ...done.counters,
    });
    return done;
  }
}

/** The facts that manifests of steps state, and that the import adds to them. */
interface Counting {
  readonly fingerprint?: string;
  readonly seed?: number;
  readonly counters: Record<string, number>;
}

const NO_COUNTS: SourceCounts = { nodes: 0, edges: 0, apart: 0, texts: 0 };

/** The runs of all partitions, one partition after the other. */
function joinedPlace(places: readonly Place[]): Place {
  return {
    at: places[0].at,
    runs: places.flatMap(({ runs }) => runs),
    shares: places.map(({ runs }) => runs.length),
  };
}

/** The parts of a graph that partitions have written, in their order. */
function joinedNodes(parts: readonly (WrittenSuccessors | null)[]) {
  const written = parts.flatMap((part) => part ?? []);
  const scores = new Set(written.flatMap((each) => each.scores));
  return {
    edges: sumOf(written.map(({ edges }) => edges)),
    partEdges: written.flatMap(({ partEdges }) => partEdges),
    hubs: sumOf(written.map(({ hubs }) => hubs)),
    mostEdges: Math.max(...written.map(({ mostEdges }) => mostEdges)),
    scores: [...scores].sort((a, b) => b - a),
    unscored: written.find((each) => each.unscored !== null)?.unscored ?? null,
    mostPlies: Math.max(...written.map(({ mostPlies }) => mostPlies)),
    runs: {
      nodes: written.map(({ runs }) => runs.nodes),
      successors: written.map(({ runs }) => runs.successors),
      hubs: written.map(({ runs }) => runs.hubs),
    },
  };
}

/** The facts of ends in the manifest: no scores if the source states none, or if the play is over nowhere. */
function endsOf(
  { game }: GraphSource,
  { scores, unscored, mostPlies }: Pick<WrittenSuccessors, 'scores' | 'unscored' | 'mostPlies'>,
): Pick<GraphManifest, 'scores' | 'unscored' | 'mostPlies'> {
  if (game !== undefined && game.score !== null) return { scores };
  return {
    ...(game === undefined && scores.length > 0 && (unscored === null ? { scores } : { unscored })),
    ...(mostPlies > 0 && { mostPlies }),
  };
}

/** What manifests say of keys. */
function keyBitsOf({ game }: GraphSource): Pick<GraphManifest, 'keyBits'> {
  return game === undefined || game.keyBits <= KEY_BITS ? {} : { keyBits: game.keyBits };
}

/** What manifests say of weights. */
function weightsOf({ game }: GraphSource): Pick<GraphManifest, 'weights'> {
  return game === undefined || game.symmetries === null ? {} : { weights: true };
}

/** The facts of a graph that its import is given. */
function headOf({ source, name, fingerprint, origin, rules }: ImportOptions) {
  const players: [string, string] = [...source.head.players];
  const roots = source.game === undefined ? source.roots?.map(idText) : undefined;
  return {
    ...{ name, source: source.name, fingerprint, origin, rules: rules?.(), players },
    ...(roots !== undefined && { roots }),
  };
}

/** Throws UserError for a root that is no node. */
async function requireRoots(
  { source, store }: ImportOptions,
  runs: Pick<GraphManifest['runs'], 'index' | 'names'>,
  seed: number,
): Promise<void> {
  if (source.game !== undefined || source.roots === undefined) return;
  const index = await openNodeIndex(store, runs, seed, newCounters());
  for (const root of source.roots)
    if ((await index.node(root)) === null)
      throw new UserError(`${source.name}: "roots": there is no node ${idText(root)}`);
}

/** @throws UserError if two nodes with one key have the same name. */
async function requireDifferentNames(
  source: GraphSource,
  names: Names,
  { first, second }: Twice,
): Promise<void> {
  const [a, b] = [Math.min(first, second), Math.max(first, second)];
  if ((await names.of(a)) !== (await names.of(b))) return;
  throw new UserError(
    `${source.name}: ${await source.whereNode(b)}: the node is listed already, ${await source.whereNode(a)}`,
  );
}

/** The user's error for a name at an edge that is no node's: with the first such name where it is. */
async function unknownName(
  source: GraphSource,
  { of, number, key: wanted }: Unknown & { readonly of: 'node' | 'edge' },
  seed: number,
): Promise<UserError> {
  const key: IdKey = { major: 0, minor: 0, rest: 0 };
  const isIt = (id: NodeId): boolean => {
    keyOf(id, seed, key);
    return sameKey(key, wanted);
  };
  const [where, id] =
    of === 'node'
      ? [await source.whereNode(number), await source.nameAtNode(number, isIt)]
      : [await source.whereEdge(number), await source.nameAtEdge(number, isIt)];
  return new UserError(`${source.name}: ${where}: there is no node ${idText(id!)}`);
}
