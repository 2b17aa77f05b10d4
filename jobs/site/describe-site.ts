/** Description of a site's games and endings: made once, as pages without a server cannot scan tables. */

import { listingBytes } from '../../operators/storage/listing.js';
import { putOver, type Store } from '../../operators/storage/store.js';
import type { Game } from '../../pipeline/game/game.js';
import { readManifest, TableManifest } from '../../pipeline/game/manifest.js';
import { namedFor } from '../../pipeline/game/named-for.js';
import { publishedAs, SYZYGY_METRIC, stipulations } from '../../pipeline/game/stipulation.js';
import type { Metric } from '../../pipeline/game/value.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import { needCatalogue } from '../../pipeline/tables/published/catalogue.js';
import { slicePrefix, tableManifestName } from '../../pipeline/tables/table-names.js';
import { ROOT_RECORDS } from '../roots/stored-roots.js';
import type {
  EndingAnswer,
  GameAnswer,
  HistogramAnswer,
  PlayedHistogram,
  PlayedSide,
} from '../server/api-answers.js';
import { newCatalogue, type ServedCatalogue } from '../server/catalogue/catalogue.js';
import { json } from './folder.js';
import {
  endingsName,
  filesName,
  histogramName,
  INDEX,
  listingName,
  publicationFolder,
  publicationKey,
  SITE_VERSION,
  type SiteIndex,
  tablesName,
} from './site-layout.js';
import type { SiteTables } from './value-blocks.js';

/** The game that Syzygy's files are of. */
const CHESS = chess as unknown as Game;

/** Tables of a game and metric that the site has, or a publication. */
export interface Copied {
  readonly game: Game;
  readonly metric: Metric;
  /** The metric of the tables that a publication was made from; null for tables. */
  readonly publishedFrom: Metric | null;
  /** By slice; of a publication none. */
  readonly tables: SiteTables;
  /** Prefix of its objects, in the store of the tables or that of publications. */
  readonly names: readonly string[];
}

interface SiteParts {
  readonly copied: readonly Copied[];
  /** The names of Syzygy's files that the site has, in `syzygy`; an empty list if there are none. */
  readonly files: readonly string[];
  /** The catalogue of `store`, where all tables were copied from. */
  readonly solved: ServedCatalogue;
  readonly store: Store;
  /** The stores of the site: its tables, its publications, and its files of Syzygy. */
  readonly tables: Store;
  readonly published: Store;
  readonly syzygy: Store;
}

interface Described {
  readonly endings: readonly EndingAnswer[];
  histogram(ending: string): Promise<HistogramAnswer>;
}

/** Writes the index, endings, histograms, and what there is of tables and files. */
export async function describeSite(parts: SiteParts): Promise<GameAnswer[]> {
  const { copied, files, solved, store, tables, published, syzygy } = parts;
  const games = [...new Set([...copied.map(({ game }) => game), ...(files.length > 0 ? [CHESS] : [])])];
  const there = newCatalogue({
    store: onlyCopied(store, copied),
    published,
    ...(files.length > 0 && { syzygy }),
    games,
  });
  const isTabled = copied.some(({ game, metric }) => game.name === CHESS.name && metric === SYZYGY_METRIC);
  const alone: Copied[] =
    files.length === 0 || isTabled
      ? []
      : [{ game: CHESS, metric: SYZYGY_METRIC, publishedFrom: null, tables: {}, names: [] }];
  for (const each of [...copied, ...alone]) {
    const { game, metric, publishedFrom } = each;
    const described =
      publishedFrom === null
        ? await ofTables(game, metric, there)
        : await ofPublication(game, publishedFrom, solved, store, published);
    for (const { ending } of described.endings) {
      const histogram = await described.histogram(ending);
      await replace(tables, histogramName(game.name, metric, ending), histogram);
    }
    await replace(tables, endingsName(game.name, metric), described.endings);
    if (publishedFrom === null) await replace(tables, tablesName(game.name, metric), each.tables);
  }
  const publications = copied.filter(({ publishedFrom }) => publishedFrom !== null);
  for (const { name } of new Set(publications.map(({ game }) => game))) {
    const ofGame = publications.filter(({ game }) => game.name === name);
    const names = ofGame.flatMap((each) => each.names);
    await writeListing(published, publicationFolder(name), names);
  }
  if (files.length > 0) {
    await writeListing(syzygy, '', files);
    await replace(tables, filesName(CHESS.name, SYZYGY_METRIC), await there.files(CHESS, SYZYGY_METRIC));
  }
  const answers = await Promise.all(
    (await there.games()).map((answer) => withExample(answer, games, solved, there)),
  );
  const roots = (await there.roots()).map(({ root }) => root);
  const index: SiteIndex = {
    version: SITE_VERSION,
    games: answers,
    published: publications.map(({ game, metric }) => publicationKey(game.name, metric)),
    syzygy: files.length > 0,
    ...(roots.length > 0 && { roots }),
  };
  await replace(tables, INDEX, index);
  return answers;
}

