/** The tables that are in a store, found by a listing alone. */
import type { Store } from '../../operators/storage/store.js';
import type { Metric } from '../value.js';
import { tableManifestName } from './names.js';
import { verifiedName } from './verified.js';

/** The slices of a game that have tables of a metric. @param verify only those whose tables are verified */
export async function standingTables(
  store: Store,
  game: string,
  metric: Metric,
  verify: boolean,
): Promise<Set<string>> {
  const names = new Set(await store.list(`${game}/${metric}/`));
  const slices = new Set([...names].map((name) => name.split('/')[2]));
  const isDone = (slice: string): boolean =>
    names.has(tableManifestName(game, metric, slice)) &&
    (!verify || names.has(verifiedName(game, metric, slice)));
  return new Set([...slices].filter(isDone));
}
