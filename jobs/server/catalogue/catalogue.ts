/**
 * Catalogue of a store: games, endings, histograms. Games and metrics that are published beside the store; and
 * endings of chess that Syzygy's files beside it have.
 */

import type { StorageError } from '../../../operators/core/errors.js';
import type { Store } from '../../../operators/storage/store.js';
import type { Ending, Game } from '../../../pipeline/game/game.js';
import { namedFor } from '../../../pipeline/game/named-for.js';
import { SYZYGY_METRIC } from '../../../pipeline/game/stipulation.js';
import type { Metric } from '../../../pipeline/game/value.js';
import { endingAnswer, hasCursed } from '../answers.js';
import type { EndingAnswer, FiledAnswer, GameAnswer, RootAnswer } from '../api-answers.js';
import { Versions } from '../versions.js';
import { newExamples } from './examples.js';
import { newListedFiles } from './listed-files.js';
import { newListedRoots } from './listed-roots.js';
import { newListedTables } from './listed-tables.js';
import { FRESH_MS } from './listing.js';
import { type OpenPublication, Publications } from './publications.js';
import { type Asker, newScans, type Scans, type TakeTurn } from './scans.js';

interface CatalogueOptions {
  readonly store: Store;
  /** Store of publications, if there are any. */
  readonly published?: Store | undefined;
  /** Store of Syzygy's files, if there are any. */
  readonly syzygy?: Store | undefined;
  readonly games: readonly Game[];
  /** Takes errors of objects that cannot be read, and are left out or taken as they were. */
  readonly report?: (error: StorageError) => void;
  /** Throws StorageError if the store cannot be reached. */
  readonly reach?: () => Promise<void>;
  /** Makes scans wait for their turn; without it they are made at once. */
  readonly turn?: TakeTurn;
  /** Versions of objects of the store. */
  readonly versions?: Versions;
}

export interface ServedCatalogue extends Scans {
  /** Games that there are tables or files of. */
  games(): Promise<GameAnswer[]>;
  /** Metrics that there are values of, in the order of the game: of tables, of publications, `dtz` if there are files. Those of roots alone come last. */
  metrics(game: Game): Promise<Metric[]>;
  /** The publication that answers under a metric: where the store has no such tables. Null if there is none. */
  publication(game: Game, metric: Metric): Promise<OpenPublication | null>;
  /** Looks for the files of publications by name again. */
  closePublished(): void;
  /** Whether the slice has a table, or is published. */
  has(game: Game, metric: Metric, slice: string): Promise<boolean>;
  /**
   * Endings whose slices all have tables, and slices with tables of other endings; smaller ones first. Endings without men are left out, and
   * roots, whose tables are those of some positions of their endings.
   */
  endings(game: Game, metric: Metric, asker?: Asker): Promise<EndingAnswer[]>;
  /** Slices that have tables. */
  slices(game: Game, metric: Metric): Promise<ReadonlySet<string>>;
  /** Roots of chess that are solved, in the order in which positions are looked up in them. The same array until they are listed again. */
  roots(): Promise<readonly RootAnswer[]>;
  /** Endings that there are Syzygy's files of, smaller ones first. */
  files(game: Game, metric: Metric): Promise<readonly FiledAnswer[]>;
}

export function newCatalogue(options: CatalogueOptions): ServedCatalogue {
  const { store, published, syzygy, games, report = () => {}, reach = async () => {} } = options;
  const { versions = new Versions(store, reach, FRESH_MS), turn = (_, task) => task() } = options;
  const tables = newListedTables(store, report, reach, versions);
  const listFiles = newListedFiles(syzygy, report);
  const publications = published && new Publications(published);

  async function publication(game: Game, metric: Metric): Promise<OpenPublication | null> {
    if (publications === undefined || (await tables.list(game, metric)).ofEndings.size > 0) return null;
    return publications.of(game, metric);
  }

  const files: ServedCatalogue['files'] = async (game, metric) =>
    game.name === 'chess' && metric === SYZYGY_METRIC ? listFiles() : [];
  const roots = newListedRoots(store, tables, report);
  const exampleOf = newExamples({ store, tables, publication, files, roots, versions });

  /** Of what there are values under a metric; null if there are none. */
  async function sourceOf(game: Game, metric: Metric): Promise<'endings' | 'roots' | null> {
    const { slices, ofEndings } = await tables.list(game, metric);
    const hasEndings =
      ofEndings.size > 0 ||
      (await publication(game, metric)) !== null ||
      (await files(game, metric)).length > 0;
    if (hasEndings) return 'endings';
    return slices.size > 0 ? 'roots' : null;
  }

  async function metrics(game: Game): Promise<Metric[]> {
    const sources = await Promise.all(game.metrics.map((metric) => sourceOf(game, metric)));
    const under = (source: 'endings' | 'roots') => game.metrics.filter((_, i) => sources[i] === source);
    return [...under('endings'), ...under('roots')];
  }

  const scans = newScans({ store, tables, versions, turn });

  return {
    ...scans,
    metrics,
    publication,
    closePublished: () => publications?.forget(),
    files,
    roots,
    slices: async (game, metric) => (await tables.list(game, metric)).slices,

    async games() {
      const answers: GameAnswer[] = [];
      for (const game of games) {
        const there = await metrics(game);
        if (there.length === 0) continue;
        const example = await exampleOf(game, there[0]);
        if (example === null) continue;
        answers.push({ name: game.name, metrics: there, colours: [...game.colours], example });
      }
      return answers;
    },

    async has(game, metric, slice) {
      if ((await tables.list(game, metric)).slices.has(slice)) return true;
      return (await publication(game, metric))?.publication.has(slice) ?? false;
    },

    async endings(game, metric, asker) {
      const known = await tables.all(game, metric);
      const answers: EndingAnswer[] = [];
      for (const ending of endingsOf(namedFor(game, metric), new Set(known.keys()))) {
        const scanned = hasCursed(metric, ending, known)
          ? await scans.histogram(game, metric, ending.name, asker)
          : null;
        answers.push(endingAnswer(namedFor(game, metric), metric, ending, known, scanned));
      }
      return answers;
    },
  };
}

function endingsOf(game: Game, slices: ReadonlySet<string>): Ending[] {
  const endings = new Map<string, Ending>();
  for (const slice of slices) {
    const own = game.ending(slice);
    const whole = game.ending(own.class);
    const ending = whole.slices.every((each) => slices.has(each)) ? whole : own;
    endings.set(ending.name, ending);
  }
  // If a side has lost its last man, solving needs a slice of no men at all.
  const shown = [...endings.values()].filter(({ pieces }) => pieces > 0);
  return shown.sort((a, b) => a.pieces - b.pieces || (a.name < b.name ? -1 : 1));
}