/** The store with those of its tables alone that were copied, and the records of all roots: of these, only those with tables are listed. */
function onlyCopied(store: Store, copied: readonly Copied[]): Store {
  const slices = new Set(
    copied.flatMap(({ game, metric, tables }) =>
      Object.keys(tables).map((slice) => slicePrefix(game.name, metric, slice)),
    ),
  );
  return {
    ...store,
    list: async (prefix) =>
      (await store.list(prefix)).filter(
        (name) => slices.has(name.split('/').slice(0, 3).join('/')) || name.startsWith(ROOT_RECORDS),
      ),
  };
}

/** With the example of the store, which was chosen among more positions at once, if it is one of the site. */
async function withExample(
  answer: GameAnswer,
  games: readonly Game[],
  solved: ServedCatalogue,
  there: ServedCatalogue,
): Promise<GameAnswer> {
  const game = games.find(({ name }) => name === answer.name)!;
  const example = (await solved.games()).find(({ name }) => name === answer.name)?.example;
  if (example === undefined) return answer;
  const { slice } = namedFor(game, answer.metrics[0]).locate(game.parse(example));
  return (await there.has(game, answer.metrics[0], slice)) ? { ...answer, example } : answer;
}

async function ofTables(game: Game, metric: Metric, there: ServedCatalogue): Promise<Described> {
  return {
    endings: await there.endings(game, metric),
    histogram: (ending) => there.histogram(game, metric, ending),
  };
}

/**
 * A publication has no counts. If the tables that it was made from are there, theirs are its, without plies if it has none; endings
 * without are not listed.
 */
async function ofPublication(
  game: Game,
  metric: Metric,
  solved: ServedCatalogue,
  store: Store,
  published: Store,
): Promise<Described> {
  const { files } = await needCatalogue(published, game.name, metric);
  const slices = new Set(files.map(({ slice }) => slice));
  for (const { slice, side, column, table } of files) {
    const manifest = await readManifest(store, tableManifestName(game.name, metric, slice), TableManifest);
    const digests = column === 'numbers' ? manifest?.numbers?.digests : manifest?.digests;
    if (digests?.[side] !== table) slices.delete(slice);
  }
  const endings = (await solved.endings(game, metric)).filter((ending) =>
    ending.slices.every((slice) => slices.has(slice)),
  );
  if (publishedAs(metric) === metric && stipulations[metric].plies)
    return { endings, histogram: (ending) => solved.histogram(game, metric, ending) };
  return {
    endings: endings.map((ending) => ({
      ...ending,
      longestWin: [null, null],
      longestCursedWin: [null, null],
    })),
    async histogram(ending) {
      const { sides } = (await solved.histogram(game, metric, ending)) as PlayedHistogram;
      const [first, second] = sides;
      const plain = ({ draws }: PlayedSide) => ({
        wins: [],
        losses: [],
        cursedWins: [],
        blessedLosses: [],
        draws,
      });
      const none: [null, null] = [null, null];
      return { ending, sides: [plain(first), plain(second)], longest: none, longestCursed: none };
    },
  };
}

async function writeListing(store: Store, folder: string, names: readonly string[]): Promise<void> {
  const sizes = new Map<string, number>();
  for (const name of names) sizes.set(name, (await store.size(name))!);
  await putOver(store, listingName(folder), listingBytes(folder, sizes));
}

const replace = (store: Store, name: string, value: unknown): Promise<void> =>
  putOver(store, name, json(value));
