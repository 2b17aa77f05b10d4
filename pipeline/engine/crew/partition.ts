/**
 * A partition of a slice: an interval of its parts, with its own budget, scratch and counters. It takes its parts through all
 * phases; of other partitions it knows what their calls returned. Who calls it, in which thread, process or machine, is a
 * crew's business (crew.ts).
 */

import { type Counters, newCounters, takeCounters } from '../../../operators/core/counters.js';
import { deleteAll } from '../../../operators/storage/delete-all.js';
import { closeRead, type Scratch } from '../../../operators/storage/scratch.js';
import type { Store } from '../../../operators/storage/store.js';
import type { SliceIndex } from '../../game/game.js';
import type { LabelRuns, PartRun } from '../../game/manifest.js';
import type { Parcel } from '../../game/step-manifests.js';
import { needDependencies, needTable } from '../../tables/table.js';
import { slicePrefix, tableManifestName } from '../../tables/table-names.js';
import type { Assignment, Context } from '../memory/context.js';
import { EdgeMaker } from '../phases/edges.js';
import { type Carrier, memoryCarrier } from '../phases/exchange.js';
import { type FinishState, finish } from '../phases/finish.js';
import type { Received, Rounds, RoundsState } from '../phases/rounds.js';
import { phasesOf, type SlicePhases, type Solvable } from './slice-phases.js';

export interface PartitionSetup extends Assignment {
  readonly slice: string;
  /** Whether other partitions run in other threads, so that buffers must lie in shared memory. */
  readonly shared: boolean;
  /** Whether temporary runs are in the store, where another process can continue from them, or in this partition's scratch. */
  readonly durable: boolean;
}

export interface PartitionWorld {
  readonly game: Solvable;
  readonly store: Store;
  readonly scratch: Scratch;
  /** The carrier of a phase in which partitions send each other rows; in memory unless another is given. */
  readonly carrier?: (context: Context) => Carrier;
  readonly report: (done: number) => void;
}

/** The calls of a partition, in this thread or another. */
export type Partition = Pick<LocalPartition, keyof LocalPartition>;

/**
 * A partition in this thread. Its methods stand in the order in which they are called. Where it is called from another thread,
 * arguments and results go by structured clone. `again`: the call was made before the partition was lost, so only what the partition
 * itself needs is made again.
 */
export class LocalPartition {
  private readonly slice: SliceIndex;
  private readonly phases: SlicePhases;
  private readonly counters = newCounters();
  private maker: EdgeMaker | undefined;
  private rounds: Rounds | undefined;

  constructor(
    private readonly setup: PartitionSetup,
    private readonly world: PartitionWorld,
  ) {
    this.slice = world.game.slice(setup.slice);
    this.phases = phasesOf(world.game, setup.slice);
  }

  /** Solves the slice in mode `memory`. */
  async resident() {
    return this.phases.solveInMemory(await this.context(true));
  }

  async enumerate() {
    return this.phases.enumerate(await this.context(false));
  }

  async convert(converting: readonly PartRun[]) {
    return this.phases.convert(await this.context(true), converting);
  }

  /** For slices without unmoves: see {@link EdgeMaker}. */
  async emitEdges(labels: LabelRuns, again: boolean) {
    const context = await this.context(false);
    this.maker = new EdgeMaker(context, this.phases.moves, this.carrier(context));
    return this.maker.emit(labels, again);
  }

  writeEdges(emitted: readonly Parcel[]) {
    return this.maker!.write(emitted);
  }

  async openRounds(state: RoundsState) {
    await this.maker?.release();
    this.maker = undefined;
    const context = await this.context(false);
    this.rounds = await this.phases.openRounds(context, state, this.carrier(context));
  }

  /** Sends requests, questions or answers of a round. */
  send(what: 'expand' | 'ask' | 'answer', ply: number, received: readonly Parcel[], again: boolean) {
    const rounds = this.rounds!;
    return what === 'expand' ? rounds.expand(ply, again) : rounds[what](ply, received, again);
  }

  /** Labels, and sends the requests of the next round, if they are to be made. */
  async round(ply: number, received: Received, expand: boolean, again: boolean) {
    const rounds = this.rounds!;
    const labelled = await rounds.label(ply, received);
    return { ...labelled, sent: expand ? await rounds.expand(ply + 1, again) : null };
  }

  commit(nextPly: number, done: boolean) {
    // Labels of before are deleted next, in one thread for all, and requests by who has sent them.
    return this.rounds!.commit(nextPly, done).finally(() => closeRead(this.world));
  }

  async closeRounds() {
    await this.rounds?.close();
    this.rounds = undefined;
  }

  async finish(state: FinishState) {
    const { scratch } = this.world;
    const context = await this.context(false);
    const finished = await finish(context, state, this.phases.rows(this.setup.strategy, this.setup.metric));
    closeRead(this.world);
    if (!this.setup.durable) await deleteAll(scratch.store, await scratch.store.list(`${context.prefix}/`));
    return finished;
  }

  async verify() {
    const { game, store } = this.world;
    const { slice, metric } = this.setup;
    store.expect?.(tableManifestName(game.name, metric, slice));
    const context = await this.context(true);
    return this.phases.verify(
      context,
      await needTable<SliceIndex>(store, game, metric, slice, this.counters),
    );
  }

  /** The counts since the last call. */
  takeCounters() {
    return takeCounters(this.counters);
  }

  private carrier(context: Context): Carrier {
    return this.world.carrier?.(context) ?? memoryCarrier(this.setup.shared);
  }

  private async context(withTables: boolean): Promise<Context> {
    const { slice, setup, counters } = this;
    const { game, store, scratch, report } = this.world;
    if (setup.mode === 'streaming') this.phases.freeMemory?.();
    return {
      ...setup,
      slice,
      prefix: slicePrefix(game.name, setup.metric, setup.slice),
      store: setup.durable ? store : scratch.store,
      tableStore: store,
      scratch,
      counters,
      tables: withTables
        ? await needDependencies<SliceIndex>(store, game, setup.metric, slice, counters)
        : [],
      report,
    };
  }
}

/** Makes a call that was passed on to a member of a crew. */
export function callMember(member: object, method: string, args: readonly unknown[]): Promise<unknown> {
  return (member as Record<string, (...args: readonly unknown[]) => Promise<unknown>>)[method](...args);
}

/** A member of a crew whose calls are passed on to where it is; its counts come back with the results. */
export function memberCalledBy<Member extends object>(
  { prototype }: { readonly prototype: Member },
  call: (method: string, args: readonly unknown[]) => Promise<unknown>,
  takeCounters: () => Counters,
): Pick<Member, keyof Member> {
  const methods = Object.getOwnPropertyNames(prototype).map((method) => [
    method,
    (...args: unknown[]) => call(method, args),
  ]);
  return { ...Object.fromEntries(methods), takeCounters };
}
