/** Where the 50-move rule's clock counts. */
import type { SliceIndex } from './game.js';
import type { Dependency } from './slice-index.js';
import { type Metric, stipulations } from './stipulation.js';

/** Whether tables of the metric give values by clock: then slices are solved and verified as a whole, by one partition. */
export function isClocked(metric: Metric): boolean {
  return stipulations[metric].rule50 === 'clocked';
}

/** Whether all moves to a dependency are zeroing moves. */
export function zeroes({ restarts }: Pick<Dependency, 'restarts'>): boolean {
  return restarts.some((metric) => stipulations[metric].restartsAt === 'zeroing move');
}

/**
 * Whether all conversions of a slice set the clock to 0. If not, its positions have a right to capture en passant. Their clock is 0, since
 * a double step was the last move, and none of their moves stays in the slice.
 */
export function zeroesAlways({ dependencies }: Pick<SliceIndex, 'dependencies'>): boolean {
  return dependencies.every(zeroes);
}
