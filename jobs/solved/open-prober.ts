/** Opens a prober of positions: on tables of a store, on published tables, or on Syzygy's files. */

import { UserError } from '../../operators/core/errors.js';
import type { Store } from '../../operators/storage/store.js';
import type { Game } from '../../pipeline/game/game.js';
import { namedFor } from '../../pipeline/game/named-for.js';
import { PUBLISHED_METRIC, publishedMetrics, SYZYGY_METRIC } from '../../pipeline/game/stipulation.js';
import { UntabledError } from '../../pipeline/game/untabled.js';
import type { Metric } from '../../pipeline/game/value.js';
import { type BlockCache, newBlockCache } from '../../pipeline/tables/probe/block-cache.js';
import { newProber, type Probed, type Prober } from '../../pipeline/tables/probe/prober.js';
import type { PublishedCounters } from '../../pipeline/tables/probe/published-prober.js';
import { publishedProber } from '../../pipeline/tables/probe/published-problems.js';
import { underRule } from '../../pipeline/tables/probe/under-rule.js';
import { RULE_METRICS } from '../../pipeline/tables/probe/verdict.js';
import { readCatalogue } from '../../pipeline/tables/published/catalogue.js';
import { openPublication, type Publication } from '../../pipeline/tables/published/publication.js';
import { MissingTableError } from '../../pipeline/tables/table.js';
import { tableManifestName } from '../../pipeline/tables/table-names.js';
import { type MetricOptions, metricOf, requirePublished } from '../cli/options.js';
import { openReadable, storeToRead } from '../stores.js';
import { bytes, percent, whole } from '../ui/numbers.js';

/** Bytes of table blocks that a prober keeps. */
export const PROBE_CACHE = 64 << 20;

export interface LookupFlags extends MetricOptions {
  readonly published?: string;
  /** One place of Syzygy files, or several: a file is that of the first one that has it. */
  readonly syzygy?: string | readonly string[];
  readonly cache: number;
}

/** The tables of a store, and what is kept of them in memory, for as many lookups as share it. */
export interface TableSource {
  readonly store: Store;
  readonly cache: BlockCache;
  /** The version of a table by the name of its manifest, where tables may be replaced while they are open. */
  readonly versionOf?: (manifest: string) => number;
}

export function tableSource({ store, cache }: Pick<LookupFlags, 'store' | 'cache'>): TableSource {
  return { store: storeToRead(store), cache: newBlockCache(cache) };
}

/** Where positions are looked up: under the metric, or in the place, that flags name, or else under all metrics that their endings are solved for. */
export interface Lookup {
  /** In the order of the game's metrics. */
  readonly probers: readonly Prober<unknown>[];
  /** Those that answer for a board. */
  readonly probersOf: (board: unknown) => Promise<SomeProbers>;
  /** Why no line of play is followed, unless one of the probers has distances; left out where the probers themselves say why. */
  readonly noLine?: string;
  /** The hits and misses of caches, where they are counted. */
  readonly caches?: () => string;
}

type SomeProbers = readonly [Prober<unknown>, ...Prober<unknown>[]];

/** @param source in place of the store that flags name. */
export async function openLookup(game: Game, flags: LookupFlags, source?: TableSource): Promise<Lookup> {
  if (flags.syzygy !== undefined) {
    const prober = await openSyzygy(game, flags, flags.syzygy, flags.cache);
    return { probers: [prober], probersOf: async () => [prober] };
  }
  if (flags.published === undefined) return openTables(game, flags, source ?? tableSource(flags));
  const opened = await openPublished(game, { ...flags, published: flags.published });
  return {
    probers: opened.map(({ prober }) => prober),
    noLine:
      'published tables of wins, draws and losses have no main line: --line with --published is for problems and keyed games',
    async probersOf(board) {
      const having = opened.filter(({ publication }) => {
        const slice = sliceUnder(game, publication.metric, board);
        return slice !== null && publication.has(slice);
      });
      const [first = opened[0], ...others] = having;
      return [first.prober, ...others.map(({ prober }) => prober)];
    },
    caches: () =>
      opened
        .map(({ publication, prober }) => {
          const text = cacheText(prober.counters);
          return opened.length === 1 ? text : `${publication.metric}: ${text}`;
        })
        .join('\n'),
  };
}

/**
 * The publications of a place: that of the metric which is asked for, else all. Throws UserError where there is none, or where the metric
 * is one that publications do not have.
 */
export async function openPublished(
  game: Game,
  { published, metric, cache }: Pick<LookupFlags, 'metric' | 'cache'> & { readonly published: string },
): Promise<{ readonly publication: Publication; readonly prober: ReturnType<typeof publishedProber> }[]> {
  const store = openReadable(published);
  const asked = metric === undefined ? null : metricOf(game, metric);
  if (asked !== null) requirePublished(game, asked);
  const there: Metric[] = [];
  for (const each of asked === null ? publishedMetrics : [])
    if ((await readCatalogue(store, game.name, each)) !== null) there.push(each);
  // If there is none, opening says so.
  const opening = there.length > 0 ? there : [asked ?? PUBLISHED_METRIC];
  const cacheBytes = Math.floor(cache / opening.length);
  const positionBytes = Math.floor(cacheBytes / 16);
  return Promise.all(
    opening.map(async (each) => {
      const named = namedFor(game, each);
      const publication = await openPublication(store, named, each);
      return {
        publication,
        prober: publishedProber({ game: named, publication, cacheBytes, positionBytes }),
      };
    }),
  );
}

