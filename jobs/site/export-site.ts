/**
 * Exports tables and the page as a folder for any plain file server. The first file written marks the folder as an
 * export's, the last that it is a site. Another export into the folder keeps the tables that are there, and removes those no
 * longer asked for.
 */

import { UserError } from '../../operators/core/errors.js';
import type { Store } from '../../operators/storage/store.js';
import { storeBelow } from '../../operators/storage/store-below.js';
import { isClocked } from '../../pipeline/game/clocked.js';
import type { Game } from '../../pipeline/game/game.js';
import { namedFor } from '../../pipeline/game/named-for.js';
import { lookedUpBehind, planSlices } from '../../pipeline/game/plan.js';
import type { ProgressListener } from '../../pipeline/game/progress.js';
import { publishedMetrics, SYZYGY_METRIC } from '../../pipeline/game/stipulation.js';
import type { Metric } from '../../pipeline/game/value.js';
import { rootIn } from '../../pipeline/games/chess/root-slices.js';
import { filedEndings } from '../../pipeline/games/chess/syzygy/endings.js';
import type { Material } from '../../pipeline/games/chess/syzygy/material.js';
import { materialsIn } from '../../pipeline/games/chess/syzygy/read/folder.js';
import { drawnThroughout } from '../../pipeline/tables/probe/drawn-throughout.js';
import { readCatalogue } from '../../pipeline/tables/published/catalogue.js';
import { needTable } from '../../pipeline/tables/table.js';
import type { GameAnswer } from '../server/api-answers.js';
import { newCatalogue, type ServedCatalogue } from '../server/catalogue/catalogue.js';
import { type Copied, describeSite } from './describe-site.js';
import { openSiteFolder } from './folder.js';
import { copyPublication } from './publication-copy.js';
import { isSiteGame, MARK, PUBLISHED, SITE_GAMES, SYZYGY } from './site-layout.js';
import { copySyzygy } from './syzygy-copy.js';
import { copyTable } from './table-copy.js';
import type { SiteTable } from './value-blocks.js';

export interface SiteOptions {
  /** Store of the tables. */
  readonly store: Store;
  /** Store of publications, if their values are to be those of the site. */
  readonly published: Store | null;
  /** Syzygy's files, if they are to answer for chess under `dtz` where there is no table. */
  readonly syzygy?: Store | null;
  readonly games: readonly Game[];
  /** Undefined: all that there are. */
  readonly metric: Metric | undefined;
  /**
   * The slices of the only game to export, with all they convert to, as the tables of a metric name them; null: all that are solved. Without
   * a metric, those of them that are solved for each.
   */
  readonly slices: ((metric: Metric) => readonly string[]) | null;
  /** The folder. */
  readonly to: string;
  /** The address at which the page finds the tables, ended by a slash; null: beside it. */
  readonly tablesAt?: string | null;
  /** The folder of the built page. */
  readonly page: string;
  readonly progress: ProgressListener;
}

interface SiteSummary {
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
      `--as site: ${stranger.name} is a game of your own, and the page of a static site has the rules of ${SITE_GAMES.join(' and ')} only: serve it with --game`,
    );
  }
  const { tables, addPage, finish } = await openSiteFolder(options.to);
  const published = storeBelow(tables, `${PUBLISHED}/`);
  const syzygy = storeBelow(tables, `${SYZYGY}/`);
  const solved = newCatalogue({ store: options.store, games: options.games });
  const copied: Copied[] = [];
  for (const game of options.games) {
    copied.push(...(await copyPublished(options, game, published)));
    const has = new Set(copied.filter((each) => each.game === game).map(({ metric }) => metric));
    for (const metric of await solved.metrics(game)) {
      const wanted = options.metric === undefined ? !isClocked(metric) : options.metric === metric;
      if (!wanted || has.has(metric)) continue;
      const tabled = await copyTables(options, game, metric, solved, tables);
      if (tabled.names.length > 0) copied.push(tabled);
    }
  }
  const files = await copyFiles(options, syzygy);
  if (copied.length === 0 && files.length === 0) throw new UserError(`--as site: ${nothing(options)}`);
  if (options.published !== null && copied.every(({ publishedFrom }) => publishedFrom === null)) {
    throw new UserError(`--as site: nothing is published in ${options.published.uri}`);
  }

  const kept = new Set([MARK, ...files.map((name) => `${SYZYGY}/${name}`)]);
  for (const { publishedFrom, names } of copied) {
    for (const name of names) kept.add(publishedFrom === null ? name : `${PUBLISHED}/${name}`);
  }
  const bytes = await keepOnly(tables, kept);
  const { store } = options;
  const games = await describeSite({ copied, files, solved, store, tables, published, syzygy });
  addPage(options.page);
  await finish(options.tablesAt ?? null);
  return { games, objects: kept.size - 1, bytes };
}

