/** The tables that are in a store, found by a listing alone. */
import type { Store } from '../../operators/storage/store.js';
import type { Metric } from '../game/value.js';
import { tableManifestName } from './table-names.js';
import { verifiedName } from './verified.js';

/** The tables of a game and metric: slices, and those of them that have a record of verification. */
export interface StandingTables {
  readonly slices: ReadonlySet<string>;
  readonly verified: ReadonlySet<string>;
}

export async function standingTables(store: Store, game: string, metric: Metric): Promise<StandingTables> {
  const names = new Set(await store.list(`${game}/${metric}/`));
  const slices = [...new Set([...names].map((name) => name.split('/')[2]))].filter((slice) =>
    names.has(tableManifestName(game, metric, slice)),
  );
  const verified = slices.filter((slice) => names.has(verifiedName(game, metric, slice)));
  return { slices: new Set(slices), verified: new Set(verified) };
}
