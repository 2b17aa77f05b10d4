/** The tables of a store: listings are remembered for a while, manifests until the store has others of their names. */
import { isUnreachable, StorageError } from '../../../operators/core/errors.js';
import { newOnce } from '../../../operators/core/once.js';
import type { Store } from '../../../operators/storage/store.js';
import type { Game } from '../../../pipeline/game/game.js';
import { readManifest, TableManifest } from '../../../pipeline/game/manifest.js';
import type { Metric } from '../../../pipeline/game/value.js';
import { rootIn } from '../../../pipeline/games/chess/root-slices.js';
import { isSlice } from '../../../pipeline/tables/records/slices.js';
import { type StandingTables, standingAmong } from '../../../pipeline/tables/standing-tables.js';
import { tableManifestName } from '../../../pipeline/tables/table-names.js';
import { readVerified } from '../../../pipeline/tables/verified.js';
import { breathe } from '../../cli/output.js';
import type { KnownTable } from '../answers.js';
import type { Versions } from '../versions.js';
import { listing } from './listing.js';

/** Tables of a game and metric. */
export interface Listed extends StandingTables {
  /** The slices that are no slices of roots. */
  readonly ofEndings: ReadonlySet<string>;
}

export interface ListedTables {
  list(game: Game, metric: Metric): Promise<Listed>;
  /** Null if it is gone or damaged. */
  read(game: Game, metric: Metric, slice: string): Promise<KnownTable | null>;
  /** Those of endings that can be read, by slice. */
  all(game: Game, metric: Metric): Promise<Map<string, KnownTable>>;
}

/** Manifests that are read at once. */
export const READS = 16;

/**
 * @param report takes errors of manifests that cannot be read, and are left out. @param reach throws StorageError if the store cannot be
 * reached: a folder that is gone would be listed as one without tables.
 */
export function newListedTables(
  store: Store,
  report: (error: StorageError) => void,
  reach: () => Promise<void>,
  versions: Versions,
): ListedTables {
  /** By game: of all its metrics in one go, which are in one folder. */
  const listings = newOnce<string, ReadonlyMap<string, Listed>>(listing(report));
  const isOfGame = slicesOf();
  const manifests = newOnce<string, TableManifest | null>();
  const verifications = newOnce<string, boolean>();

  async function list(game: Game, metric: Metric): Promise<Listed> {
    const listed = await listings(game.name, async () => {
      const names = await store.list(`${game.name}/`);
      if (names.length === 0) await reach();
      return new Map(game.metrics.map((each) => [each, tablesAmong(names, game, each, isOfGame)]));
    });
    return listed.get(metric) ?? NONE;
  }

  async function read(game: Game, metric: Metric, slice: string): Promise<KnownTable | null> {
    const mayBeVerified = (await list(game, metric)).verified.has(slice);
    const name = tableManifestName(game.name, metric, slice);
    const version = versions.of(name);
    try {
      const manifest = await manifests(name, () => readManifest(store, name, TableManifest), version);
      if (manifest === null) {
        manifests.forget(name);
        return null;
      }
      const isVerified = async () => (await readVerified(store, manifest)) !== null;
      return { manifest, verified: mayBeVerified && (await verifications(name, isVerified, version)) };
    } catch (error) {
      if (!(error instanceof StorageError) || isUnreachable(error)) throw error;
      report(error);
      return null;
    }
  }

  async function all(game: Game, metric: Metric): Promise<Map<string, KnownTable>> {
    const names = [...(await list(game, metric)).ofEndings];
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

const NONE: Listed = { slices: new Set(), verified: new Set(), ofEndings: new Set() };

/** Without those of names that are no slices: other programs may keep objects there. */
function tablesAmong(
  names: readonly string[],
  game: Game,
  metric: Metric,
  isOfGame: (game: Game, slice: string) => boolean,
): Listed {
  const standing = standingAmong(names, game.name, metric);
  const ofGame = (names: ReadonlySet<string>) => new Set([...names].filter((name) => isOfGame(game, name)));
  const slices = ofGame(standing.slices);
  return {
    slices,
    verified: ofGame(standing.verified),
    ofEndings: new Set([...slices].filter((slice) => rootIn(slice) === null)),
  };
}

/** Remembers each name: to tell whether it is that of a slice of a root takes a search for the root's pawn structures. */
function slicesOf(): (game: Game, name: string) => boolean {
  const known = new Map<string, boolean>();
  return (game, name) => {
    const key = `${game.name}/${name}`;
    let is = known.get(key);
    if (is === undefined) known.set(key, (is = isSlice(game, name)));
    return is;
  };
}
