/**
 * A partition of an import: a member of a crew (engine/crew/crew.ts) that reads, finds, numbers and writes its share of a graph. It owns the
 * keys of some majors: positions of a game that have them, the rows of the index, and the names that edges lead to. And it writes
 * the nodes of an interval of parts. What it finds for others goes through the exchange of the engine.
 */
import { newArrays } from '../../operators/core/arrays.js';
import type { Budget } from '../../operators/core/budget.js';
import { newCounters, takeCounters } from '../../operators/core/counters.js';
import { assert } from '../../operators/core/errors.js';
import type { Interval } from '../../operators/core/interval.js';
import { orAbort } from '../../operators/core/or-abort.js';
import { openKept } from '../../operators/distribute/kept.js';
import type { Pool } from '../../operators/distribute/pool.js';
import type { Source } from '../../operators/gather.js';
import { inStep } from '../../operators/in-step.js';
import { newRows } from '../../operators/runs/rows.js';
import type { Cursor, RowSource, RunRef } from '../../operators/runs/types.js';
import { closeRead, newScratch, type Scratch } from '../../operators/storage/scratch.js';
import type { Store } from '../../operators/storage/store.js';
import { type Carrier, Exchange } from '../engine/phases/exchange.js';
import type { Parcel } from '../game/step-manifests.js';
import { joinEdgeNames, type StrideEdgeNames } from './edge-names.js';
import { FoundNodes } from './find-nodes.js';
import { Finder, keyOwners, LEAST_SENT } from './finder.js';
import { graphPrefix, NODE_MASK, PART_NODES } from './graph-layout.js';
import { KEY_MAJORS } from './ids.js';
import { writeIndex } from './index-run.js';
import { importMemory } from './memory.js';
import { joinNames } from './node-names.js';
import type { WrittenSuccessors } from './node-writer.js';
import type { GraphBatch, GraphSource, ListedGraph, Place, SourceCounts, TakeNodes } from './source.js';
import { joinStatuses } from './statuses.js';
import type { IndexPart, ReadPart, ResolvedPart, StridePart } from './steps.js';
import { type ImportEnv, keyFormOf, newStride, type PerKind, type RowKind, type Stride } from './stride.js';
import type { StrideColumns } from './stride-columns.js';
import { orderShift, writeSuccessors } from './successors.js';

/** What a partition is to do. It can be posted. */
export interface ImportSetup {
  readonly graph: string;
  /** The number of this partition, and how many there are. */
  readonly self: number;
  readonly of: number;
  readonly seed: number;
  /** The strides that are committed, all that was read until then, and where reading goes on. */
  readonly stride: number;
  readonly told: SourceCounts;
  readonly place: Place | null;
  /** Names of passing objects begin so. */
  readonly prefix: string;
  readonly budget: Budget;
  /** Whether other partitions run in other threads, so that buffers must lie in shared memory. */
  readonly shared: boolean;
  /** Ends the names of runs of the graph, so that two attempts at one step write different ones. */
  readonly attempt: string;
}

export interface ImportWorld {
  /** Only the first partition reads a listed source. */
  readonly source: Pick<GraphSource, 'name' | 'stuck' | 'game'> & Partial<Pick<ListedGraph, 'read'>>;
  readonly store: Store;
  readonly scratch: Scratch;
  readonly carrier: Carrier;
  readonly report: (done: number) => void;
}

/** Rows of strides by the keys of names: in memory, or kept in runs. */
export interface StrideRows {
  readonly held: readonly Source[];
  readonly kept: readonly RunRef[];
}

/** The graph as far as it is read. */
export interface ReadGraph {
  readonly nodes: number;
  readonly edges: number;
  /** How many edges are listed separately from their nodes. */
  readonly apart: number;
  /** As that of WrittenNodes. */
  readonly hasWeights: boolean;
  readonly rows: Readonly<Record<RowKind, StrideRows>>;
  readonly names: readonly StrideColumns[];
  readonly statuses: readonly StrideColumns[];
  readonly moves: readonly StrideEdgeNames[];
}

/** The calls of a partition, in this thread or another. */
export type Importer = Pick<ImportPartition, keyof ImportPartition>;

/**
 * A partition in this thread. Its methods stand in the order in which they are called. Where it is called from another thread,
 * arguments and results go by structured clone. `again`: as those of LocalPartition.
 */
