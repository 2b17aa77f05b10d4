/** Engines run the partitions of a slice: one in this thread, or (jobs/engines) many in worker threads. */

import type { Budget } from '../../../operators/core/budget.js';
import type { Scratch } from '../../../operators/storage/scratch.js';
import type { Store } from '../../../operators/storage/store.js';
import { isClocked } from '../../clocked/metric.js';
import type { SliceCatalogue, SliceIndex } from '../../contract/game.js';
import type { Metric } from '../../formats/value.js';
import { type Crew, memoryCrew } from '../../partition/crew.js';
import { cutParts } from '../../partition/cut-parts.js';
import { newPartition, type Partition, type PartitionSetup } from '../../partition/partition.js';
import type { Strategy } from '../../phases/context.js';
import { type MayBeResident, residentKernels } from '../../phases/resident.js';
import type { Solvable } from '../../phases/slice-phases.js';
import type { Verified } from '../../phases/verify.js';
import type { ProgressListener } from '../../solve/progress.js';
import type { SliceSummary } from '../../solve/slice-summary.js';
import { isSmall } from './slice-steps.js';

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
  verify: Verified;
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
      setups.map((setup) => newPartition(setup, { game, store, scratch, report })),
    close: async () => {},
  };
}

/** The slice that a crew is made for, and the means it gets. */
export interface CrewOptions {
  readonly game: SliceCatalogue<SliceIndex & MayBeResident> & Pick<Solvable, 'phases'>;
  readonly slice: string;
  readonly metric: Metric;
  readonly strategy: Strategy;
  readonly store: Store;
  readonly budget: Budget;
  readonly engine: Engine;
  readonly progress: ProgressListener;
}

/** The crew of all workers of an engine, for one slice. @param durable whether its steps are to be committed. */
export async function openCrew(options: CrewOptions, durable: boolean): Promise<Crew> {
  const { game, metric, strategy, store, engine, progress } = options;
  const slice = game.slice(options.slice);
  const isHeld = durable && game.phases?.held?.fits(options.budget.memory) === true;
  const whole = isHeld || isClocked(metric);
  const partitions = cutParts(slice, whole ? 1 : engine.workers);
  const resident =
    whole ||
    (strategy === 'count' &&
      partitions.length === 1 &&
      residentKernels(slice, options.budget.memory) !== undefined);
  const isDurable = durable && !isSmall(slice) && !resident;
  const setups = partitions.map((parts) => ({
    slice: options.slice,
    metric,
    strategy,
    parts,
    budget: resident ? options.budget : partitionBudget(options.budget, partitions.length, slice),
    shared: partitions.length > 1,
    durable: isDurable,
    attempt: engine.attempt,
  }));
  const members = await engine.open(setups, (done) => progress({ type: 'work', slice: options.slice, done }));
  return memoryCrew({ partitions, members, store, durable: isDurable, resident });
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
