/**
 * How a slice is solved or verified. The mode is chosen once, where the crew of the slice is opened, and is a field of its
 * partitions from then on.
 *
 * - `memory`: one partition has all parts, and everything that it works on lies in its memory. Solving is one step.
 * - `streaming`: labels and requests go through pages of a fixed budget, spills and runs, part by part, by any number of partitions.
 */
import { isClocked } from '../clocked/metric.js';
import type { SliceIndex } from '../contract/game.js';
import type { Metric } from '../formats/value.js';
import type { Strategy } from './context.js';
import { type MayBeResident, residentKernels } from './resident.js';

export type Mode = 'memory' | 'streaming';

/** The mode, and the reason for it: a clause for people. */
export interface ChosenMode {
  readonly mode: Mode;
  readonly why: string;
}

/** What the choice depends on, besides the slice. */
export interface ModeChoice {
  readonly task: 'solve' | 'verify';
  readonly metric: Metric;
  readonly strategy: Strategy;
  /** Bytes of a partition that has all parts. */
  readonly memory: number;
  /** Workers that could share the slice. */
  readonly workers: number;
}

/** The mode of a slice that has kernels. */
export function modeOfKernels(
  slice: Pick<SliceIndex, 'parts'> & MayBeResident,
  { metric, strategy, memory, workers }: Omit<ModeChoice, 'task'>,
): ChosenMode {
  if (isClocked(metric)) return { mode: 'memory', why: `${metric} is solved in memory only` };
  if (slice.resident === undefined) return { mode: 'streaming', why: 'its game has no kernels for memory' };
  if (strategy !== 'count') return { mode: 'streaming', why: `losses are found by ${strategy}` };
  if (residentKernels(slice, memory) === undefined)
    return { mode: 'streaming', why: 'it does not fit the memory' };
  if (Math.min(workers, slice.parts) > 1) return { mode: 'streaming', why: 'several workers share it' };
  return { mode: 'memory', why: 'it fits the memory' };
}
