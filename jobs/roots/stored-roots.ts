/** The roots that a store has tables of. */
import { sort } from 'fast-sort';
import { z } from 'zod';
import type { Store } from '../../operators/storage/store.js';
import { FORMAT_VERSION } from '../../pipeline/game/format-version.js';
import { readManifest } from '../../pipeline/game/manifest.js';
import { putRecord } from '../../pipeline/game/record.js';
import { nameOfRoot, readRoot } from '../../pipeline/games/chess/root.js';
import type { AskedRoot } from './asked-root.js';

/** The prefix of the records of roots in a store. */
export const ROOT_RECORDS = 'chess/roots/';
const nameIn = (root: string) => `${ROOT_RECORDS}${root}.json`;

const RootRecord = z.object({ version: z.literal(FORMAT_VERSION), root: z.string(), fen: z.string() });

/** The position that a root was first solved from; null if the store has no record of the root. Throws StorageError if it is damaged. */
export async function positionOfRoot(store: Store, root: string): Promise<string | null> {
  return (await readManifest(store, nameIn(root), RootRecord))?.fen ?? null;
}

/** Records in the store that it has tables of a root. */
export async function noteRoot(store: Store, { name, fen }: AskedRoot): Promise<void> {
  await putRecord(store, nameIn(name), { version: FORMAT_VERSION, root: name, fen });
}

/**
 * The roots that are recorded in a store, those first whose answers say the most: that restrict no side, then that forbid the fewest promotions, then that stop the
 * latest, then that know the most endings.
 */
export async function rootsIn(store: Store): Promise<string[]> {
  const names = await store.list(ROOT_RECORDS);
  const roots = names.flatMap((name) => {
    const root = readRoot(name.slice(ROOT_RECORDS.length).replace(/\.json$/, ''));
    return root === null ? [] : [root];
  });
  return sort(roots)
    .by([
      { asc: ({ never }) => (never === null ? 0 : 1) },
      { desc: ({ promotions }) => promotions.length },
      { asc: ({ stopAt }) => stopAt },
      { desc: ({ mostPieces }) => mostPieces ?? Number.POSITIVE_INFINITY },
      { desc: ({ known }) => known.toString(2).replaceAll('0', '').length },
    ])
    .map(nameOfRoot);
}
