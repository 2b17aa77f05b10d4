/** The tables of a store: listings are remembered for a while, manifests for good. */
import { StorageError } from '../../../operators/core/errors.js';
import type { Store } from '../../../operators/storage/store.js';
import type { Game } from '../../../pipeline/game.js';
import { readManifest, TableManifest } from '../../../pipeline/manifest.js';
import { isSlice } from '../../../pipeline/survey/slices.js';
import { tableManifestName } from '../../../pipeline/table/names.js';
import { readVerified, verifiedName } from '../../../pipeline/table/verified.js';
import type { Metric } from '../../../pipeline/value.js';
import { breathe } from '../../output.js';
import type { KnownTable } from '../answers.js';
import { isUnreachable } from '../problems.js';
import { LISTING, remembered } from './remembered.js';

/** The tables of a game and metric: slices, and those of them that have a record of verification. */
export interface Listed {
  readonly slices: ReadonlySet<string>;
  readonly verified: ReadonlySet<string>;
}

export interface ListedTables {
  list(game: Game, metric: Metric): Promise<Listed>;
  /** Null if it is gone or damaged. */
  read(game: Game, metric: Metric, slice: string): Promise<KnownTable | null>;
  /** All that can be read, by slice. */
  all(game: Game, metric: Metric): Promise<Map<string, KnownTable>>;
}

/** Manifests that are read at once. */
export const READS = 16;

/** @param report takes errors of manifests that cannot be read, and are left out. */
export function newListedTables(store: Store, report: (error: StorageError) => void): ListedTables {
  const listings = new Map<string, () => Promise<Listed>>();
  const tables = new Map<string, KnownTable>();

  function list(game: Game, metric: Metric): Promise<Listed> {
    const key = `${game.name}/${metric}`;
    let listing = listings.get(key);
    if (listing === undefined) {
      listing = remembered(() => listTables(store, game, metric), { ...LISTING, report });
      listings.set(key, listing);
    }
    return listing();
  }

  async function read(game: Game, metric: Metric, slice: string): Promise<KnownTable | null> {
    const verified = (await list(game, metric)).verified.has(slice);
    const name = tableManifestName(game.name, metric, slice);
    const known = tables.get(name);
    if (known !== undefined && known.verified === verified) return known;
    try {
      const manifest = await readManifest(store, name, TableManifest);
      if (manifest === null) return null;
      const table = { manifest, verified: verified && (await readVerified(store, manifest)) !== null };
      tables.set(name, table);
      return table;
    } catch (error) {
      if (!(error instanceof StorageError) || isUnreachable(error)) throw error;
      report(error);
      return null;
    }
  }

  async function all(game: Game, metric: Metric): Promise<Map<string, KnownTable>> {
    const names = [...(await list(game, metric)).slices];
    const found = new Map<string, KnownTable>();
    for (let from = 0; from < names.length; from += READS) {
      const some = names.slice(from, from + READS);
      const tables = await Promise.all(some.map((slice) => read(game, metric, slice)));
      tables.forEach((table, i) => {
        if (table !== null) found.set(some[i], table);
      });
      await breathe();
    }
    return found;
  }

  return { list, read, all };
}

async function listTables(store: Store, game: Game, metric: Metric): Promise<Listed> {
  const names = new Set(await store.list(`${game.name}/${metric}/`));
  const slices = [...names]
    .map((name) => name.split('/'))
    .filter(
      ([, , slice, file, ...more]) => file === 'table.json' && more.length === 0 && isSlice(game, slice),
    )
    .map(([, , slice]) => slice);
  const verified = slices.filter((slice) => names.has(verifiedName(game.name, metric, slice)));
  return { slices: new Set(slices), verified: new Set(verified) };
}
