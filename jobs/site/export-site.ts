/**
 * Exports tables and the page as a folder for any plain file server. The first file written says that the folder is an
 * export's, the last that it is a site. Another export into the folder keeps the tables that are there, and removes those no
 * longer asked for.
 */
import { UserError } from '../../operators/core/errors.js';
import type { Store } from '../../operators/storage/store.js';
import { storeBelow } from '../../operators/storage/store-below.js';
import { isClocked } from '../../pipeline/clocked/metric.js';
import type { Game } from '../../pipeline/game.js';
import { planSlices } from '../../pipeline/plan.js';
import { drawnThroughout } from '../../pipeline/probe/prober.js';
import type { ProgressListener } from '../../pipeline/progress.js';
import { readCatalogue } from '../../pipeline/publish/catalogue.js';
import { needTable } from '../../pipeline/table/table.js';
import type { Metric } from '../../pipeline/value.js';
import { type Catalogue, newCatalogue } from '../server/catalogue/catalogue.js';
import type { GameAnswer } from '../server/shapes.js';
import { type Copied, describeSite } from './describe-site.js';
import { openSiteFolder } from './folder.js';
import { isSiteGame, MARK, PUBLISHED, SITE_GAMES } from './layout.js';
import { copyPublication } from './publication-copy.js';
import { copyTable } from './table-copy.js';

export interface SiteOptions {
  /** Store of the tables. */
  readonly store: Store;
  /** Store of a publication, if its wins, draws and losses are to be those of the site. */
  readonly published: Store | null;
  readonly games: readonly Game[];
  /** Undefined: all that there are. */
  readonly metric: Metric | undefined;
  /** The slices of the only game to export, with all they convert to; null: all that are solved. */
  readonly slices: readonly string[] | null;
  /** The folder. */
  readonly to: string;
  /** The address at which the page finds the tables, ended by a slash; null: beside it. */
  readonly tablesAt?: string | null;
  /** The folder of the built page. */
  readonly page: string;
  readonly progress: ProgressListener;
}

export interface SiteSummary {
  readonly games: readonly GameAnswer[];
  /** Objects with values, and their bytes. */
  readonly objects: number;
  readonly bytes: number;
}

/**
 * @throws UserError if there is nothing to export, a game is not one that the page knows, or the folder is not an export's;
 * StorageError.
 */
export async function exportSite(options: SiteOptions): Promise<SiteSummary> {
  const stranger = options.games.find((game) => !isSiteGame(game));
  if (stranger !== undefined) {
    throw new UserError(
      `--export: ${stranger.name} is a game of your own, and the page of a static site has the rules of ${SITE_GAMES.join(' and ')} only: serve it without --export`,
    );
  }
  const { tables, addPage, finish } = await openSiteFolder(options.to);
  const published = storeBelow(tables, `${PUBLISHED}/`);
  const solved = newCatalogue({ store: options.store, games: options.games });
  const copied: Copied[] = [];
  for (const game of options.games) {
    copied.push(...(await copyPublished(options, game, published)));
    const has = new Set(copied.filter((each) => each.game === game).map(({ metric }) => metric));
    for (const metric of await solved.metrics(game)) {
      const wanted = options.metric === undefined ? !isClocked(metric) : options.metric === metric;
      if (wanted && !has.has(metric)) copied.push(await copyTables(options, game, metric, solved, tables));
    }
  }
  if (copied.length === 0) throw new UserError(`--export: ${nothing(options)}`);
  if (options.published !== null && copied.every(({ publishedFrom }) => publishedFrom === null)) {
    throw new UserError(`--export: nothing is published in ${options.published.uri}`);
  }

  const kept = new Set([MARK]);
  for (const { publishedFrom, names } of copied) {
    for (const name of names) kept.add(publishedFrom === null ? name : `${PUBLISHED}/${name}`);
  }
  let bytes = 0;
  for (const name of await tables.list('')) {
    if (kept.has(name)) bytes += (await tables.size(name))!;
    else await tables.delete(name);
  }
  const games = await describeSite(copied, solved, options.store, tables, published);
  addPage(options.page);
  await finish(options.tablesAt ?? null);
  return { games, objects: kept.size - 1, bytes };
}

function nothing({ store, games, metric }: SiteOptions): string {
  const of = games.length === 1 ? ` of ${games[0].name}` : '';
  return `there are no ${metric === undefined ? '' : `${metric} `}tables${of} in ${store.uri}`;
}

async function copyTables(
  { store, slices, progress }: SiteOptions,
  game: Game,
  metric: Metric,
  solved: Catalogue,
  tables: Store,
): Promise<Copied> {
  const wanted = slices ?? (await solved.endings(game, metric)).flatMap((ending) => ending.slices);
  const plan = planSlices(game, wanted);
  const names: string[] = [];
  for (const [i, { slice }] of plan.entries()) {
    progress({ type: 'slice', slice, number: i + 1, of: plan.length });
    const objects = await copyTable(game, metric, slice, store, tables);
    if (objects !== null) names.push(...objects);
    else if (!drawnThroughout(game.slice(slice))) await needTable(store, game, metric, slice);
    progress({ type: 'finished', slice });
  }
  return { game, metric, publishedFrom: null, names };
}

/** None if the game has no publication, or none is asked for. */
async function copyPublished({ published }: SiteOptions, game: Game, to: Store): Promise<Copied[]> {
  if (published === null) return [];
  const catalogue = await readCatalogue(published, game.name);
  if (catalogue === null) return [];
  const names = await copyPublication(game, catalogue, published, to);
  return [{ game, metric: 'wdl', publishedFrom: catalogue.metric, names }];
}
