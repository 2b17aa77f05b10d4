/**
 * Looks positions up in finished tables: a position's value, and what each of its moves makes of it. Blocks of tables
 * are cached, least recently used first out, so that a stream of any length is answered in bounded memory.
 */

import type { Store } from '../../../operators/storage/store.js';
import { isClocked } from '../../game/clocked.js';
import type { Game } from '../../game/game.js';
import { stipulations } from '../../game/stipulation.js';
import type { Metric } from '../../game/value.js';
import { assumedTable } from '../assumed-table.js';
import { openNumbers } from '../numbers.js';
import { needTable, openTable, type Table } from '../table.js';
import { type BlockCache, cachedValues, newBlockCache } from './block-cache.js';
import { valuesByClock } from './clocked-look-up.js';
import { drawnThroughout } from './drawn-throughout.js';
import type { OpenValues } from './open-values.js';
import type { Prober } from './probed.js';
import { contradictionIn, tableProber } from './table-prober.js';

export type { Probed, ProbedMove, Prober } from './probed.js';

/** Options with defaults from `game` and `store`. */
export interface ProberOptions<Board> {
  readonly game: Game<Board>;
  /** The game's first metric unless given. */
  readonly metric?: Metric;
  readonly store: Store;
  /** Limit of the cached blocks in bytes; 16 MiB unless given. */
  readonly cacheBytes?: number;
  /** In place of a cache of its own: one that is shared with other probers. */
  readonly cache?: BlockCache;
  /**
   * Whether the value of a position is derived from its moves alone: that reads fewer blocks, but does not compare the result with
   * the stored value. False unless given.
   */
  readonly trustsMoves?: boolean;
  /** The version of the table of a slice, where tables may be replaced while they are open: under another one it is opened again. */
  readonly versionOf?: (slice: string) => number;
}

const CACHE_BYTES = 16 * 2 ** 20;

/** Opens the tables of a game for lookups. Reads nothing before the first one. */
export function newProber<Board>(options: ProberOptions<Board>): Prober<Board> {
  const { game, store, metric = game.metrics[0], cacheBytes = CACHE_BYTES } = options;
  const { cache = newBlockCache(cacheBytes), trustsMoves = false, versionOf } = options;

  async function open(slice: string): Promise<OpenValues | null> {
    const table = await openOrDrawn(store, game, metric, slice);
    if (table === null) return null;
    if (isClocked(metric)) return valuesByClock(store, table, cache);
    return cachedValues(table, cache, stipulations[metric].numbers ? openNumbers(store, table) : null);
  }

  const contradiction = contradictionIn(store.uri, game.name, metric);
  return tableProber({ game, metric, open, contradiction, trustsMoves, versionOf });
}

async function openOrDrawn<Board>(
  store: Store,
  game: Game<Board>,
  metric: Metric,
  slice: string,
): Promise<Table | null> {
  const index = game.slice(slice);
  if (index.assumed !== undefined) return assumedTable(game.name, metric, index, index.assumed);
  const found = await openTable(store, game, metric, slice);
  if (found !== null) return found;
  if (drawnThroughout(game.slice(slice))) return null;
  return needTable(store, game, metric, slice);
}
