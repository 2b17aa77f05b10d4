/** Chooses the mode of a slice (game/mode.ts). */
import { isClocked } from '../../game/clocked.js';
import type { SliceIndex } from '../../game/game.js';
import type { ChosenMode } from '../../game/mode.js';
import type { Strategy } from '../../game/strategy.js';
import type { Metric } from '../../game/value.js';
import { fitsClocked } from '../phases/clocked.js';
import { type MayBeResident, residentKernels } from '../phases/resident.js';

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

/** Whether a partition with so much memory solves all of a slice in it. Kernels for memory only count, as `strategy` has to. */
export function fitsMemory(
  slice: Pick<SliceIndex, 'size'> & MayBeResident,
  { metric, strategy, memory }: Pick<ModeChoice, 'metric' | 'strategy' | 'memory'>,
): boolean {
  if (isClocked(metric)) return fitsClocked(slice, memory);
  return strategy === 'count' && residentKernels(slice, memory) !== undefined;
}

/** The mode of a slice that has kernels. */
export function modeOfKernels(
  slice: Pick<SliceIndex, 'parts' | 'size'> & MayBeResident,
  { task, metric, strategy, memory, workers }: ModeChoice,
): ChosenMode {
  if (isClocked(metric)) return { mode: 'memory', why: `${metric} is solved in memory only` };
  if (slice.resident === undefined) return { mode: 'streaming', why: 'its game has no kernels for memory' };
  if (task === 'solve' && strategy !== 'count')
    return { mode: 'streaming', why: `losses are found by ${strategy}` };
  if (!fitsMemory(slice, { metric, strategy: 'count', memory }))
    return { mode: 'streaming', why: 'it does not fit the memory' };
  if (Math.min(workers, slice.parts) > 1) return { mode: 'streaming', why: 'several workers share it' };
  return { mode: 'memory', why: 'it fits the memory' };
}