export class ImportPartition {
  private readonly counters = newCounters();
  protected readonly env: ImportEnv;
  private readonly counts: SourceCounts;
  /** The counts of the strides before this one. */
  private before: SourceCounts;
  private readonly pools: PerKind<Pool> = {};
  private finder: Finder | undefined;
  private batches: AsyncIterator<GraphBatch> | undefined;
  private place: Place | null;
  private strides: number;
  private stride: Stride | undefined;
  private exchange: Exchange | undefined;

  constructor(
    private readonly setup: ImportSetup,
    private readonly world: ImportWorld,
  ) {
    const { stride, told, place, budget, shared } = setup;
    this.env = { ...world, budget, shared, counters: this.counters };
    this.strides = stride;
    this.counts = { ...told };
    this.before = { ...told };
    this.place = this.isReading && world.source.game === undefined ? place : null;
  }

  /** Begins to find positions: sends the roots of the game. */
  async roots(again: boolean): Promise<ReadPart> {
    return { ...NOTHING, sent: await this.openFinder().sendRoots(again) };
  }

  /** Restores the state after the last committed stride, so that finding positions continues from there. */
  restore(): Promise<void> {
    return this.openFinder().restore(this.setup.place!);
  }

  /** Receives the keys of a layer. */
  async layer(sent: readonly Parcel[]): Promise<ReadPart> {
    return { ...NOTHING, positions: await this.finder!.receive(sent) };
  }

  /** Expands own positions of layer `next - 1`, which has so many in each partition. @param first the number of the first of all. */
  async expand(next: number, first: number, positions: readonly number[], again: boolean): Promise<ReadPart> {
    const { self, of } = this.setup;
    const stride = await this.openStride();
    if (of > 1) stride.goOn(first + sumOf(positions.slice(0, self)));
    const before = stride.rows;
    const take: TakeNodes = async (nodes) => {
      await stride.addFound(nodes);
      this.world.report(nodes.length);
    };
    const sent = await this.finder!.expand(next, take, again);
    return { ...NOTHING, rows: stride.rows - before, held: await stride.isHeld(), sent };
  }

  /** Reads a listed source until so many rows are read, or to its end. The first partition does so alone. */
  async read(commitRows: number): Promise<ReadPart> {
    const { source, report } = this.world;
    if (!this.isReading || source.game !== undefined) return { ...NOTHING, more: false };
    const stride = await this.openStride();
    this.batches ??= source.read!({ from: this.place })[Symbol.asyncIterator]();
    this.place = null;
    for (;;) {
      const { done, value } = await this.batches.next();
      if (done === true) return { ...NOTHING, rows: stride.rows, held: await stride.isHeld(), more: false };
      await stride.add(value);
      report(value.nodes.length + value.edges.length);
      if (value.place === undefined || stride.rows < commitRows) continue;
      this.place = await value.place();
      return { ...NOTHING, rows: stride.rows };
    }
  }

  /**
   * Ends a stride. @param layers all that were found, if positions are found and the source goes on behind them. @param holds whether rows
   * may stay in memory.
   */
  async endStride(layers: readonly number[] | null, holds: boolean): Promise<StridePart> {
    const counts = since(this.before, this.counts);
    this.before = { ...this.counts };
    if (!this.isReading) return { counts, runs: null, place: null };
    const stride = await this.openStride();
    this.stride = undefined;
    const { held, ...runs } = await orAbort(stride, () => stride.end(holds));
    const place = layers === null ? this.place : { at: layers, runs: await this.keep() };
    return { counts, runs, place, ...(holds && { held }) };
  }

  /** Makes the index of own keys. The first partition joins the names, and the last the statuses. */
  async index(read: ReadGraph): Promise<IndexPart> {
    await this.finder?.close();
    this.finder = undefined;
    const { self, of, prefix, seed } = this.setup;
    const { store } = this.world;
    const { counters, env } = this;
    const namesKept = { name: this.nameOf('names', 1), keys: keyFormOf(this.world.source, seed) };
    const keys = await this.opened(read.rows.keys);
    const written = await writeIndex(keys, this.keyMajors, this.nameOf('index'), env);
    const isTwice = 'first' in written;
    return {
      index: isTwice ? null : written,
      twice: isTwice ? written : null,
      names: self > 0 ? null : await joinNames(store, read.names, namesKept, counters),
      moves: self > 0 ? null : await joinEdgeNames(store, read.moves, this.nameOf('moves', 1), counters),
      statuses:
        self < of - 1
          ? null
          : [...(await joinStatuses(store, read.statuses, `${prefix}statuses.arrow`, counters))],
    };
  }

