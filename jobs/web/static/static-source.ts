/**
 * The source of values of a static site: the probe core itself, which reads the tables that lie beside the page by range
 * requests. What is read of them is kept while the page is open, up to some memory.
 */
import { StorageError, UserError } from '../../../operators/core/errors.js';
import { type HttpCounts, type HttpStore, httpStore } from '../../../operators/storage/http.js';
import type { Game } from '../../../pipeline/game.js';
import { builtIn } from '../../../pipeline/games/built-in.js';
import { MissingFileError } from '../../../pipeline/games/chess/syzygy/read/missing-file.js';
import { cachedValues, newBlockCache } from '../../../pipeline/probe/block-cache.js';
import { drawnThroughout } from '../../../pipeline/probe/drawn-throughout.js';
import { eitherProber } from '../../../pipeline/probe/either-prober.js';
import type { Prober } from '../../../pipeline/probe/prober.js';
import { tableProber } from '../../../pipeline/probe/table-prober.js';
import { namedSlice } from '../../../pipeline/slice-words.js';
import type { ValueTable } from '../../../pipeline/table/value-table.js';
import type { Metric } from '../../../pipeline/value.js';
import { mainLineAnswer, positionAnswer } from '../../server/answers.js';
import type { EndingAnswer, FiledAnswer, HistogramAnswer } from '../../server/shapes.js';
import {
  endingsName,
  filesName,
  histogramName,
  INDEX,
  listingName,
  PUBLISHED,
  publicationFolder,
  SITE_VERSION,
  type SiteGame,
  type SiteIndex,
  SYZYGY,
  tablesName,
} from '../../site/layout.js';
import type { SiteTables } from '../../site/value-blocks.js';
import { NoValueError, type TableSource, UnreachableError } from '../source.js';
import { siteTableOf } from './site-tables.js';

/** Bytes of table blocks that are kept, for each game and metric; single positions take a sixteenth of that. */
const CACHE_BYTES = 32 << 20;
/** Reads of Syzygy's files: smaller ones than from a disk. */
const NETWORK = { whole: 1 << 15, page: 1 << 12 };

export interface StaticSource extends TableSource {
  /** What was fetched of tables until now. */
  counts(): HttpCounts;
}

/** A game and metric of the site. */
interface Values {
  readonly game: Game;
  readonly prober: Prober<unknown>;
  /** Whether there may be a value. Throws where it is known that there is none. */
  check(slice: string): void;
  /** The table of a slice, to go through. Null where tables are published ones, which are made to be looked up in. */
  readonly table: ((slice: string) => ValueTable) | null;
}

