/** The values of the games and metrics of a site, opened when they are asked for. */

import { newOnce } from '../../../operators/core/once.js';
import { type HttpCounts, type HttpStore, httpStore } from '../../../operators/storage/http.js';
import type { Game } from '../../../pipeline/game/game.js';
import { namedFor } from '../../../pipeline/game/named-for.js';
import { namedSlice } from '../../../pipeline/game/slice-words.js';
import { publishedAs, SYZYGY_METRIC, stipulations } from '../../../pipeline/game/stipulation.js';
import type { Metric } from '../../../pipeline/game/value.js';
import { builtIn } from '../../../pipeline/games/built-in.js';
import { MissingFileError, SUMMED_ABOVE, SUMMED_BYTES } from '../../../pipeline/games/chess/syzygy/format.js';
import { cachedValues, newBlockCache } from '../../../pipeline/tables/probe/block-cache.js';
import { drawnThroughout } from '../../../pipeline/tables/probe/drawn-throughout.js';
import { eitherProber } from '../../../pipeline/tables/probe/either-prober.js';
import type { Probed, Prober } from '../../../pipeline/tables/probe/prober.js';
import { contradictionIn, tableProber } from '../../../pipeline/tables/probe/table-prober.js';
import { underRule } from '../../../pipeline/tables/probe/under-rule.js';
import type { TableColumn, ValueTable } from '../../../pipeline/tables/value-table.js';
import {
  listingName,
  PUBLISHED,
  publicationFolder,
  publicationKey,
  type SiteGame,
  type SiteIndex,
  SYZYGY,
} from '../../site/site-layout.js';
import type { SiteTables } from '../../site/value-blocks.js';
import { NoValueError } from '../source.js';
import { siteTableOf } from './site-tables.js';

/** Bytes of table blocks that are kept, for each game and metric; single positions take a sixteenth of that. */
const CACHE_BYTES = 32 << 20;
/** Reads of Syzygy's files: smaller ones than from a disk. Blocks of plies have 1,024 bytes; a request costs about two of them. */
const NETWORK = { whole: SUMMED_ABOVE, page: SUMMED_BYTES, gap: 1 << 11, bySums: true };

/** A game and metric of the site. */
export interface Values {
  readonly game: Game;
  readonly prober: Prober<unknown>;
  /** Whether there may be a value. Throws where it is known that there is none. */
  check(slice: string): void;
  /** The table of a slice, to go through. Null where tables are published ones, which are made to be looked up in. */
  readonly table: ((slice: string) => ValueTable) | null;
  /** The numbers beside the values of a table, under metrics that have them. */
  readonly numbers?: ((table: ValueTable) => TableColumn) | undefined;
}

interface SiteValues {
  /** Throws where the site has none of the game and metric. @param view in place of the game: what finds positions in the tables of a root. */
  open(name: string, metric: Metric, view?: Game): Promise<Values>;
  /** The values that were fetched until now. */
  counts(): HttpCounts;
}

