/** The probers of all games and metrics, which share one cache of blocks. */
import type { Store } from '../../operators/storage/store.js';
import type { Game } from '../../pipeline/game/game.js';
import { namedSlice } from '../../pipeline/game/slice-words.js';
import type { Metric } from '../../pipeline/game/value.js';
import { MissingFileError } from '../../pipeline/games/chess/syzygy/format.js';
import { syzygyProber } from '../../pipeline/games/chess/syzygy/read/prober.js';
import type { SyzygyTables } from '../../pipeline/games/chess/syzygy/read/tables.js';
import {
  type BlockCache,
  type BlockCacheCounts,
  newBlockCache,
} from '../../pipeline/tables/probe/block-cache.js';
import { eitherProber } from '../../pipeline/tables/probe/either-prober.js';
import { newProber, type Probed, type Prober } from '../../pipeline/tables/probe/prober.js';
import { newPublishedProber, type PublishedProber } from '../../pipeline/tables/probe/published-prober.js';
import { underRule } from '../../pipeline/tables/probe/under-rule.js';
import type { Publication } from '../../pipeline/tables/published/publication.js';
import { MissingTableError } from '../../pipeline/tables/table.js';
import { tableManifestName } from '../../pipeline/tables/table-names.js';
import type { ServedCatalogue } from './catalogue/catalogue.js';
import { KeptProbers } from './kept-probers.js';
import { HttpProblem } from './problems.js';
import type { Versions } from './versions.js';

export interface Probers {
  /**
   * Calls `work` with a prober, a second time where an object is wrong or gone: its tables are opened again by name before. Throws HttpProblem 404
   * where a table or file is missing. While the store is gone, values in memory still answer.
   */
  probing<T>(game: Game, metric: Metric, work: (prober: Prober<unknown>) => Promise<T>): Promise<T>;
  /** The blocks in memory, for probers of others. */
  readonly cache: BlockCache;
  /** Values looked up in blocks in memory, and in those that were read for it. */
  counts(): BlockCacheCounts;
}

/** @param cacheBytes limit of blocks in memory; if anything is published, half of it is for that, in equal shares of games. */
export function newProbers(options: {
  readonly store: Store;
  readonly catalogue: ServedCatalogue;
  readonly games: readonly Game[];
  readonly isPublished: boolean;
  /** They answer for chess under `dtz` where there is no table. */
  readonly syzygy: SyzygyTables | null;
  readonly cacheBytes: number;
  readonly versions: Versions;
  /** Throws if the store cannot be reached. */
  readonly reach: () => Promise<void>;
}): Probers {
  const { store, catalogue, games, isPublished, syzygy, versions, reach } = options;
  const cacheBytes = isPublished ? Math.floor(options.cacheBytes / 2) : options.cacheBytes;
  const cache = newBlockCache(cacheBytes);
  const kept = new KeptProbers<Prober<unknown>>(reach, () => {
    versions.closeFiles();
    catalogue.closePublished();
  });
  const published = new Map<string, PublishedProber<unknown>>();

  function openTables(game: Game, metric: Metric): Prober<unknown> {
    const names = new Map<string, string>();
    const versionOf = (slice: string) => {
      let name = names.get(slice);
      if (name === undefined) {
        name = tableManifestName(game.name, metric, slice);
        names.set(slice, name);
      }
      return versions.of(name);
    };
    const tables = newProber({ game, metric, store, cache, versionOf });
    if (syzygy === null || game.name !== 'chess' || metric !== 'dtz') return tables;
    const files = syzygyProber(syzygy) as Prober<unknown>;
    return eitherProber(game, [tables, files], (slice) => catalogue.has(game, metric, slice));
  }

  async function openPublished(game: Game, publication: Publication): Promise<Prober<unknown>> {
    const publications = await Promise.all(games.map((each) => catalogue.publication(each)));
    const share = Math.floor(cacheBytes / publications.filter((each) => each !== null).length);
    const positionBytes = Math.floor(share / 16);
    const prober = newPublishedProber({
      game,
      publication,
      cacheBytes: share - positionBytes,
      positionBytes,
    });
    published.set(game.name, prober);
    return prober;
  }

  async function open(game: Game, metric: Metric, publication: Publication | null): Promise<Prober<unknown>> {
    const prober = publication === null ? openTables(game, metric) : await openPublished(game, publication);
    return underRule(prober, game.metrics, (each, board) => probeUnder(game, each, board));
  }

  /** Null if no table or file here has the position under the metric. */
  async function probeUnder(game: Game, metric: Metric, board: unknown): Promise<Probed<unknown> | null> {
    const hasFiles = metric === 'dtz' && syzygy !== null && game.name === 'chess';
    if (!hasFiles && !(await catalogue.has(game, metric, game.locate(board).slice))) return null;
    try {
      return await probing(game, metric, (prober) => prober.probe(board));
    } catch (error) {
      if (error instanceof HttpProblem) return null;
      throw error;
    }
  }

  async function probing<T>(
    game: Game,
    metric: Metric,
    work: (prober: Prober<unknown>) => Promise<T>,
  ): Promise<T> {
    try {
      const { publication = null, version = 0 } =
        (metric === 'wdl' && (await catalogue.publication(game))) || {};
      // Tables look for their versions themselves.
      const opening = { version, open: () => open(game, metric, publication) };
      return await kept.use(`${game.name}/${metric}/${publication !== null}`, opening, work);
    } catch (error) {
      const missing = missingFrom(error, game, metric);
      if (missing === null) throw error;
      // If the store is gone, the table is not missing: that throws another error.
      await reach();
      throw new HttpProblem(404, missing);
    }
  }

  return {
    cache,
    probing,
    counts() {
      const { hits, misses, bytesRead } = cache.counts;
      const sum = { hits, misses, bytesRead };
      for (const { counters } of published.values()) {
        sum.hits += counters.blocks.hits;
        sum.misses += counters.blocks.misses;
        sum.bytesRead += counters.blocks.bytesRead;
      }
      return sum;
    },
  };
}

/** Says what is missing; null for other errors. The error's own words name the store, which must not go outside. */
function missingFrom(error: unknown, game: Game, metric: Metric): string | null {
  if (error instanceof MissingTableError)
    return `there is no ${metric} table of ${namedSlice(game, error.slice)} here`;
  if (error instanceof MissingFileError)
    return `there is no ${metric} table of this ending here, and a Syzygy file of it, or of one that it leads to, is missing`;
  return null;
}
