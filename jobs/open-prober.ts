/** Opens a prober of positions: on tables of a store, on published tables, or on Syzygy's files. */
import { UserError } from '../operators/core/errors.js';
import type { Game } from '../pipeline/contract/game.js';
import { newProber, type Prober } from '../pipeline/probe/prober.js';
import { newPublishedProber, type PublishedCounters } from '../pipeline/probe/published-prober.js';
import { openPublication } from '../pipeline/publish/publication.js';
import { type MetricOptions, metricOf } from './options.js';
import { openReadable, storeToRead } from './stores.js';
import { bytes, percent, whole } from './ui/numbers.js';

/** Bytes of table blocks that a prober keeps. */
export const PROBE_CACHE = 64 << 20;

export interface LookupFlags extends MetricOptions {
  readonly published?: string;
  readonly syzygy?: string;
  readonly cache: number;
}

/** `caches` counts hits and misses. */
export async function openProber(
  game: Game,
  options: LookupFlags,
): Promise<{ prober: Prober<unknown>; caches: (() => string) | null }> {
  const cacheBytes = options.cache;
  if (options.syzygy !== undefined)
    return { prober: await openSyzygy(game, options, options.syzygy, cacheBytes), caches: null };
  if (options.published === undefined) {
    const metric = metricOf(game, options.metric);
    const prober = newProber({ game, metric, store: storeToRead(options.store), cacheBytes });
    return { prober, caches: null };
  }
  if (options.metric !== undefined && options.metric !== 'wdl')
    throw new UserError('published tables hold wins, draws and losses: --published goes without --metric');
  const publication = await openPublication(storeToRead(options.published), game);
  const positionBytes = Math.floor(cacheBytes / 16);
  const prober = newPublishedProber({ game, publication, cacheBytes, positionBytes });
  return { prober, caches: () => cacheText(prober.counters) };
}

async function openSyzygy(
  game: Game,
  { metric, published }: LookupFlags,
  uri: string,
  cacheBytes: number,
): Promise<Prober<unknown>> {
  if (game.name !== 'chess')
    throw new UserError(`Syzygy's files are of chess: --syzygy goes without ${game.name}`);
  if (metric !== undefined && metric !== 'dtz')
    throw new UserError(
      "Syzygy's files hold plies under the metric dtz: --syzygy goes without any other --metric",
    );
  if (published !== undefined) throw new UserError('look positions up in one place: --syzygy or --published');
  const [{ syzygyProber }, { openSyzygyTables }] = await Promise.all([
    import('../pipeline/games/chess/syzygy/read/prober.js'),
    import('../pipeline/games/chess/syzygy/read/tables.js'),
  ]);
  return syzygyProber(openSyzygyTables(openReadable(uri), cacheBytes)) as Prober<unknown>;
}

function cacheText({ asked, blocks, search }: PublishedCounters): string {
  return (
    `${whole(asked.positions)} positions: ${percent(asked.known, asked.positions)} in the position cache; ` +
    `${whole(search.lookups)} values looked up for the others, ${percent(blocks.hits, blocks.hits + blocks.misses)} of them ` +
    `in the block cache; ${whole(blocks.misses)} blocks read (${bytes(blocks.bytesRead)})`
  );
}