/**
 * Tables of the metric that is asked for, else of all. Then those of every metric for which the ending of a position is solved answer for it. Where
 * none is, that of the game's first metric does, whose error names the missing table. All metrics share one cache of blocks.
 */
function openTables(game: Game, { metric }: MetricOptions, source: TableSource): Lookup {
  const { store } = source;
  const { metrics } = game;
  if (metric !== undefined) {
    const [prober] = tablesUnderRule(game, [metricOf(game, metric)], source);
    return { probers: [prober], probersOf: async () => [prober] };
  }
  const probers = tablesUnderRule(game, metrics, source);
  const solvedOf = new Map<string, readonly Prober<unknown>[]>();

  const probersOf = async (board: unknown): Promise<SomeProbers> => {
    const slices = metrics.map((metric) => sliceUnder(game, metric, board));
    const key = slices.join(' ');
    let solved = solvedOf.get(key);
    if (solved === undefined) {
      const found: Prober<unknown>[] = [];
      for (const [i, prober] of probers.entries()) {
        const slice = slices[i];
        if (slice === null) continue;
        const manifest = tableManifestName(game.name, prober.metric, slice);
        if ((await store.size(manifest)) !== null) found.push(prober);
      }
      solvedOf.set(key, (solved = found));
    }
    const [first = probers[0], ...others] = solved;
    return [first, ...others];
  };
  return { probers, probersOf };
}

/** The slice of a board; null if the metric has none: roots have more men than endings, under some metrics. */
function sliceUnder(game: Game, metric: Metric, board: unknown): string | null {
  try {
    return namedFor(game, metric).locate(board).slice;
  } catch (error) {
    if (error instanceof UntabledError) return null;
    throw error;
  }
}

/**
 * Probers of the tables of a store, one for each of the metrics, whose verdicts follow the 50-move rule where tables there know it. They
 * share the tables that they open.
 */
function tablesUnderRule(
  game: Game,
  metrics: readonly Metric[],
  { store, cache, versionOf }: TableSource,
): Prober<unknown>[] {
  const all = new Set([...metrics, ...RULE_METRICS]);
  const open = (metric: Metric) =>
    newProber({
      game: namedFor(game, metric),
      metric,
      store,
      cache,
      ...(versionOf && {
        versionOf: (slice: string) => versionOf(tableManifestName(game.name, metric, slice)),
      }),
    });
  const tables = new Map([...all].map((metric) => [metric, open(metric)]));
  /** Metrics and slices without a table: their manifests are not looked for again. */
  const missing = new Set<string>();

  async function probeRuled(metric: Metric, board: unknown): Promise<Probed<unknown> | null> {
    const name = `${metric} ${namedFor(game, metric).locate(board).slice}`;
    if (missing.has(name)) return null;
    try {
      return await tables.get(metric)!.probe(board);
    } catch (error) {
      if (!(error instanceof MissingTableError)) throw error;
      missing.add(name);
      return null;
    }
  }

  return metrics.map((metric) => underRule(tables.get(metric)!, game.metrics, probeRuled));
}

async function openSyzygy(
  game: Game,
  { metric, published }: LookupFlags,
  places: string | readonly string[],
  cacheBytes: number,
): Promise<Prober<unknown>> {
  if (game.name !== 'chess')
    throw new UserError(`Syzygy files are of chess: --syzygy cannot be combined with ${game.name}`);
  if (metric !== undefined && metric !== SYZYGY_METRIC)
    throw new UserError(
      'Syzygy files hold plies under the metric dtz: --syzygy cannot be combined with another --metric',
    );
  if (published !== undefined) throw new UserError('look positions up in one place: --syzygy or --published');
  const [{ syzygyProber }, { openSyzygyTables }] = await Promise.all([
    import('../../pipeline/games/chess/syzygy/read/prober.js'),
    import('../../pipeline/games/chess/syzygy/read/tables.js'),
  ]);
  const stores = [places].flat().map(openReadable);
  return syzygyProber(openSyzygyTables(stores, cacheBytes)) as Prober<unknown>;
}

function cacheText({ asked, blocks, search }: PublishedCounters): string {
  return (
    `${whole(asked.positions)} positions: ${percent(asked.known, asked.positions)} in the position cache; ` +
    `${whole(search.lookups)} values looked up for the others, ${percent(blocks.hits, blocks.hits + blocks.misses)} of them ` +
    `in the block cache; ${whole(blocks.misses)} blocks read (${bytes(blocks.bytesRead)})`
  );
}
