/**
 * The source of values of a static site: the probe core itself, which reads the tables that lie beside the page by range
 * requests. What is read of them is kept while the page is open, up to some memory.
 */

import { StorageError, UserError } from '../../../operators/core/errors.js';
import { newOnce } from '../../../operators/core/once.js';
import type { HttpCounts } from '../../../operators/storage/http.js';
import { UntabledError } from '../../../pipeline/game/untabled.js';
import type { Metric } from '../../../pipeline/game/value.js';
import type { ChessBoard } from '../../../pipeline/games/chess/rules.js';
import { MissingFileError } from '../../../pipeline/games/chess/syzygy/format.js';
import type { PositionAnswer } from '../../positions/shapes.js';
import { mainLineAnswer, positionAnswer, solutionsAnswer } from '../../server/answers.js';
import type { EndingAnswer, FiledAnswer, HistogramAnswer } from '../../server/api-answers.js';
import {
  endingsName,
  filesName,
  histogramName,
  INDEX,
  publicationKey,
  SITE_VERSION,
  type SiteIndex,
  tablesName,
} from '../../site/site-layout.js';
import type { SiteTables } from '../../site/value-blocks.js';
import { shownPosition } from '../shown-position.js';
import { type AskedPositions, NoValueError, type TableSource, UnreachableError } from '../source.js';
import type { SiteRoots } from './rooted.js';
import { hasFiles, newSiteValues, type Values } from './site-values.js';

/** Positions that are remembered, each under a metric. */
const REMEMBERED = 1000;

export interface StaticSource extends TableSource {
  /** The blocks of tables that were fetched until now. */
  counts(): HttpCounts;
}

/** @param base the address of the folder of the tables. @throws UnreachableError if it has no index. */
export async function staticSource(base: string): Promise<StaticSource> {
  const folder = base.replace(/\/*$/, '/');
  const index = (await readJson(`${folder}${INDEX}`)) as SiteIndex;
  if (index.version !== SITE_VERSION) throw new Error(`The tables at ${folder} are of another version.`);
  const once = newOnce<string>();
  const positions = newOnce<string, PositionAnswer>({ most: REMEMBERED });
  const read = <T>(name: string) => once(name, () => readJson(folder + name) as Promise<T>);
  const values = newSiteValues(folder, index, (name, metric) => read<SiteTables>(tablesName(name, metric)));
  const open = (name: string, metric: Metric) => once(`${name} ${metric}`, () => values.open(name, metric));

  /** The tables of roots under a metric; null if the site has none. */
  async function rooted(name: string, metric: Metric): Promise<SiteRoots | null> {
    const { roots, published } = index;
    if (roots === undefined || name !== 'chess' || published.includes(publicationKey(name, metric)))
      return null;
    const { SiteRoots } = await import('./rooted.js');
    const tables = await read<SiteTables>(tablesName(name, metric));
    return new SiteRoots({ roots, metric, tables, open: (view) => values.open(name, metric, view) });
  }

  /** What the tables of a position's ending answer, or those of a root that has it. */
  async function look<T>(
    name: string,
    metric: Metric,
    position: string,
    answer: (values: Values, board: unknown) => Promise<T>,
    answerOfRoot: (roots: SiteRoots, board: ChessBoard) => Promise<T>,
  ): Promise<T> {
    return reachable(async () => {
      const values = await open(name, metric);
      try {
        const roots = await once(`roots ${name} ${metric}`, () => rooted(name, metric));
        const found = (await roots?.read(position)) ?? null;
        if (roots !== null && found !== null) return await answerOfRoot(roots, found);
        const { game } = values;
        const board = game.parse(position);
        values.check(game.locate(board).slice);
        return await answer(values, board);
      } catch (error) {
        if (error instanceof MissingFileError) throw new NoValueError('unknown', NO_FILE);
        if (error instanceof UntabledError) throw new NoValueError('unknown', error.message);
        throw error instanceof UserError ? new NoValueError('illegal', error.message) : error;
      }
    });
  }

  const answered = (game: string, metric: Metric, position: string): Promise<PositionAnswer> =>
    positions([game, metric, position].join('\n'), () =>
      look(
        game,
        metric,
        position,
        ({ game, prober }, board) => positionAnswer(game, prober, board),
        (roots, board) => roots.answer(board),
      ),
    );

  return {
    games: async () => [...index.games],
    endings: (game, metric) => read<EndingAnswer[]>(endingsName(game, metric)),
    files: async (game, metric) =>
      hasFiles(index, game, metric) ? read<FiledAnswer[]>(filesName(game, metric)) : [],
    histogram: (game, metric, ending) => read<HistogramAnswer>(histogramName(game, metric, ending)),
    positions: (asked) => reachable(async () => search(await open(asked.game, asked.metric), asked)),
    async probe(game, metrics, position) {
      const asked = await Promise.allSettled(metrics.map((metric) => answered(game, metric, position)));
      const found = asked.flatMap((each) => (each.status === 'fulfilled' ? [shownPosition(each.value)] : []));
      const [first] = asked;
      if (first.status === 'rejected' && (found.length === 0 || !(first.reason instanceof NoValueError)))
        throw first.reason;
      return found;
    },
    async check(study) {
      const { checkStudy, answeredLookup } = await import('./study.js');
      const metrics = index.games.find(({ name }) => name === 'chess')!.metrics;
      return checkStudy(
        study,
        answeredLookup(async (fen) => {
          const asked = await Promise.allSettled(metrics.map((metric) => answered('chess', metric, fen)));
          return asked.flatMap((each) => {
            if (each.status === 'fulfilled') return [each.value];
            if (each.reason instanceof NoValueError) return [];
            throw each.reason;
          });
        }),
      );
    },
    solutions: (game, metric, position, limit) =>
      look(
        game,
        metric,
        position,
        ({ game, prober }, board) => solutionsAnswer(game, prober, board, limit),
        (roots, board) => roots.solutions(board, limit),
      ),
    mainLine: (game, metric, position) =>
      look(
        game,
        metric,
        position,
        ({ game, prober }, board) => mainLineAnswer(game, prober, board),
        (roots, board) => roots.line(board),
      ),
    // Nothing can be solved without a server.
    plan: async () => null,
    counts: values.counts,
  };
}

/** Positions of an ending by query. */
async function search(
  { game, table, numbers, prober }: Values,
  { metric, ending, query, skip, limit }: AskedPositions,
) {
  if (table === null)
    throw new Error(
      'These tables say who wins, and cannot be searched: their endings are listed in other metrics.',
    );
  const { positionsAnswer } = await import('../../positions/answer.js');
  const open = async (slice: string) => table(slice);
  const beside = numbers === undefined ? {} : { numbers, prober: () => prober };
  const options = { game, metric, ending: game.ending(ending), open, report: async () => {}, ...beside };
  return positionsAnswer(options, query, { skip, limit });
}

/** Where nothing answered, or not to the end, the store knows why. */
async function reachable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StorageError && error.cause !== undefined) throw new UnreachableError(error.message);
    throw error;
  }
}

const NO_FILE =
  'There is no dtz table of this ending here, and a Syzygy file of it, or of one that it leads to, is missing.';

/** Browsers do not say which it is. */
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
