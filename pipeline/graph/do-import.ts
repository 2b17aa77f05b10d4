/** The steps of an import (import.ts) under one seed, and what their manifests say. */
import { addCounters, newCounters } from '../../operators/core/counters.js';
import { UserError } from '../../operators/core/errors.js';
import type { RunRef } from '../../operators/runs/types.js';
import type { Crew, Step } from '../engine/crew/crew.js';
import { FORMAT_VERSION } from '../game/format-version.js';
import type { RecordShape } from '../game/record.js';
import { type ImportStepName, type SliceStep, stepAt } from '../game/slice-objects.js';
import { objectOf, type Parcel } from '../game/step-manifests.js';
import { KEY_BITS } from '../games/yours/keyed/key-words.js';
import type { Unknown } from './find-nodes.js';
import { positionsAt } from './finder.js';
import { IMPORT_VERSION } from './graph-layout.js';
import { type IdKey, idText, keyOf, sameKey } from './ids.js';
import { COMMIT_ROWS, type ImportOptions } from './import-options.js';
import { type Importer, type ReadGraph, type StrideRows, sumOf, sumOfCounts } from './import-partition.js';
import { openNodeIndex, type Twice } from './index-run.js';
import { GraphManifest, graphManifestName, newGraphManifest } from './manifest.js';
import { type Names, openNames } from './node-names.js';
import { WrittenSuccessors } from './node-writer.js';
import type { GraphSource, NodeId, Place, SourceCounts } from './source.js';
import {
  folderOfRanks,
  type ImportSteps,
  IndexManifest,
  IndexPart,
  indexName,
  ReadManifest,
  ReadPart,
  ResolvedManifest,
  ResolvedPart,
  StrideManifest,
  StridePart,
  stepsFolder,
  strideName,
} from './steps.js';
import type { RowKind } from './stride.js';
import { LimitReached, TooLarge } from './too-large.js';

/** More layers than this are too many for a manifest. */
const MOST_LAYERS = 2 ** 16;

/** A step of the import, to which the counters and the fingerprint of the source are added. */
type ImportStep<Part, Whole extends object> = Pick<
  Step<Part, Whole, Importer>,
  'kind' | 'part' | 'whole' | 'run'
> & {
  readonly manifest?: string;
  join(parts: readonly Part[]): Omit<Whole, 'version' | 'fingerprint' | 'seed' | 'counters'>;
};

/** The import of one process under one seed. */
export class Import {
  private readonly strides: StrideManifest[];
  /** Counters of the committed steps, and of those since the last commit. */
  private readonly committed = newCounters();
  private since = newCounters();
  /** The number of positions of each layer found so far, and of all layers. */
  private readonly layers: number[] = [];
  private positions = 0;
  /** Rows that were read since the last commit. */
  private rows = 0;
  /** Whether all that was read is in memory. */
  private fitsMemory = true;
  /** Objects that were sent since the last commit. */
  private sent: string[] = [];
  private readonly isWithinProcess: boolean;
  private readonly work: string;
  private readonly commitRows: number;
  private readonly atMost: number;

  constructor(
    private readonly options: ImportOptions,
    private readonly steps: ImportSteps,
    private readonly crew: Crew<Importer>,
  ) {
    const { crews, commitRows = COMMIT_ROWS, atMost = Number.POSITIVE_INFINITY } = options;
    const ranks = crews?.ranks ?? null;
    this.strides = [...steps.strides];
    for (const done of [...steps.strides, ...(steps.index === null ? [] : [steps.index])])
      addCounters(this.committed, { ...newCounters(), ...done.counters });
    this.isWithinProcess = ranks === null;
    this.work = ranks === null ? stepsFolder(steps.name) : folderOfRanks(steps, ranks.of);
    this.commitRows = commitRows;
    this.atMost = atMost;
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
    const place = this.strides.at(-1)?.place ?? null;
    let layer =
      place === null ? await this.receiveLayer(await this.sendRoots()) : await this.restoreLayer(place);
    while (layer !== null) layer = await this.receiveLayer(await this.expandLayer(layer));
  }

  private async sendRoots(): Promise<readonly Parcel[]> {
    const { sent } = await this.reading({ name: 'roots' }, (partition, again) => partition.roots(again));
    return sent;
  }

  /** Goes on from a commit. @returns the positions of the last layer, by partition. */
  private async restoreLayer(place: Place): Promise<readonly number[]> {
    for (const positions of place.at) this.addLayer(positions);
    await this.crew.each((partition) => partition.restore());
    this.requireAtMost();
    return positionsAt(place, this.crew.partitions.length, this.options.store, newCounters());
  }

  /** Receives the next layer. @returns its positions, by partition; null if there are none, and the game is found. */
  private async receiveLayer(sent: readonly Parcel[]): Promise<readonly number[] | null> {
    const { layers, commitRows, atMost } = this;
    const { positions, full: isFull } = await this.reading(
      { name: 'layer', ply: layers.length },
      (partition) => partition.layer(sent),
    );
    const all = sumOf(positions);
    if (all > 0) this.addLayer(all);
    else if (isFull !== true) {
      await this.endStride(null);
      return null;
    }
    if (isFull === true || this.rows >= commitRows || this.positions > atMost) await this.endStride(layers);
    this.requireAtMost();
    if (isFull === true) throw new TooLarge();
    return positions;
  }

  /** Expands the last layer. @param positions of it, by partition. @returns the keys that its moves lead to. */
  private async expandLayer(positions: readonly number[]): Promise<readonly Parcel[]> {
    const next = this.layers.length;
    const first = this.positions - sumOf(positions);
    const { sent, full: isFull } = await this.reading({ name: 'expand', ply: next - 1 }, (partition, again) =>
      partition.expand(next, first, positions, again),
    );
    if (isFull !== true) return sent;
    await this.endStride(this.layers);
    throw new TooLarge();
  }

  private addLayer(positions: number): void {
    this.positions += positions;
    const moves = this.layers.push(positions) - 1;
    this.options.found?.({ moves, positions, total: this.positions });
  }

  /** @throws LimitReached if more positions are found than the caller wants. */
  private requireAtMost(): void {
    const { options, atMost, positions, layers } = this;
    if (positions <= atMost) return;
    throw new LimitReached(options.source.name, { atMost, total: positions, moves: layers.length - 1 });
  }

  /** Reads a listed source. */
  private async read(): Promise<void> {
    for (let goesOn = true; goesOn; ) {
      const { more } = await this.reading({ name: 'read', ply: this.strides.length }, (partition) =>
        partition.read(this.commitRows),
      );
      await this.endStride(null);
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
    this.rows += done.rows;
    this.sent.push(...done.sent.flatMap(objectOf));
    this.fitsMemory &&= done.held;
    return done;
  }

  /** Commits what was read. A small graph that fits memory is not worth writing. @param layers if the source goes on behind them. */
  private async endStride(layers: readonly number[] | null): Promise<void> {
    const { strides, commitRows, options } = this;
    const isFirst = strides.length === 0 && layers === null && this.rows < commitRows;
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
    this.rows = 0;
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
