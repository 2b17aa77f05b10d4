/**
 * A crew solves one slice together; each member owns an interval of its parts and has its own budget, scratch and
 * counters. Members share nothing but the store and, between two calls of a round, the exchanged segments.
 */
import type { Budget } from '../../../operators/core/budget.js';
import { type Counters, newCounters } from '../../../operators/core/counters.js';
import type { Scratch } from '../../../operators/storage/scratch.js';
import type { Store } from '../../../operators/storage/store.js';
import type { Game } from '../../game.js';
import type { LabelRuns, PartRun } from '../../manifest.js';
import type { Context, Interval, Strategy } from '../../phases/context.js';
import { type Converted, convert } from '../../phases/convert.js';
import { type Edges, openEdges } from '../../phases/edge-run.js';
import {
  type EdgeMaker,
  type EmittedEdges,
  type MovesByUnit,
  movesOfKernel,
  newEdgeMaker,
  type WrittenEdges,
} from '../../phases/edges.js';
import { type Enumerated, enumerate } from '../../phases/enumerate.js';
import { type Finished, type FinishState, finish } from '../../phases/finish.js';
import {
  type Committed,
  type Exchange,
  type Labelled,
  openRounds,
  type Rounds,
  type RoundsState,
} from '../../phases/rounds.js';
import { type Verified, verify } from '../../phases/verify.js';
import { slicePrefix } from '../../table/names.js';
import { needDependencies, needTable, type Table } from '../../table/table.js';
import type { Metric } from '../../value.js';

export interface MemberSetup {
  readonly slice: string;
  readonly metric: Metric;
  readonly strategy: Strategy;
  readonly parts: Interval;
  readonly budget: Budget;
  /** Whether other members run in other threads, so that pools must lie in shared memory. */
  readonly sharedPools: boolean;
  /** Whether passing runs lie in the store, for whoever continues; else in scratch, and are this member's alone. */
  readonly durable: boolean;
}

/** The phases that read the game: by its kernels or, of a graph, what was imported (pipeline/graph). */
export interface SlicePhases {
  enumerate(context: Context): Promise<Enumerated>;
  readonly moves: MovesByUnit;
  openEdges(context: Context, state: RoundsState): Promise<Edges>;
  verify(context: Context, table: Table): Promise<Verified>;
}

const kernelPhases: SlicePhases = {
  enumerate,
  moves: movesOfKernel,
  openEdges: (context, state) => openEdges(context, state.edges),
  verify,
};

export interface MemberWorld {
  readonly game: Game;
  readonly store: Store;
  readonly scratch: Scratch;
  readonly report: (done: number) => void;
  /** Those that use the kernels of the game, unless others are given. */
  readonly phases?: SlicePhases;
}

/** What a crew asks of a member. Arguments and results go between threads by structured clone. */
export interface Member {
  enumerate(): Promise<Enumerated>;
  convert(converting: readonly PartRun[]): Promise<Converted>;
  /** For slices without unmoves: see {@link EdgeMaker}. */
  emitEdges(labels: LabelRuns): Promise<EmittedEdges>;
  writeEdges(emitted: readonly EmittedEdges[]): Promise<WrittenEdges>;
  releaseEdges(): Promise<void>;
  openRounds(state: RoundsState): Promise<void>;
  expand(ply: number): Promise<Exchange & { requests: number }>;
  ask(ply: number, requests: readonly Exchange[]): Promise<Exchange & { requests: number }>;
  answer(asked: readonly Exchange[]): Promise<Exchange>;
  apply(ply: number, requests: readonly Exchange[], escapes: readonly Exchange[]): Promise<Labelled>;
  /** Ends a round. Returns what was counted since the last call of this or `takeCounters`. */
  release(): Promise<Counters>;
  commit(nextPly: number): Promise<Committed>;
  closeRounds(): Promise<void>;
  finish(state: FinishState): Promise<Finished>;
  verify(): Promise<Verified>;
  /** What was counted since the last call of this or `release`. */
  takeCounters(): Promise<Counters>;
}

export function newMember(setup: MemberSetup, world: MemberWorld): Member {
  const { game, store, scratch, report, phases = kernelPhases } = world;
  const slice = game.slice(setup.slice);
  const counters = newCounters();
  let maker: EdgeMaker | undefined;
  let rounds: Rounds | undefined;

  function takeCounters(): Counters {
    const taken = { ...counters };
    Object.assign(counters, newCounters());
    return taken;
  }

  async function context(withTables: boolean): Promise<Context> {
    const tables = withTables ? await needDependencies(store, game, setup.metric, slice, counters) : [];
    return {
      slice,
      metric: setup.metric,
      strategy: setup.strategy,
      parts: setup.parts,
      prefix: slicePrefix(game.name, setup.metric, setup.slice),
      store: setup.durable ? store : scratch.store,
      tableStore: store,
      attempt: '',
      scratch,
      budget: setup.budget,
      counters,
      tables,
      report,
    };
  }

  return {
    enumerate: async () => phases.enumerate(await context(false)),
    convert: async (converting) => convert(await context(true), converting),
    emitEdges: async (labels) => {
      maker = newEdgeMaker(await context(false), phases.moves, setup.sharedPools);
      return maker.emit(labels);
    },
    writeEdges: (emitted) => maker!.write(emitted),
    releaseEdges: async () => {
      await maker?.release();
      maker = undefined;
    },
    openRounds: async (state) => {
      const inContext = await context(false);
      const edges = slice.unmoves === undefined ? await phases.openEdges(inContext, state) : undefined;
      rounds = await openRounds(inContext, state, edges, setup.sharedPools);
    },
    expand: (ply) => rounds!.expand(ply),
    ask: (ply, requests) => rounds!.ask(ply, requests),
    answer: (asked) => rounds!.answer(asked),
    apply: (ply, requests, escapes) => rounds!.apply(ply, requests, escapes),
    release: async () => {
      await rounds!.release();
      return takeCounters();
    },
    commit: (nextPly) => rounds!.commit(nextPly),
    closeRounds: async () => {
      await rounds?.close();
      rounds = undefined;
    },
    finish: async (state) => {
      const finished = await finish(await context(false), state);
      if (!setup.durable) {
        const prefix = `${slicePrefix(game.name, setup.metric, setup.slice)}/`;
        for (const name of await scratch.store.list(prefix)) await scratch.store.delete(name);
      }
      return finished;
    },
    verify: async () =>
      phases.verify(await context(true), await needTable(store, game, setup.metric, setup.slice, counters)),
    takeCounters: async () => takeCounters(),
  };
}
