/** How a slice is cut into partitions: intervals of its parts that make about the same work. */

import { StorageError } from '../../../operators/core/errors.js';
import { cutByWeight, cutEvenly, type Interval } from '../../../operators/core/interval.js';
import { objectName } from '../../../operators/storage/object-names.js';
import type { Store } from '../../../operators/storage/store.js';
import { FORMAT_VERSION } from '../../game/format-version.js';
import type { SliceIndex } from '../../game/game.js';
import { commitManifest } from '../../game/manifest.js';
import { stepAt } from '../../game/slice-objects.js';
import { PartitionPlan } from '../../game/step-manifests.js';

/** At most `partitions` intervals, none empty. */
export function cutParts(
  { parts, partWeights }: Pick<SliceIndex, 'parts' | 'partWeights'>,
  partitions: number,
): Interval[] {
  return partWeights === undefined ? cutEvenly(parts, partitions) : cutByWeight(partWeights, partitions);
}

/**
 * Cuts a slice for ranks, or returns how it was cut before: the first rank that begins it fixes that, because all steps must be cut
 * alike.
 * @param work folder of the steps of the slice.
 * @throws StorageError if it was cut by another version, which numbers parts differently.
 */
export async function fixPlan(
  store: Store,
  work: string,
  game: string,
  slice: Pick<SliceIndex, 'name' | 'parts' | 'partWeights'>,
  partitions: number,
): Promise<readonly Interval[]> {
  const { parts } = slice;
  const { manifest: name } = stepAt(work, { name: 'plan' });
  const wanted: PartitionPlan = {
    version: FORMAT_VERSION,
    game,
    slice: slice.name,
    step: 'plan',
    parts,
    partitions: cutParts(slice, partitions),
  };
  const plan = await commitManifest(store, name, wanted, PartitionPlan);
  if (plan.parts === parts && plan.slice === slice.name) return plan.partitions;
  throw new StorageError(
    objectName(store, name),
    `describes another index of ${slice.name} than this version uses`,
  );
}
