/** Makes damaged tables again, and deletes damaged records. */
import type { Store } from '../../operators/storage/store.js';
import { FORMAT_VERSION, TableManifest } from '../formats/manifest.js';
import { readRecord } from '../formats/record.js';
import { slicePrefix, tableManifestName } from '../table/table-names.js';
import type { Consequence, SliceInStore } from './consequences.js';

export interface Repaired {
  /** The name of the damaged object. */
  readonly name: string;
  readonly how: string;
}

/**
 * Repairs what can be made from the store alone; what is not among the results is still damaged.
 * @param solveAgain solves and verifies a slice whose objects were deleted, and returns the digests of its table.
 */
export async function repair(
  store: Store,
  damaged: readonly Consequence[],
  solveAgain: (at: SliceInStore) => Promise<TableManifest['digests']>,
): Promise<Repaired[]> {
  const repaired: Repaired[] = [];
  for (const { name, isRecord } of damaged) {
    if (!isRecord) continue;
    await store.delete(name);
    repaired.push({ name, how: 'deleted: nothing that is solved depends on it' });
  }
  const slices = new Map<string, { at: SliceInStore; names: string[] }>();
  for (const { name, slice } of damaged) {
    if (slice === null) continue;
    const key = slicePrefix(slice.game.name, slice.metric, slice.slice);
    slices.set(key, { at: slice, names: [...(slices.get(key)?.names ?? []), name] });
  }
  // All of them go before any is solved: one may be made from another.
  const removed = new Map<string, Removed>();
  for (const [key, { at }] of slices) removed.set(key, await removeSlice(store, at));
  for (const [key, { at, names }] of slices) {
    const how = await makeAgain(() => solveAgain(at), removed.get(key)!);
    if (how !== null) repaired.push(...names.map((name) => ({ name, how })));
  }
  return repaired;
}

/** Facts about a slice whose objects were deleted. */
interface Removed {
  /** A table was there, or a run of values. */
  readonly wasSolved: boolean;
  /** The digests of the table; null if its manifest does not say. */
  readonly digests: string | null;
}

/** Deletes all objects of a slice, the manifest of the table first. */
async function removeSlice(store: Store, { game, metric, slice }: SliceInStore): Promise<Removed> {
  const name = tableManifestName(game.name, metric, slice);
  const wasSolved = (await store.size(name)) !== null;
  const table = await readRecord(store, name, TableManifest, 'manifest', FORMAT_VERSION).catch(() => null);
  await store.delete(name);
  for (const object of await store.list(`${slicePrefix(game.name, metric, slice)}/`))
    await store.delete(object);
  return { wasSolved, digests: table?.digests.join() ?? null };
}

/** How the slice was made again; null if it differs from the slice before. */
async function makeAgain(
  solveAgain: () => Promise<TableManifest['digests']>,
  { wasSolved, digests }: Removed,
): Promise<string | null> {
  if (!wasSolved) return 'its steps were deleted: to solve it again begins it again';
  const made = (await solveAgain()).join();
  if (digests === null) return 'solved again; its digests before are not known: verify what was made from it';
  return made === digests ? 'solved again: its digests are those before' : null;
}
