/**
 * Layout of a static site, for the export that writes it and the page that reads it (so it runs in browsers):
 *
 *   site.json                         says where the tables are: beside the page, or at an address; written last
 *   tables/export.json                says whose folder this is; written first
 *   tables/index.json                 the games
 *   tables/GAME/METRIC/endings.json   and histograms/ENDING.json: answers on endings
 *   tables/GAME/METRIC/objects.json   the sizes of the objects of the tables (operators/storage/listing.ts)
 *   tables/GAME/METRIC/SLICE/…        the tables
 *   tables/published/GAME/…           a publication, with an objects.json of its own
 */
import type { Metric } from '../../pipeline/value.js';
import type { GameAnswer } from '../server/shapes.js';

export const SITE_VERSION = 1;
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
  /** The games whose wins, draws and losses are those of a publication. */
  readonly published: readonly string[];
}

export const SITE = 'site.json';
export const TABLES = 'tables';
/** In the folder of the tables. */
export const MARK = 'export.json';
export const INDEX = 'index.json';
export const PUBLISHED = 'published';

export function endingsName(game: string, metric: Metric): string {
  return `${game}/${metric}/endings.json`;
}

export function histogramName(game: string, metric: Metric, ending: string): string {
  return `${game}/${metric}/histograms/${ending}.json`;
}

/** The folder of the tables of a game and metric, or of the publication of a game. */
export function tablesFolder(game: string, metric: Metric): string {
  return `${game}/${metric}/`;
}

export function publicationFolder(game: string): string {
  return `${game}/`;
}

export function listingName(folder: string): string {
  return `${folder}objects.json`;
}
