/** The record of how a slice was solved: one object, replaced by another under the next number. */
import { DamageError } from '../../../operators/core/errors.js';
import type { Store } from '../../../operators/storage/store.js';
import { readManifest } from '../../game/manifest.js';
import { putRecord } from '../../game/record.js';
import type { SliceAt } from './slices.js';
import { slicePrefix } from '../table-names.js';
import { recordNumbers, sliceRecordName } from './record-names.js';
import { SliceRecord } from './record-shapes.js';

/**
 * Replaces the record that is there (null: none, or a damaged one) by the one that `make` makes of it; null: it stays. If
 * two processes do the same at once, one of both records stands.
 */
export async function replaceSliceRecord(
  store: Store,
  { game, metric, slice }: SliceAt,
  make: (before: SliceRecord | null) => SliceRecord | null | Promise<SliceRecord | null>,
): Promise<void> {
  const folder = `${slicePrefix(game.name, metric, slice)}/`;
  const found = await store.list(`${folder}record-`);
  const numbers = recordNumbers(found.map((name) => name.slice(folder.length)));
  const name = (number: number) => sliceRecordName(game.name, metric, slice, number);
  const last = numbers.at(-1);
  const record = await make(last === undefined ? null : await readSound(store, name(last)));
  if (record === null) return;
  await putRecord(store, name((last ?? 0) + 1), record);
  for (const number of numbers) await store.delete(name(number));
}

async function readSound(store: Store, name: string): Promise<SliceRecord | null> {
  try {
    return await readManifest(store, name, SliceRecord);
  } catch (error) {
    if (error instanceof DamageError) return null;
    throw error;
  }
}