/** @param base the address of the folder of the tables. @throws UnreachableError if it has no index. */
export async function staticSource(base: string): Promise<StaticSource> {
  const folder = base.replace(/\/*$/, '/');
  const index = (await readJson(`${folder}${INDEX}`)) as SiteIndex;
  if (index.version !== SITE_VERSION) throw new Error(`The tables at ${folder} are of another version.`);
  const stores: HttpStore[] = [];
  const opened = new Map<string, Promise<Values>>();
  const read = new Map<string, Promise<unknown>>();

  /** What fails now may be there the next time. */
  function once<T>(known: Map<string, Promise<unknown>>, key: string, make: () => Promise<T>): Promise<T> {
    let made = known.get(key) as Promise<T> | undefined;
    if (made === undefined) {
      made = make();
      known.set(key, made);
      made.catch(() => known.delete(key));
    }
    return made;
  }

  function storeAt(below: string, listing?: string): HttpStore {
    const store = httpStore(below, listing === undefined ? {} : { listing });
    stores.push(store);
    return store;
  }

  async function open(name: string, metric: Metric): Promise<Values> {
    const known = index.games.find((each) => each.name === name);
    if (known === undefined) throw new Error(`There are no tables of ${name} here.`);
    if (!known.metrics.includes(metric)) throw new Error(`There are no ${metric} tables of ${name} here.`);
    const game = await builtIn[name as SiteGame].load();
    if (metric === 'wdl' && index.published.includes(name)) return openPublished(game);
    const [tables, files] = await Promise.all([
      readOnce(tablesName(name, metric)) as Promise<SiteTables>,
      index.syzygy && name === 'chess' && metric === 'dtz' ? openFiles() : null,
    ]);
    return openTables(game, metric, tables, files);
  }

  async function openPublished(game: Game): Promise<Values> {
    const { openPublication, newPublishedProber } = await import('./published.js');
    const store = storeAt(`${folder}${PUBLISHED}`, listingName(publicationFolder(game.name)));
    const publication = await openPublication(store, game);
    const positionBytes = CACHE_BYTES / 16;
    const prober = newPublishedProber({ game, publication, cacheBytes: CACHE_BYTES, positionBytes });
    return {
      game,
      prober,
      check: (slice) => needed(game, 'wdl', slice, publication.has(slice)),
      table: null,
    };
  }

  async function openFiles(): Promise<Prober<unknown>> {
    const { openSyzygyTables, syzygyProber } = await import('./syzygy.js');
    const store = storeAt(`${folder}${SYZYGY}`, listingName(''));
    return syzygyProber(openSyzygyTables(store, CACHE_BYTES / 4, NETWORK)) as Prober<unknown>;
  }

  function openTables(game: Game, metric: Metric, tables: SiteTables, files: Prober<unknown> | null): Values {
    const store = storeAt(folder);
    const cache = newBlockCache(CACHE_BYTES);
    const prober = tableProber({
      ...{ game, metric, uri: store.uri },
      async open(slice) {
        const table = siteTableOf(store, game, metric, tables, slice);
        return table === null ? null : cachedValues(table, cache);
      },
      // Over a network every block counts; each is checked by its CRC-32 all the same.
      trustsMoves: true,
    });
    const has = (slice: string) => tables[slice] !== undefined;
    return {
      game,
      prober: files === null ? prober : eitherProber(game, [prober, files], async (slice) => has(slice)),
      check: (slice) => needed(game, metric, slice, has(slice) || files !== null),
      table: (slice) => {
        needed(game, metric, slice, has(slice));
        return siteTableOf(store, game, metric, tables, slice)!;
      },
    };
  }

  /** Where nothing answered, or not to the end, the store knows why. */
  async function reachable<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof StorageError && error.cause !== undefined)
        throw new UnreachableError(error.message);
      throw error;
    }
  }

  async function look<T>(
    name: string,
    metric: Metric,
    position: string,
    answer: (values: Values, board: unknown) => Promise<T>,
  ): Promise<T> {
    return reachable(async () => {
      const values = await once(opened, `${name}/${metric}`, () => open(name, metric));
      try {
        const { game } = values;
        const board = game.parse(position);
        values.check(game.locate(board).slice);
        return await answer(values, board);
      } catch (error) {
        if (error instanceof MissingFileError) throw new NoValueError('unknown', NO_FILE);
        throw error instanceof UserError ? new NoValueError('illegal', error.message) : error;
      }
    });
  }

  const readOnce = (name: string) => once(read, name, () => readJson(folder + name));

  return {
    games: async () => [...index.games],
    endings: (game, metric) => readOnce(endingsName(game, metric)) as Promise<EndingAnswer[]>,
    files: async (game, metric) =>
      index.syzygy && game === 'chess' && metric === 'dtz'
        ? ((await readOnce(filesName(game, metric))) as FiledAnswer[])
        : [],
    histogram: (game, metric, ending) =>
      readOnce(histogramName(game, metric, ending)) as Promise<HistogramAnswer>,
    positions: ({ game: name, metric, ending, query, skip, limit }) =>
      reachable(async () => {
        const { game, table } = await once(opened, `${name}/${metric}`, () => open(name, metric));
        if (table === null)
          throw new Error(
            'These tables say who wins, and cannot be searched: their endings are listed in other metrics.',
          );
        const { positionsAnswer } = await import('../../positions/answer.js');
        const tableOf = async (slice: string) => table(slice);
        const options = { game, metric, ending: game.ending(ending), open: tableOf, report: async () => {} };
        return positionsAnswer(options, query, { skip, limit });
      }),
    probe: (game, metric, position) =>
      look(game, metric, position, ({ game, prober }, board) => positionAnswer(game, prober, board)),
    mainLine: (game, metric, position) =>
      look(game, metric, position, ({ game, prober }, board) => mainLineAnswer(game, prober, board)),
    counts: () => ({
      requests: stores.reduce((sum, { counts }) => sum + counts.requests, 0),
      bytes: stores.reduce((sum, { counts }) => sum + counts.bytes, 0),
    }),
  };
}

/** Throws where a slice has no table and needs one. */
function needed(game: Game, metric: Metric, slice: string, has: boolean): void {
  if (has || drawnThroughout(game.slice(slice))) return;
  throw new NoValueError('unknown', `There is no ${metric} table of ${namedSlice(game, slice)} here.`);
}

const NO_FILE =
  'There is no dtz table of this ending here, and a Syzygy file of it, or of one that it leads to, is missing.';

/** Browsers do not tell pages which it is. */
const ELSEWHERE = ', or its host does not allow pages of other sites to read it (CORS)';

function isElsewhere(address: string): boolean {
  const { location } = globalThis as { location?: { href: string; origin: string } };
  return location !== undefined && new URL(address, location.href).origin !== location.origin;
}

/** The fields are what the export wrote. */
async function readJson(address: string): Promise<unknown> {
  const response = await fetch(address).catch(() => {
    throw new UnreachableError(`${address} cannot be reached${isElsewhere(address) ? ELSEWHERE : ''}.`);
  });
  if (!response.ok) throw new Error(`${address} is not there (${response.status}).`);
  return response.json();
}
