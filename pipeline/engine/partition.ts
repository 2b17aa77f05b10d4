/**
 * A partition of a slice: an interval of its parts, with its own budget, scratch and counters. It takes its parts through all
 * phases; of other partitions it knows what their calls returned. Who calls it, in which thread, process or machine, is a
 * crew's business (crew.ts).
 */

import type { Budget } from '../../operators/core/budget.js';
import { type Counters, newCounters } from '../../operators/core/counters.js';
import type { Interval } from '../../operators/core/interval.js';
import { deleteAll } from '../../operators/storage/delete-all.js';
import type { Scratch } from '../../operators/storage/scratch.js';
import type { Store } from '../../operators/storage/store.js';
import type { SliceIndex } from '../game/game.js';
import type { LabelRuns, PartRun } from '../game/manifest.js';
import type { Mode } from '../game/mode.js';
import type {
  CommittedPart,
  DerivedPart,
  EdgesPart,
  FinishedPart,
  Parcel,
  ResidentPart,
} from '../game/step-manifests.js';
import type { Strategy } from '../game/strategy.js';
import type { Metric } from '../game/value.js';
import { needDependencies, needTable } from '../tables/table.js';
import { slicePrefix, tableManifestName } from '../tables/table-names.js';
import type { Context } from './context.js';
import type { Converted } from './convert.js';
import { type EdgeMaker, newEdgeMaker } from './edges.js';
import type { Enumerated } from './enumerate.js';
import { type FinishState, finish } from './finish.js';
import { memoryTransport } from './memory-transport.js';
import type { Labelled, Rounds, RoundsState } from './rounds.js';
import { phasesOf, type Solvable } from './slice-phases.js';
import type { Transport } from './transport.js';

export interface PartitionSetup {
  readonly slice: string;
  readonly metric: Metric;
  readonly strategy: Strategy;
  readonly mode: Mode;
  readonly parts: Interval;
  readonly budget: Budget;
  /** Whether other partitions run in other threads, so that buffers must lie in shared memory. */
  readonly shared: boolean;
  /** Whether passing runs lie in the store, for whoever continues; else in scratch, and are this partition's alone. */
  readonly durable: boolean;
  /** Ends the names of runs, so that two attempts at one step write different ones; empty where none can meet. */
  readonly attempt: string;
}

export interface PartitionWorld {
  readonly game: Solvable;
  readonly store: Store;
  readonly scratch: Scratch;
  /** Makes the transport of a phase in which partitions send each other rows; from memory to memory unless another is given. */
  readonly transport?: (context: Context) => Transport;
  readonly report: (done: number) => void;
}

/** The result of a round, and the requests that it made for the next. */
export interface RoundResult extends Labelled {
  /** Null if none were to be made. */
  readonly sent: Parcel | null;
}

/**
 * The calls of a partition, in the order in which they are made. Arguments and results go between threads by structured
 * clone. `again`: the call was made before the partition was lost, so only what the partition itself needs is made again.
 */
export interface Partition {
  /** Solves the slice in mode `memory`. */
  resident(): Promise<ResidentPart>;
  enumerate(): Promise<Enumerated>;
  convert(converting: readonly PartRun[]): Promise<Converted>;
  /** For slices without unmoves: see {@link EdgeMaker}. */
  emitEdges(labels: LabelRuns, again: boolean): Promise<Parcel>;
  writeEdges(emitted: readonly Parcel[]): Promise<EdgesPart>;
  openRounds(state: RoundsState): Promise<void>;
  expand(ply: number, again: boolean): Promise<Parcel>;
  ask(ply: number, requests: readonly Parcel[], again: boolean): Promise<Parcel>;
  answer(ply: number, asked: readonly Parcel[], again: boolean): Promise<Parcel>;
  round(ply: number, received: Received, again: boolean): Promise<RoundResult>;
  commit(nextPly: number, done: boolean): Promise<CommittedPart>;
  closeRounds(): Promise<void>;
  finish(state: FinishState): Promise<FinishedPart>;
  verify(): Promise<DerivedPart>;
  /** The counts since the last call. */
  takeCounters(): Counters;
}

/** The parcels that a round gets from all partitions. */
export interface Received {
  readonly requests: readonly Parcel[];
  /** Under `lookup`: the askers that escape. */
  readonly escapes: readonly Parcel[];
  /** The turn that the round takes; null: none. */
  readonly turn: number | null;
  /** Whether the requests of the next round are made at once. */
  readonly expand: boolean;
}

export function newPartition(setup: PartitionSetup, world: PartitionWorld): Partition {
  const { game, store, scratch, report } = world;
  const transport = world.transport ?? (() => memoryTransport({ shared: setup.shared }));
  const slice: SliceIndex = game.slice(setup.slice);
  const phases = phasesOf(game, setup.slice);
  const counters = newCounters();
  let maker: EdgeMaker | undefined;
  let rounds: Rounds | undefined;

  async function context(withTables: boolean): Promise<Context> {
    if (setup.mode === 'streaming') phases.freeMemory?.();
    const tables = withTables
      ? await needDependencies<SliceIndex>(store, game, setup.metric, slice, counters)
      : [];
    return {
      slice,
      metric: setup.metric,
      strategy: setup.strategy,
      mode: setup.mode,
      parts: setup.parts,
      prefix: slicePrefix(game.name, setup.metric, setup.slice),
      store: setup.durable ? store : scratch.store,
      tableStore: store,
      attempt: setup.attempt,
      scratch,
      budget: setup.budget,
      counters,
      tables,
      report,
    };
  }

  return {
    resident: async () => phases.solveInMemory(await context(true)),
    enumerate: async () => phases.enumerate(await context(false)),
    convert: async (converting) => phases.convert(await context(true), converting),
    emitEdges: async (labels, again) => {
      const inContext = await context(false);
      maker = newEdgeMaker(inContext, phases.moves, transport(inContext));
      return maker.emit(labels, again);
    },
    writeEdges: (emitted) => maker!.write(emitted),
    openRounds: async (state) => {
      await maker?.release();
      maker = undefined;
      const inContext = await context(false);
      rounds = await phases.openRounds(inContext, state, transport(inContext));
    },
    expand: (ply, again) => rounds!.expand(ply, again),
    ask: (ply, requests, again) => rounds!.ask(ply, requests, again),
    answer: (ply, asked, again) => rounds!.answer(ply, asked, again),
    round: async (ply, { requests, escapes, expand, turn }, again) => {
      const labelled = await (turn === null
        ? rounds!.label(ply, requests, escapes)
        : rounds!.turn(ply, turn));
      return { ...labelled, sent: expand ? await rounds!.expand(ply + 1, again) : null };
    },
    // Labels of before are deleted next, in one thread for all.
    commit: (nextPly, done) => rounds!.commit(nextPly, done).finally(() => store.closeRead?.()),
    closeRounds: async () => {
      await rounds?.close();
      rounds = undefined;
    },
    finish: async (state) => {
      const finished = await finish(await context(false), state, phases.rows(setup.strategy));
      store.closeRead?.();
      if (!setup.durable) {
        const prefix = `${slicePrefix(game.name, setup.metric, setup.slice)}/`;
        await deleteAll(scratch.store, await scratch.store.list(prefix));
      }
      return finished;
    },
    verify: async () => {
      store.expect?.(tableManifestName(game.name, setup.metric, setup.slice));
      return phases.verify(
        await context(true),
        await needTable<SliceIndex>(store, game, setup.metric, setup.slice, counters),
      );
    },
    takeCounters() {
      const taken = { ...counters };
      Object.assign(counters, newCounters());
      return taken;
    },
  };
}
