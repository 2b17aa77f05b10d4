/** The probers of all games and metrics, which share one cache of blocks. */

import type { Store } from '../../operators/storage/store.js';
import type { Game } from '../../pipeline/game/game.js';
import { namedFor } from '../../pipeline/game/named-for.js';
import { namedSlice } from '../../pipeline/game/slice-words.js';
import { publishedMetrics, SYZYGY_METRIC } from '../../pipeline/game/stipulation.js';
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
import type { PublishedCounters } from '../../pipeline/tables/probe/published-prober.js';
import { publishedProber } from '../../pipeline/tables/probe/published-problems.js';
import { underRule } from '../../pipeline/tables/probe/under-rule.js';
import type { Publication } from '../../pipeline/tables/published/publication.js';
import { MissingTableError } from '../../pipeline/tables/table.js';
import { tableManifestName } from '../../pipeline/tables/table-names.js';
import { SolvedEndings } from '../solved/ending.js';
import { pausing } from '../solved/pausing.js';
import type { ServedCatalogue } from './catalogue/catalogue.js';
import { KeptProbers, pause } from './kept-probers.js';
import { HttpProblem } from './problems.js';
import type { Versions, Watched } from './versions.js';

export interface Probers {
  /**
   * Calls `work` with a prober, a second time where an object is wrong or gone: its tables are opened again by name before. Throws HttpProblem 404
   * where a table or file is missing. While the store is gone, values in memory still answer.
   */
  probing<T>(game: Game, metric: Metric, work: (prober: Prober<unknown>) => Promise<T>): Promise<T>;
  /**
   * Calls `work` with the endings of the game as they are solved under the metric. Throws as {@link probing}.
   * @param signal of a batch or a line: other requests are let through between its positions, and it ends once the client has gone.
   */
  solving<T>(
    game: Game,
    metric: Metric,
    signal: AbortSignal | undefined,
    work: (solved: SolvedEndings) => Promise<T>,
  ): Promise<T>;
  /** Whether Syzygy's files answer for the game under the metric. */
  hasFiles(game: Game, metric: Metric): boolean;
  /** The blocks in memory, for probers of others. */
  readonly cache: BlockCache;
  /** Values looked up in blocks in memory, and in those that were read for it. */
  counts(): BlockCacheCounts;
}

/** @param cacheBytes limit of blocks in memory; if anything is published, half of it is for that, in equal shares of publications. */
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
  /** By the publication's game and metric. */
  const publishedCounters = new Map<string, PublishedCounters>();

  function hasFiles(game: Game, metric: Metric): boolean {
    return syzygy !== null && game.name === 'chess' && metric === SYZYGY_METRIC;
  }

  function openTables(game: Game, metric: Metric): Prober<unknown> {
    const watched = new Map<string, Watched>();
    const versionOf = (slice: string) => {
      let manifest = watched.get(slice);
      if (manifest === undefined) {
        manifest = versions.watch(tableManifestName(game.name, metric, slice));
        watched.set(slice, manifest);
      }
      return manifest.version();
    };
    const tables = newProber({ game: namedFor(game, metric), metric, store, cache, versionOf });
    if (syzygy === null || !hasFiles(game, metric)) return tables;
    const files = syzygyProber(syzygy) as Prober<unknown>;
    return eitherProber(game, [tables, files], (slice) => catalogue.has(game, metric, slice));
  }

  async function openPublished(game: Game, publication: Publication): Promise<Prober<unknown>> {
    const publications = await Promise.all(
      games.flatMap((each) =>
        publishedMetrics
          .filter((metric) => each.metrics.includes(metric))
          .map((metric) => catalogue.publication(each, metric)),
      ),
    );
    const share = Math.floor(cacheBytes / publications.filter((each) => each !== null).length);
    const positionBytes = Math.floor(share / 16);
    const { metric } = publication;
    const { counters, ...prober } = publishedProber({
      game: namedFor(game, metric),
      publication,
      cacheBytes: share - positionBytes,
      positionBytes,
    });
    publishedCounters.set(`${game.name}/${metric}`, counters);
    return prober;
  }

  function open(game: Game, prober: Prober<unknown>): Prober<unknown> {
    return underRule(prober, game.metrics, (each, board) => probeUnder(game, each, board));
  }

  /** Null if no table or file here has the position under the metric. */
  async function probeUnder(game: Game, metric: Metric, board: unknown): Promise<Probed<unknown> | null> {
    if (
      !hasFiles(game, metric) &&
      !(await catalogue.has(game, metric, namedFor(game, metric).locate(board).slice))
    )
      return null;
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
      const published = await catalogue.publication(game, metric);
      // Tables look for their versions themselves.
      if (published === null)
        return await kept.use(
          `${game.name}/${metric}`,
          0,
          async () => open(game, openTables(game, metric)),
          work,
        );
      const { publication, version } = published;
      const opened = async () => open(game, await openPublished(game, publication));
      return await kept.use(`${game.name}/${metric}/published`, version, opened, work);
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
    hasFiles,
    solving: (game, metric, signal, work) =>
      probing(game, metric, (prober) => {
        const paused = signal === undefined ? prober : pausing(prober, () => pause(signal));
        const lookup = { probers: [paused], probersOf: async () => [paused] as const };
        return work(new SolvedEndings(game, game.name, async () => lookup));
      }),
    counts() {
      const { hits, misses, bytesRead } = cache.counts;
      const sum = { hits, misses, bytesRead };
      for (const { blocks } of publishedCounters.values()) {
        sum.hits += blocks.hits;
        sum.misses += blocks.misses;
        sum.bytesRead += blocks.bytesRead;
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
