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
  return standingAmong(await store.list(`${game}/${metric}/`), game, metric);
}

/** Those among names of objects, which may be of other metrics, too. */
export function standingAmong(all: readonly string[], game: string, metric: Metric): StandingTables {
  const names = new Set(all.filter((name) => name.startsWith(`${game}/${metric}/`)));
  const slices = [...new Set([...names].map((name) => name.split('/')[2]))].filter((slice) =>
    names.has(tableManifestName(game, metric, slice)),
  );
  const verified = slices.filter((slice) => names.has(verifiedName(game, metric, slice)));
  return { slices: new Set(slices), verified: new Set(verified) };
}