  /** Finds the nodes at either end of separate edges, and sends them to the partitions that own the edges' numbers. */
  async ends(read: ReadGraph, index: readonly RunRef[], again: boolean): Promise<ResolvedPart> {
    const memory = importMemory('successors', this.setup.budget);
    const majors = numberMajors(read);
    const sent: Parcel[] = [];
    for (const end of ['from', 'to'] as const) {
      const found = await this.found(read, end, index);
      const owned = (of: number) => intervalOf(majors, this.setup.of, of);
      const shipment = { what: end, majors, owned, memory: memory[end].memory };
      sent.push(await this.send(found.rows(NUMBER_SHIFT), shipment, again));
      if (found.unknown !== null) return { sent, unknown: { of: 'edge', ...found.unknown } };
    }
    return { sent, unknown: null };
  }

  /** Finds the nodes that edges lead to, and sends the edges to the partitions that write the nodes that they come from. */
  async edges(
    read: ReadGraph,
    index: readonly RunRef[],
    ends: readonly (readonly Parcel[])[],
    again: boolean,
  ): Promise<ResolvedPart> {
    const { self, of, budget } = this.setup;
    const shift = orderShift(read, budget);
    const found = await this.found(read, 'targets', index);
    const exchange = this.openExchange();
    const numbers = intervalOf(numberMajors(read), of, self);

    async function* rows(): RowSource {
      yield* found.rows(shift);
      if (read.apart === 0 || found.unknown !== null) return;
      const [from, to] = await Promise.all(
        [0, 1].map((end) =>
          exchange.receive(
            ends.map((each) => each[end]),
            numbers,
            1,
          ),
        ),
      );
      yield* paired(from, to, shift);
    }

    const parts = partsOf(read);
    const majors = Math.ceil(read.nodes / 2 ** shift);
    const owned = (who: number) => majorsOfParts(intervalOf(parts, of, who), shift, majors);
    const { memory } = importMemory('successors', budget).edges;
    const sent = [await this.send(rows(), { what: 'edges', majors, owned, memory }, again)];
    return { sent, unknown: found.unknown === null ? null : { of: 'node', ...found.unknown } };
  }

  /** Writes the nodes of own parts, and the edges from them. Null if there are fewer parts than partitions. */
  async nodes(
    read: ReadGraph,
    statuses: readonly RunRef[],
    edges: readonly Parcel[],
  ): Promise<WrittenSuccessors | null> {
    const { self, of, budget } = this.setup;
    const parts = intervalOf(partsOf(read), of, self);
    const shift = orderShift(read, budget);
    const { nodes, hasWeights } = read;
    const { stuck } = this.world.source;
    const exchange = this.openExchange();
    const written =
      parts.from === parts.to
        ? null
        : await writeSuccessors(
            { nodes, stuck, hasWeights, statuses, parts },
            (nodesOf) =>
              exchange.receive(
                edges,
                { from: nodesOf.from >>> shift, to: Math.ceil(nodesOf.to / 2 ** shift) },
                1,
              ),
            (what) => this.nameOf(what, Math.min(of, partsOf(read))),
            this.env,
          );
    return written;
  }

  /** Gives up everything. */
  async close(): Promise<void> {
    await this.batches?.return?.();
    await this.stride?.abort();
    await this.finder?.close();
    await this.exchange?.close();
    closeRead(this.world);
  }

  /** The counts since the last call. */
  takeCounters() {
    return takeCounters(this.counters);
  }

  /** Whether this partition reads any of the source: all find positions, and the first reads a file. */
  private get isReading(): boolean {
    return this.setup.self === 0 || this.world.source.game !== undefined;
  }

  private get keyMajors(): Interval {
    return intervalOf(KEY_MAJORS, this.setup.of, this.setup.self);
  }

  /** @param of how many write a run of this kind. */
  protected nameOf(what: string, of = this.setup.of): string {
    const { graph, self, attempt } = this.setup;
    return `${graphPrefix(graph)}/${what}${of === 1 ? '' : `-${self}`}${attempt}.arrow`;
  }

  /** Keeps the keys of the last layer, which is not expanded, and those before it: returns their runs. */
  protected keep(): Promise<RunRef[]> {
    return this.finder!.keep();
  }

  /** Where the runs of the next place are put. */
  protected placeScratch(): Scratch {
    const { self, prefix, stride } = this.setup;
    return newScratch(this.world.store, `${prefix}place-${stride}-${self}`);
  }

  private openFinder(): Finder {
    const { self, of, seed } = this.setup;
    const { source, carrier } = this.world;
    const kept = this.placeScratch();
    this.finder = new Finder({ game: source.game!, seed, self, of, carrier, kept }, this.env);
    return this.finder;
  }

