/**
 * The second column of a table: beside the value of each position a number, in a byte. pipeline/game/labelling.ts says what it counts. It is 0
 * where the goal cannot be reached and 1 at the goal itself; 255 means 255 or more.
 */
import type { Counters } from '../../operators/core/counters.js';
import { newCounters } from '../../operators/core/counters.js';
import { DamageError } from '../../operators/core/errors.js';
import { objectName } from '../../operators/storage/object-names.js';
import type { Store } from '../../operators/storage/store.js';
import type { SliceIndex } from '../game/game.js';
import type { TableManifest } from '../game/manifest.js';
import { assumedNumbers } from './assumed-table.js';
import { openSides } from './table.js';
import { tableManifestName } from './table-names.js';
import type { TableColumn } from './value-table.js';

export { valuesWithNumbers } from './values-with-numbers.js';

/** Opens the numbers of a table whose stipulation has them. @throws DamageError if the table has none. */
export function openNumbers(
  store: Store,
  { slice, manifest }: { readonly slice: SliceIndex; readonly manifest: TableManifest },
  counters: Counters = newCounters(),
): TableColumn {
  const { game, metric, numbers } = manifest;
  if (slice.assumed !== undefined) return assumedNumbers(metric, slice, slice.assumed);
  if (numbers === undefined)
    throw new DamageError(
      objectName(store, tableManifestName(game, metric, slice.name)),
      `is the manifest of a table of ${metric} without numbers`,
    );
  return openSides(store, { slice, metric, type: 'u8', runs: numbers.runs }, 'numbers', counters);
}