/** @param folder the address of the tables, ended by a slash. @param readTables reads which tables of a game and metric there are. */
export function newSiteValues(
  folder: string,
  index: SiteIndex,
  readTables: (name: string, metric: Metric) => Promise<SiteTables>,
): SiteValues {
  const stores: HttpStore[] = [];

  function storeAt(below: string, listing?: string): HttpStore {
    const store = httpStore(below, listing === undefined ? {} : { listing });
    stores.push(store);
    return store;
  }

  const ruling = newOnce<string, Values>();

  /** Null if the site does not have the position under the metric. */
  async function probeUnder(opening: Promise<Values>, board: unknown): Promise<Probed<unknown> | null> {
    try {
      const { game, prober, check } = await opening;
      check(game.locate(board).slice);
      return await prober.probe(board);
    } catch (error) {
      if (error instanceof NoValueError || error instanceof MissingFileError) return null;
      throw error;
    }
  }

  async function open(name: string, metric: Metric, view?: Game): Promise<Values> {
    const values = await openOne(name, metric, view);
    const { metrics } = index.games.find((each) => each.name === name)!;
    const once = view === undefined ? ruling : newOnce<string, Values>();
    const prober = underRule(values.prober, metrics, (each, board) =>
      probeUnder(
        once(`${name} ${each}`, () => openOne(name, each, view)),
        board,
      ),
    );
    return { ...values, prober };
  }

  async function openOne(name: string, metric: Metric, view?: Game): Promise<Values> {
    const known = index.games.find((each) => each.name === name);
    if (known === undefined) throw new Error(`There are no tables of ${name} here.`);
    if (!known.metrics.includes(metric)) throw new Error(`There are no ${metric} tables of ${name} here.`);
    const game = view ?? (namedFor(await builtIn[name as SiteGame].load(), metric) as Game);
    if (publishedAs(metric) === metric && index.published.includes(publicationKey(name, metric))) {
      return openPublished(
        game,
        metric,
        storeAt(`${folder}${PUBLISHED}`, listingName(publicationFolder(name))),
      );
    }
    const [tables, files] = await Promise.all([
      readTables(name, metric),
      hasFiles(index, name, metric) ? openFiles(storeAt(`${folder}${SYZYGY}`, listingName(''))) : null,
    ]);
    return openTables(game, metric, storeAt(folder), tables, files);
  }

  return {
    open,
    counts: () => ({
      requests: stores.reduce((sum, { counts }) => sum + counts.requests, 0),
      bytes: stores.reduce((sum, { counts }) => sum + counts.bytes, 0),
    }),
  };
}

/** Whether Syzygy's files answer for a game and metric of a site. */
export function hasFiles({ syzygy }: SiteIndex, name: string, metric: Metric): boolean {
  return syzygy && name === 'chess' && metric === SYZYGY_METRIC;
}

async function openPublished(game: Game, metric: Metric, store: HttpStore): Promise<Values> {
  const { openPublication, publishedProber } = await import('./published.js');
  const publication = await openPublication(store, game, metric);
  const positionBytes = CACHE_BYTES / 16;
  const prober = publishedProber({ game, publication, cacheBytes: CACHE_BYTES, positionBytes });
  return {
    game,
    prober,
    check: (slice) => needed(game, metric, slice, publication.has(slice)),
    table: null,
  };
}

async function openFiles(store: HttpStore): Promise<Prober<unknown>> {
  const { openSyzygyTables, syzygyProber } = await import('./syzygy.js');
  return syzygyProber(openSyzygyTables(store, CACHE_BYTES / 4, NETWORK)) as Prober<unknown>;
}

function openTables(
  game: Game,
  metric: Metric,
  store: HttpStore,
  tables: SiteTables,
  files: Prober<unknown> | null,
): Values {
  const cache = newBlockCache(CACHE_BYTES);
  const prober = tableProber({
    game,
    metric,
    contradiction: contradictionIn(store.uri, game.name, metric),
    async open(slice) {
      const found = siteTableOf(store, game, metric, tables, slice);
      return found === null ? null : cachedValues(found.table, cache, found.numbers);
    },
    // Over a network every block counts; each is checked by its CRC-32 all the same.
    trustsMoves: true,
  });
  const has = (slice: string) => Object.hasOwn(tables, slice) || game.slice(slice).assumed !== undefined;
  return {
    game,
    prober: files === null ? prober : eitherProber(game, [prober, files], async (slice) => has(slice)),
    check: (slice) => needed(game, metric, slice, has(slice) || files !== null),
    table: (slice) => {
      const found = has(slice) ? siteTableOf(store, game, metric, tables, slice) : null;
      if (found === null) throw noTable(game, metric, slice);
      return found.table;
    },
    numbers: stipulations[metric].numbers
      ? ({ manifest }) => siteTableOf(store, game, metric, tables, manifest.slice)!.numbers!
      : undefined,
  };
}

/** Throws where a slice has no table and needs one. */
function needed(game: Game, metric: Metric, slice: string, has: boolean): void {
  if (!has && !drawnThroughout(game.slice(slice))) throw noTable(game, metric, slice);
}

function noTable(game: Game, metric: Metric, slice: string): NoValueError {
  return new NoValueError('unknown', `There is no ${metric} table of ${namedSlice(game, slice)} here.`);
}