  /** @param budget of its rows. */
  protected async openStride(budget = this.env.budget): Promise<Stride> {
    if (this.stride !== undefined) return this.stride;
    const { of, self, prefix, seed } = this.setup;
    const { source } = this.world;
    const share = of === 1 ? '' : `-${self}`;
    const name = `${prefix}stride-${String(this.strides++).padStart(5, '0')}${share}`;
    const { counts, pools } = this;
    this.stride = await newStride({ source, seed, prefix: name, counts, pools }, { ...this.env, budget });
    return this.stride;
  }

  private async opened({ held, kept }: StrideRows): Promise<Source[]> {
    const all = [...held];
    for (const run of kept) {
      const segments = await openKept(this.world.store, run, this.counters);
      all.push({ segments, pool: { words: new Uint32Array(0) } });
    }
    return all;
  }

  private async found(read: ReadGraph, kind: RowKind, index: readonly RunRef[]): Promise<FoundNodes> {
    return new FoundNodes(await this.opened(read.rows[kind]), this.keyMajors, index, this.env);
  }

  private openExchange(): Exchange {
    if (this.exchange === undefined) {
      const budget = importMemory('successors', this.setup.budget).received;
      this.exchange = new Exchange(this.world.carrier, { ...this.env, budget, arrays: newArrays() });
    }
    return this.exchange;
  }

  /** @param owned the majors that partition i owns. */
  private send(
    rows: RowSource,
    {
      owned,
      ...shipment
    }: { what: string; majors: number; owned: (partition: number) => Interval; memory: number },
    again: boolean,
  ): Promise<Parcel> {
    const { of } = this.setup;
    const memory = Math.max(LEAST_SENT, shipment.memory);
    const receivedBy = (owner: Interval) => [
      owned(keyOwners(of).findIndex(({ from }) => from === owner.from)),
    ];
    const sent = {
      ...shipment,
      memory,
      receivedBy,
      columns: ['node'],
      byMajor: false,
      buffer: shipment.what,
    };
    return this.openExchange().send(rows, sent, again);
  }
}

/** Majors of the numbers of separate edges. */
const NUMBER_SHIFT = 20;

export const NOTHING: ReadPart = { positions: 0, rows: 0, more: true, held: true, sent: null };

export const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);

const numberMajors = ({ apart }: Pick<ReadGraph, 'apart'>) => Math.ceil(apart / 2 ** NUMBER_SHIFT);
const partsOf = ({ nodes }: Pick<ReadGraph, 'nodes'>) => Math.ceil(nodes / PART_NODES);

/** The interval that one of several has of so many; it may be empty. */
function intervalOf(size: number, of: number, self: number): Interval {
  return { from: Math.floor((size * self) / of), to: Math.floor((size * (self + 1)) / of) };
}

function majorsOfParts({ from, to }: Interval, shift: number, majors: number): Interval {
  const each = PART_NODES / 2 ** shift;
  return { from: Math.min(majors, from * each), to: Math.min(majors, to * each) };
}

/** The payloads of two cursors that have the same keys, as rows (node >>> shift, node | node at the other end and its side). */
async function* paired(a: Cursor, b: Cursor, shift: number): RowSource {
  let rows = newRows(0, 1);
  for await (const { length, rows: ends } of inStep(a, b)) {
    const [from, to] = ends;
    assert(from !== null && to !== null, 'both ends of the edges have the same numbers');
    const [nodes, words] = [from, to].map(({ batch, at }) => batch.payload[0].subarray(at, at + length));
    if (rows.minor.length < length) rows = newRows(length, 1);
    for (let i = 0; i < length; i++) {
      const node = nodes[i] & NODE_MASK;
      rows.major[i] = node >>> shift;
      rows.minor[i] = node;
    }
    rows.payload[0].set(words);
    rows.length = length;
    yield rows;
  }
}

/** Counts that a source does not have are not there. */
function since(before: SourceCounts, now: SourceCounts): SourceCounts {
  return combined((a, b) => b - a, before, now);
}

export function sumOfCounts(counts: readonly SourceCounts[]): SourceCounts {
  return counts.reduce((sum, each) => combined((a, b) => a + b, sum, each));
}

function combined(
  combine: (a: number, b: number) => number,
  first: SourceCounts,
  second: SourceCounts,
): SourceCounts {
  const whats = new Set([...Object.keys(first), ...Object.keys(second)] as (keyof SourceCounts)[]);
  const pairs = [...whats].map((what) => [what, combine(first[what] ?? 0, second[what] ?? 0)]);
  return Object.fromEntries(pairs) as SourceCounts;
}
