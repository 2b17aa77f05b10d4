/** Where the 50-move rule's clock counts. */
import type { SliceIndex } from './game.js';
import type { Metric } from './value.js';

/** Whether tables of the metric give values by clock: then slices are solved and verified as a whole, by one partition. */
export function isClocked(metric: Metric): boolean {
  return metric === 'dtm50';
}

/**
 * Whether all conversions of a slice set the clock to 0. If not, its positions have a right to capture en passant. Their clock is 0, since
 * a double step was the last move, and none of their moves stays in the slice.
 */
export function zeroesAlways({ dependencies }: Pick<SliceIndex, 'dependencies'>): boolean {
  return dependencies.every(({ restarts }) => restarts.includes('dtz'));
}
