/** Engines run the partitions of a slice: one in this thread, or (jobs/engines) many in worker threads. */

import type { Budget } from '../../../operators/core/budget.js';
import type { Scratch } from '../../../operators/storage/scratch.js';
import type { Store } from '../../../operators/storage/store.js';
import type { SliceIndex } from '../../game/game.js';
import type { PlannedSlice } from '../../game/plan.js';
import type { ProgressListener, SliceSummary } from '../../game/progress.js';
import type { DerivedPart } from '../../game/step-manifests.js';
import type { Strategy } from '../../game/strategy.js';
import type { Metric } from '../../game/value.js';
import { type Crew, MemoryCrew } from './crew.js';
import { leastMemory, requireMemory } from './least-memory.js';
import type { ModeChoice } from './mode.js';
import { LocalPartition, type Partition, type PartitionSetup } from './partition.js';
import { cutParts } from './partition-plan.js';
import { doAll, type SliceResult, scheduleOfWorkers } from './schedule.js';
import { phasesOf, type Solvable } from './slice-phases.js';
import { isSmall } from './slice-steps.js';
import type { SliceOptions } from './slice-work.js';

/** A slice for one worker: to be solved, and then verified where that is wanted; or, as its table is there, only verified. */
export type AloneTask =
  | (AloneSlice & { readonly kind: 'solve'; readonly strategy: Strategy; readonly verify: boolean })
  | (AloneSlice & { readonly kind: 'verify' });

interface AloneSlice {
  readonly slice: string;
  readonly metric: Metric;
  /** The budget of this worker. */
  readonly budget: Budget;
}

export interface AloneResults {
  solve: SliceSummary;
  verify: DerivedPart;
}

export interface Engine {
  /** Partitions that may work at once. */
  readonly workers: number;
  /** See {@link PartitionSetup}. */
  readonly attempt: string;
  /** One partition for each of `setups`; at most `workers`. */
  open(setups: readonly PartitionSetup[], report: (done: number) => void): Promise<Partition[]>;
  /**
   * Has an idle worker do a slice from beginning to end. At most `workers` at once, and none while partitions of `open` are at
   * work. Absent where there is one worker only.
   */
  alone?<Kind extends AloneTask['kind']>(
    task: AloneTask & { readonly kind: Kind },
    progress: ProgressListener,
  ): Promise<AloneResults[Kind]>;
  /** Stops all work under way. */
  close(): Promise<void>;
}

/** Everything in the calling thread, one partition. */
export function inlineEngine(
  game: Solvable,
  store: Store,
  scratch: Scratch,
  { attempt = '' }: Partial<Pick<Engine, 'attempt'>> = {},
): Engine {
  return {
    workers: 1,
    attempt,
    open: async (setups, report) =>
      setups.map((setup) => new LocalPartition(setup, { game, store, scratch, report })),
    close: async () => {},
  };
}

/** The slice that a crew is made for, and the means it gets. */
export interface CrewOptions
  extends Pick<SliceOptions, 'game' | 'slice' | 'metric' | 'strategy' | 'store' | 'progress'> {
  readonly budget: Budget;
  readonly engine: Engine;
}

/** The crew of an engine for one slice: one partition with all of it in mode `memory`, else one for each worker. */
export async function openCrew(options: CrewOptions, task: ModeChoice['task']): Promise<Crew> {
  const { game, metric, strategy, store, budget, engine, progress } = options;
  const slice = game.slice(options.slice);
  const { workers, attempt } = engine;
  const { memory } = budget;
  const chosen = phasesOf(game, options.slice).mode({ task, metric, strategy, memory, workers });
  const { mode } = chosen;
  const partitions = cutParts(slice, mode === 'memory' ? 1 : sharersOf(options, slice, workers));
  const durable = mode === 'streaming' && !isSmall(slice);
  const setups = partitions.map((parts) => ({
    slice: options.slice,
    metric,
    strategy,
    mode,
    parts,
    budget: mode === 'memory' ? budget : partitionBudget(budget, partitions.length, slice),
    shared: partitions.length > 1,
    durable,
    attempt,
  }));
  const members = await engine.open(setups, (done) => progress({ type: 'work', slice: options.slice, done }));
  return new MemoryCrew(store, partitions, new Map(members.entries()), chosen, durable);
}

/** How many of so many workers share a slice that streams: as many as its parts, and as the memory has room for. */
export function sharersOf(
  { game, metric, strategy, budget }: Pick<CrewOptions, 'game' | 'metric' | 'strategy' | 'budget'>,
  slice: SliceIndex,
  workers: number,
): number {
  // The parts of graphs are narrow.
  const least = game.phases === undefined ? leastMemory(game, slice, strategy, metric).bytes : 0;
  const room = least === 0 ? workers : Math.floor(budget.memory / least);
  return Math.max(1, Math.min(workers, slice.parts, room));
}

/**
 * Bytes of buffers that a slice has a use for, for each of its indices a side. They hold its labels, and the requests
 * of a round that reaches all positions. To make, clear and give up more costs a small slice ten times what its
 * rounds do. No slice gets less than `LEAST_USEFUL` for it.
 */
const USEFUL_PER_INDEX = 256;
const LEAST_USEFUL = 2 ** 20;

/** One partition's share of a budget, of what its slice can use; batches shrink with it, so that many cursors fit. */
export function partitionBudget(budget: Budget, partitions: number, slice: Pick<SliceIndex, 'size'>): Budget {
  const useful = Math.max(LEAST_USEFUL, USEFUL_PER_INDEX * slice.size);
  const memory = Math.floor(Math.min(budget.memory, useful) / partitions);
  return { ...budget, memory, batchRows: Math.max(1, Math.min(budget.batchRows, Math.floor(memory / 512))) };
}

/** The two ways in which an engine does something with a slice. */
export interface SliceMethods<Done> {
  /** By all workers. */
  together(slice: string): Promise<Done>;
  /** By one worker, within `budget`. */
  alone(slice: string, budget: Budget): Promise<Done>;
}

/**
 * Does something with every slice of a plan: with several at once where the engine has several workers.
 * @returns the results, in the order of `plan`.
 * @throws the error of the first slice to fail. Closing the engine stops slices under way. UserError, before anything is done, if a slice
 * needs more memory than there is.
 */
export async function doByWorkers<Done>(
  options: Pick<CrewOptions, 'game' | 'metric' | 'strategy' | 'budget' | 'engine' | 'progress'>,
  plan: readonly PlannedSlice[],
  methods: SliceMethods<Done>,
): Promise<SliceResult<Done>[]> {
  const { game, metric, strategy, budget, engine, progress } = options;
  const { memory } = budget;
  if (game.phases === undefined)
    requireMemory(
      { game, metric, strategy, memory },
      plan.map(({ slice }) => slice),
    );
  const workers = engine.alone === undefined ? 1 : engine.workers;
  const each = { ...budget, memory: Math.floor(memory / workers) };
  const schedule = scheduleOfWorkers(game, plan, workers, { memory, metric, strategy });
  const results = await doAll(schedule, {
    together: ({ slice }) => methods.together(slice),
    alone: ({ slice }) => (workers === 1 ? methods.together(slice) : methods.alone(slice, each)),
    progress,
  });
  return plan.map(({ slice }) => results.get(slice)!);
}
