/** The roots that a store has tables of. */
import type { Store } from '../../operators/storage/store.js';
import type { AskedRoot } from './asked-root.js';

const FOLDER = 'chess/roots/';

/** Notes in the store that there are tables of a root. */
export async function noteRoot(store: Store, { name, fen }: AskedRoot): Promise<void> {
  const text = `${JSON.stringify({ root: name, fen })}\n`;
  await store.putIfAbsent(`${FOLDER}${name}.json`, new TextEncoder().encode(text));
}

/** The names of the roots that a store has noted. */
export async function rootsIn(store: Store): Promise<string[]> {
  const names = await store.list(FOLDER);
  return names.map((name) => name.slice(FOLDER.length).replace(/\.json$/, ''));
}
