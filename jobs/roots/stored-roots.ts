/** The roots that a store has tables of. */
import type { Store } from '../../operators/storage/store.js';
import { FORMAT_VERSION } from '../../pipeline/game/manifest.js';
import { putRecord } from '../../pipeline/game/record.js';
import { readRoot } from '../../pipeline/games/chess/root.js';
import type { AskedRoot } from './asked-root.js';

const FOLDER = 'chess/roots/';

/** Records in the store that it has tables of a root. */
export async function noteRoot(store: Store, { name, fen }: AskedRoot): Promise<void> {
  await putRecord(store, `${FOLDER}${name}.json`, { version: FORMAT_VERSION, root: name, fen });
}

/** The roots that are recorded in a store, those that forbid the fewest promotions first. */
export async function rootsIn(store: Store): Promise<string[]> {
  const names = await store.list(FOLDER);
  return names
    .map((name) => name.slice(FOLDER.length).replace(/\.json$/, ''))
    .flatMap((name) => {
      const root = readRoot(name);
      return root === null ? [] : [{ name, promotions: root.promotions.length }];
    })
    .sort((a, b) => b.promotions - a.promotions)
    .map(({ name }) => name);
}
