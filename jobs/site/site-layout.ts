/**
 * Layout of a static site, for the export that writes it and the page that reads it (so it runs in browsers):
 *
 *   site.json                         the place of the tables: beside the page, or an address; written last
 *   tables/export.json                marks the folder as an export; written first
 *   tables/index.json                 the games
 *   tables/GAME/METRIC/endings.json   and histograms/ENDING.json: answers on endings
 *   tables/GAME/METRIC/tables.json    the tables, in short
 *   tables/GAME/METRIC/SLICE/…        their values, in blocks (value-blocks.ts)
 *   tables/published/GAME/…           a publication, with an objects.json that gives sizes (operators/storage/listing.ts)
 *   tables/syzygy/…                   Syzygy's files, with an objects.json, too
 *   tables/chess/dtz/files.json       the endings that they are of
 */
import { PUBLISHED_METRIC } from '../../pipeline/game/stipulation.js';
import type { Metric } from '../../pipeline/game/value.js';
import type { GameAnswer } from '../server/api-answers.js';

export const SITE_VERSION = 3;
/** The games whose rules the page has. */
export const SITE_GAMES = ['chess', 'checkers'] as const;
export type SiteGame = (typeof SITE_GAMES)[number];

export function isSiteGame({ name }: { readonly name: string }): boolean {
  return SITE_GAMES.some((known) => known === name);
}

/** Content of an export's `site.json`. */
export interface StaticSite {
  readonly source: 'static';
  /** The folder of the tables, from the page. */
  readonly tables: string;
}

export interface SiteIndex {
  readonly version: typeof SITE_VERSION;
  readonly games: readonly GameAnswer[];
  /** Games and metrics whose values are those of a publication: `publicationKey` of each. */
  readonly published: readonly string[];
  /** Whether Syzygy's files answer for chess under `dtz` where there is no table. */
  readonly syzygy: boolean;
  /** The roots of chess whose tables are among those of their metrics, in the order in which positions are looked up in them; left out if there are none. */
  readonly roots?: readonly string[];
}

export const SITE = 'site.json';
export const TABLES = 'tables';
/** In the folder of the tables. */
export const MARK = 'export.json';
export const INDEX = 'index.json';
export const PUBLISHED = 'published';
export const SYZYGY = 'syzygy';

export function endingsName(game: string, metric: Metric): string {
  return `${game}/${metric}/endings.json`;
}

export function histogramName(game: string, metric: Metric, ending: string): string {
  return `${game}/${metric}/histograms/${ending}.json`;
}

/** The tables of a game and metric (`SiteTables` of value-blocks.ts). */
export function tablesName(game: string, metric: Metric): string {
  return `${game}/${metric}/tables.json`;
}

/** The endings that Syzygy's files are of. */
export function filesName(game: string, metric: Metric): string {
  return `${game}/${metric}/files.json`;
}

/** The name of the game; of problems, the metric behind it. */
export function publicationKey(game: string, metric: Metric): string {
  return metric === PUBLISHED_METRIC ? game : `${game}/${metric}`;
}

export function publicationFolder(game: string): string {
  return `${game}/`;
}

export function listingName(folder: string): string {
  return `${folder}objects.json`;
}