/** Deletes all other objects; returns the bytes of those that are kept. */
async function keepOnly(tables: Store, kept: ReadonlySet<string>): Promise<number> {
  let bytes = 0;
  for (const name of await tables.list('')) {
    if (kept.has(name)) bytes += (await tables.size(name))!;
    else await tables.delete(name);
  }
  return bytes;
}

function nothing({ store, syzygy = null, games, metric }: SiteOptions): string {
  const of = games.length === 1 ? ` of ${games[0].name}` : '';
  const where = syzygy === null ? store.uri : `${store.uri}, and no files in ${syzygy.uri}`;
  return `there are no ${metric === undefined ? '' : `${metric} `}tables${of} in ${where}`;
}

async function copyTables(
  options: SiteOptions,
  game: Game,
  metric: Metric,
  solved: ServedCatalogue,
  tables: Store,
): Promise<Copied> {
  const { store, slices, progress } = options;
  const has = async (slice: string) => solved.has(game, metric, slice);
  const asked = slices?.(metric) ?? [
    ...(await solved.endings(game, metric)).flatMap((ending) => ending.slices),
    ...(await slicesOfRoots(game, metric, solved)),
  ];
  // Files may answer for what is not solved; and where no metric is asked for, each has the slices that are solved for it.
  const takesSome = options.metric === undefined || hasFiles(options, game, metric);
  const wanted: string[] = [];
  for (const slice of asked) if (!takesSome || (await has(slice))) wanted.push(slice);
  const planned = planSlices(game, wanted);
  const plan = [...planned.map(({ slice }) => slice), ...lookedUpBehind(game, planned)];
  const names: string[] = [];
  const copied: Record<string, SiteTable> = {};
  for (const [i, slice] of plan.entries()) {
    progress({ type: 'slice', slice, number: i + 1, of: plan.length });
    const copy = await copyTable(game, metric, slice, store, tables);
    if (copy !== null) {
      names.push(...copy.names);
      copied[slice] = copy.table;
    } else if (!drawnThroughout(game.slice(slice))) await needTable(store, game, metric, slice);
    progress({ type: 'finished', slice });
  }
  return { game, metric, publishedFrom: null, tables: copied, names };
}

/** The slices of the roots that are solved under a metric. */
async function slicesOfRoots(game: Game, metric: Metric, solved: ServedCatalogue): Promise<string[]> {
  if (game.name !== 'chess') return [];
  const solvedUnder = (await solved.roots()).filter(({ metrics }) => metrics.includes(metric));
  return solvedUnder.flatMap(({ root }) => namedFor(game, metric).ending(root).slices);
}

function hasFiles({ syzygy = null }: SiteOptions, game: Game, metric: Metric): boolean {
  return syzygy !== null && game.name === 'chess' && metric === SYZYGY_METRIC;
}

/**
 * The names of the files that the site has. They are those of the endings asked for and of all they convert to, or
 * all that there are.
 */
async function copyFiles(options: SiteOptions, to: Store): Promise<string[]> {
  const { syzygy = null, slices, games, progress } = options;
  const game = games.find(({ name }) => name === 'chess');
  if (syzygy === null || game === undefined) return [];
  const there = await materialsIn(syzygy);
  const materials = slices === null ? there : filesFor(game, slices(SYZYGY_METRIC), there, syzygy);
  const names: string[] = [];
  for (const [i, material] of materials.entries()) {
    progress({ type: 'slice', slice: material.name, number: i + 1, of: materials.length });
    names.push(...(await copySyzygy(material, syzygy, to)));
    progress({ type: 'finished', slice: material.name });
  }
  return names;
}

/** Throws UserError if files are missing. */
function filesFor(
  game: Game,
  slices: readonly string[],
  there: readonly Material[],
  { uri }: Store,
): Material[] {
  const byEnding = new Map(
    there.map((material) => {
      const ending = game.ending(material.name);
      return [ending.flipped ? ending.exchanged : ending.name, material];
    }),
  );
  const ofEndings = slices.filter((slice) => rootIn(slice) === null);
  const classes = [...new Set(ofEndings.map((slice) => game.ending(slice).class))];
  return filedEndings(
    game,
    classes.map((name) => game.ending(name)),
  ).map(({ ending, material }) => {
    const found = byEnding.get(ending.name);
    if (found !== undefined) return found;
    throw new UserError(`--as site: ${uri} has no files of ${material.name} (.rtbw and .rtbz)`);
  });
}

/** None if the game has no publication, or none is asked for. */
async function copyPublished(
  { published, metric: asked }: SiteOptions,
  game: Game,
  to: Store,
): Promise<Copied[]> {
  const copied: Copied[] = [];
  if (published === null) return copied;
  for (const metric of publishedMetrics) {
    if (asked !== undefined && asked !== metric) continue;
    const catalogue = await readCatalogue(published, game.name, metric);
    if (catalogue === null) continue;
    const names = await copyPublication(game, catalogue, published, to);
    copied.push({ game, metric, publishedFrom: catalogue.metric, tables: {}, names });
  }
  return copied;
}
