/** How a slice is cut for ranks: fixed by the first rank that begins it, because all steps must be cut alike. */

import { StorageError } from '../../operators/core/errors.js';
import type { Interval } from '../../operators/core/interval.js';
import { objectName } from '../../operators/storage/object-names.js';
import type { Store } from '../../operators/storage/store.js';
import type { SliceIndex } from '../game/game.js';
import { commitManifest, FORMAT_VERSION } from '../game/manifest.js';
import { stepAt } from '../game/slice-objects.js';
import { PartitionPlan } from '../game/step-manifests.js';
import { cutParts } from './cut-parts.js';

/** @param work folder of the steps of the slice. */
function planName(work: string): string {
  return stepAt(work, { name: 'plan' }).manifest;
}

/**
 * Cuts a slice into as many partitions (at most one a part), or returns how it was cut before.
 * @throws StorageError if it was cut by another version, which numbers parts differently.
 */
export async function fixPlan(
  store: Store,
  work: string,
  game: string,
  slice: Pick<SliceIndex, 'name' | 'parts' | 'partWeights'>,
  partitions: number,
): Promise<readonly Interval[]> {
  const { name, parts } = slice;
  const wanted: PartitionPlan = {
    version: FORMAT_VERSION,
    game,
    slice: name,
    step: 'plan',
    parts,
    partitions: cutParts(slice, partitions),
  };
  const plan = await commitManifest(store, planName(work), wanted, PartitionPlan);
  if (plan.parts === parts && plan.slice === name) return plan.partitions;
  throw new StorageError(
    objectName(store, planName(work)),
    `describes another index of ${name} than this version uses`,
  );
}
