/** Cuts the parts of a slice into partitions: intervals that make about the same work. */
import { cutByWeight, cutEvenly, type Interval } from '../../operators/core/interval.js';
import type { SliceIndex } from '../game/game.js';

/** At most `partitions` intervals, none empty. */
export function cutParts(
  { parts, partWeights }: Pick<SliceIndex, 'parts' | 'partWeights'>,
  partitions: number,
): Interval[] {
  return partWeights === undefined ? cutEvenly(parts, partitions) : cutByWeight(partWeights, partitions);
}
