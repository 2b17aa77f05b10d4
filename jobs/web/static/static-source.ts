/**
 * The source of values of a static site: the probe core itself, which reads the tables that lie beside the page by range
 * requests. What is read of them is kept while the page is open, up to some memory.
 */
import { StorageError, UserError } from '../../../operators/core/errors.js';
import { type HttpCounts, type HttpStore, httpStore } from '../../../operators/storage/http.js';
import type { Game } from '../../../pipeline/game.js';
import { builtIn } from '../../../pipeline/games/built-in.js';
import { drawnThroughout, newProber, type Prober } from '../../../pipeline/probe/prober.js';
import { newPublishedProber } from '../../../pipeline/probe/published-prober.js';
import { openPublication } from '../../../pipeline/publish/publication.js';
import { namedSlice } from '../../../pipeline/slice-words.js';
import { tableManifestName } from '../../../pipeline/table/names.js';
import { needTable, type Table } from '../../../pipeline/table/table.js';
import type { Metric } from '../../../pipeline/value.js';
import { positionsAnswer } from '../../positions/answer.js';
import { mainLineAnswer, positionAnswer } from '../../server/answers.js';
import type { EndingAnswer, HistogramAnswer } from '../../server/shapes.js';
import {
  endingsName,
  histogramName,
  INDEX,
  listingName,
  PUBLISHED,
  publicationFolder,
  SITE_VERSION,
  type SiteGame,
  type SiteIndex,
  tablesFolder,
} from '../../site/layout.js';
import { NoValueError, type TableSource, UnreachableError } from '../source.js';
import { readAhead } from './read-ahead.js';

/** Bytes of table blocks that are kept, for each game and metric; single positions take a sixteenth of that. */
const CACHE_BYTES = 32 << 20;

export interface StaticSource extends TableSource {
  /** What was fetched of tables until now. */
  counts(): HttpCounts;
}

/** A game and metric of the site. */
interface Tables {
  readonly game: Game;
  readonly prober: Prober<unknown>;
  has(slice: string): Promise<boolean>;
  /** The table of a slice, to go through. Null where tables are published ones, which are made to be looked up in. */
  readonly table: ((slice: string) => Promise<Table>) | null;
}

/** @param base the address of the folder of the tables. @throws UnreachableError if it has no index. */
export async function staticSource(base: string): Promise<StaticSource> {
  const folder = base.replace(/\/*$/, '/');
  const index = (await readJson(`${folder}${INDEX}`)) as SiteIndex;
  if (index.version !== SITE_VERSION) throw new Error(`The tables at ${folder} are of another version.`);
  const stores: HttpStore[] = [];
  const opened = new Map<string, Promise<Tables>>();
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

  function storeAt(below: string, objects: string): HttpStore {
    const store = httpStore(below, { listing: listingName(objects) });
    stores.push(store);
    return store;
  }

  async function open(name: string, metric: Metric): Promise<Tables> {
    const known = index.games.find((each) => each.name === name);
    if (known === undefined) throw new Error(`There are no tables of ${name} here.`);
    if (!known.metrics.includes(metric)) throw new Error(`There are no ${metric} tables of ${name} here.`);
    const game = await builtIn[name as SiteGame].load();
    if (metric === 'wdl' && index.published.includes(name)) {
      const store = storeAt(`${folder}${PUBLISHED}`, publicationFolder(name));
      const publication = await openPublication(store, game);
      const positionBytes = CACHE_BYTES / 16;
      const prober = newPublishedProber({ game, publication, cacheBytes: CACHE_BYTES, positionBytes });
      return { game, prober, has: async (slice) => publication.has(slice), table: null };
    }
    const store = storeAt(folder, tablesFolder(name, metric));
    return {
      game,
      // Over a network every block counts; each is checked by its CRC-32 all the same.
      prober: newProber({ game, metric, store, cacheBytes: CACHE_BYTES, trustsMoves: true }),
      has: async (slice) => (await store.size(tableManifestName(name, metric, slice))) !== null,
      table: (slice) => needTable(readAhead(store), game, metric, slice),
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
    answer: (tables: Tables, board: unknown) => Promise<T>,
  ): Promise<T> {
    return reachable(async () => {
      const tables = await once(opened, `${name}/${metric}`, () => open(name, metric));
      try {
        const { game } = tables;
        const board = game.parse(position);
        const { slice } = game.locate(board);
        if (!(await tables.has(slice)) && !drawnThroughout(game.slice(slice))) {
          throw new NoValueError(
            'unknown',
            `There is no ${metric} table of ${namedSlice(game, slice)} here.`,
          );
        }
        return await answer(tables, board);
      } catch (error) {
        throw error instanceof UserError ? new NoValueError('illegal', error.message) : error;
      }
    });
  }

  const readOnce = (name: string) => once(read, name, () => readJson(folder + name));

  return {
    games: async () => [...index.games],
    endings: (game, metric) => readOnce(endingsName(game, metric)) as Promise<EndingAnswer[]>,
    // Sites are exported with tables alone.
    files: async () => [],
    histogram: (game, metric, ending) =>
      readOnce(histogramName(game, metric, ending)) as Promise<HistogramAnswer>,
    positions: ({ game: name, metric, ending, query, skip, limit }) =>
      reachable(async () => {
        const { game, table } = await once(opened, `${name}/${metric}`, () => open(name, metric));
        if (table === null)
          throw new Error(
            'These tables say who wins, and cannot be searched: their endings are listed in other metrics.',
          );
        const options = { game, metric, ending: game.ending(ending), open: table, report: async () => {} };
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
