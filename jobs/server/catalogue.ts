/**
 * Catalogue of a store: games, endings, histograms; and games whose wins, draws and losses are published beside the store.
 * Listings are remembered for a while. Manifests and histograms (each a scan of tables) are remembered for good.
 */
import { StorageError, UserError } from '../../operators/core/errors.js';
import type { Store } from '../../operators/storage/store.js';
import { endingOutcomes } from '../../pipeline/analysis/outcomes.js';
import type { Ending, Game } from '../../pipeline/game.js';
import { readManifest, TableManifest } from '../../pipeline/manifest.js';
import { openPublication, type Publication } from '../../pipeline/publish/publication.js';
import { namedSlice } from '../../pipeline/slice-words.js';
import { isSlice } from '../../pipeline/survey/slices.js';
import { tableManifestName } from '../../pipeline/table/names.js';
import { needTable } from '../../pipeline/table/table.js';
import { readVerified, verifiedName } from '../../pipeline/table/verified.js';
import type { Metric } from '../../pipeline/value.js';
import { breathe } from '../output.js';
import { type PageOfPositions, positionsAnswer } from '../positions/answer.js';
import type { PositionsQuery } from '../positions/query.js';
import { endingAnswer, histogramAnswer, type KnownTable } from './answers.js';
import { anyPosition, examplePosition } from './example.js';
import { newGate } from './limits.js';
import { HttpProblem, isUnreachable } from './problems.js';
import { LISTING, remembered } from './remembered.js';
import type { EndingAnswer, GameAnswer, HistogramAnswer, PositionsAnswer } from './shapes.js';

export interface CatalogueOptions {
  readonly store: Store;
  /** Store of publications, if there are any. */
  readonly published?: Store | undefined;
  readonly games: readonly Game[];
  /** Takes errors of objects that cannot be read, and are left out or taken as they were. */
  readonly report?: (error: StorageError) => void;
}

export interface Catalogue {
  /** Games that the store has tables of. */
  games(): Promise<GameAnswer[]>;
  /** Metrics of the game's tables, in the order of the game; `wdl` also if it is published. */
  metrics(game: Game): Promise<Metric[]>;
  /** The publication that answers for `wdl`: where the store has no such tables. Null if there is none. */
  publication(game: Game): Promise<Publication | null>;
  /** Whether the slice has a table, or is published. */
  has(game: Game, metric: Metric, slice: string): Promise<boolean>;
  /** Endings all slices of which have tables, else those slices that have; smaller ones first. Those of no men are nobody's to see. */
  endings(game: Game, metric: Metric): Promise<EndingAnswer[]>;
  /** Throws HttpProblem: 400 for a name that is no ending, 404 for one without tables, 503 if too many are asked for. */
  histogram(game: Game, metric: Metric, ending: string): Promise<HistogramAnswer>;
  /** Positions of an ending by query. Throws as {@link histogram}, and UserError for what does not go together. */
  positions(asked: AskedPositions): Promise<PositionsAnswer>;
}

export interface AskedPositions {
  readonly game: Game;
  readonly metric: Metric;
  readonly ending: string;
  readonly query: PositionsQuery;
  readonly page: PageOfPositions;
  /** Awaited between batches of values: it throws if nobody waits for the answer any more. */
  readonly report: () => Promise<void>;
}

/** Scans at once, and those that may wait for theirs. */
const SCANS = { running: 1, waiting: 64 };
/** Manifests that are read at once. */
const READS = 16;

/** The tables of a game and metric: slices, and those of them that have a record of verification. */
interface Listed {
  readonly slices: ReadonlySet<string>;
  readonly verified: ReadonlySet<string>;
}

export function newCatalogue({ store, published, games, report = () => {} }: CatalogueOptions): Catalogue {
  const listings = new Map<string, () => Promise<Listed>>();
  const tables = new Map<string, KnownTable>();
  const histograms = new Map<string, Promise<HistogramAnswer>>();
  const examples = new Map<string, string | null>();
  const publications = new Map<Game, Promise<Publication>>();
  const scans = newGate(SCANS);

  function list(game: Game, metric: Metric): Promise<Listed> {
    const key = `${game.name}/${metric}`;
    let listing = listings.get(key);
    if (listing === undefined) {
      listing = remembered(() => listTables(store, game, metric), { ...LISTING, report });
      listings.set(key, listing);
    }
    return listing();
  }

  /** Null if it is gone or damaged. */
  async function readTable(
    game: Game,
    metric: Metric,
    slice: string,
    verified: boolean,
  ): Promise<KnownTable | null> {
    const name = tableManifestName(game.name, metric, slice);
    const known = tables.get(name);
    if (known !== undefined && known.verified === verified) return known;
    try {
      const manifest = await readManifest(store, name, TableManifest);
      if (manifest === null) return null;
      const table = { manifest, verified: verified && (await readVerified(store, manifest)) !== null };
      tables.set(name, table);
      return table;
    } catch (error) {
      if (!(error instanceof StorageError) || isUnreachable(error)) throw error;
      report(error);
      return null;
    }
  }

  async function knownTables(game: Game, metric: Metric): Promise<Map<string, KnownTable>> {
    const { slices, verified } = await list(game, metric);
    const found = new Map<string, KnownTable>();
    const names = [...slices];
    for (let from = 0; from < names.length; from += READS) {
      const some = names.slice(from, from + READS);
      const read = await Promise.all(
        some.map((slice) => readTable(game, metric, slice, verified.has(slice))),
      );
      read.forEach((table, i) => {
        if (table !== null) found.set(some[i]!, table);
      });
      await breathe();
    }
    return found;
  }

  async function publication(game: Game): Promise<Publication | null> {
    if (published === undefined || (await list(game, 'wdl')).slices.size > 0) return null;
    let opened = publications.get(game);
    if (opened === undefined) {
      opened = openPublication(published, game);
      publications.set(game, opened);
      opened.catch(() => publications.delete(game));
    }
    try {
      return await opened;
    } catch (error) {
      if (error instanceof UserError) return null;
      throw error;
    }
  }

  async function metrics(game: Game): Promise<Metric[]> {
    const there = await Promise.all(
      game.metrics.map(
        async (metric) =>
          (await list(game, metric)).slices.size > 0 ||
          (metric === 'wdl' && (await publication(game)) !== null),
      ),
    );
    return game.metrics.filter((_, i) => there[i]);
  }

  /** The slice with the longest win, of some slices with the most pieces. */
  async function longestLasting(game: Game, metric: Metric): Promise<string> {
    const { slices, verified } = await list(game, metric);
    const some = largest(game, slices);
    const read = await Promise.all(some.map((slice) => readTable(game, metric, slice, verified.has(slice))));
    const plies = read.map((table) => Math.max(-1, ...(table?.manifest.longestWin ?? []).map(Number)));
    return some[plies.indexOf(Math.max(...plies))]!;
  }

  async function exampleOf(game: Game, metric: Metric): Promise<string | null> {
    const { slices } = await list(game, metric);
    const isPublished = slices.size === 0;
    const files = isPublished ? ((await publication(game))?.catalogue.files ?? []) : [];
    const slice = isPublished
      ? largest(
          game,
          files.map((file) => file.slice),
        )[0]!
      : await longestLasting(game, metric);
    const key = `${game.name}/${metric}/${slice}`;
    let example = examples.get(key);
    if (example === undefined) {
      example = isPublished
        ? anyPosition(game, slice)
        : await examplePosition(game, await needTable(store, game, metric, slice));
      examples.set(key, example);
    }
    return example;
  }

  /** Throws HttpProblem 404 for an ending without tables. */
  async function solvedEnding(game: Game, metric: Metric, name: string): Promise<Ending> {
    const ending = readEnding(game, name);
    const { slices } = await list(game, metric);
    const missing = ending.slices.find((slice) => !slices.has(slice));
    if (missing !== undefined)
      throw new HttpProblem(404, `there is no ${metric} table of ${namedSlice(game, missing)} here`);
    return ending;
  }

  return {
    metrics,
    publication,

    async games() {
      const answers: GameAnswer[] = [];
      for (const game of games) {
        const there = await metrics(game);
        if (there.length === 0) continue;
        const example = await exampleOf(game, there[0]!);
        if (example === null) continue;
        answers.push({ name: game.name, metrics: there, colours: [...game.colours], example });
      }
      return answers;
    },

    async has(game, metric, slice) {
      if ((await list(game, metric)).slices.has(slice)) return true;
      return metric === 'wdl' && ((await publication(game))?.has(slice) ?? false);
    },

    async endings(game, metric) {
      const known = await knownTables(game, metric);
      return endingsOf(game, new Set(known.keys())).map((ending) => endingAnswer(game, ending, known));
    },

    async positions({ game, metric, ending: name, query, page, report }) {
      const ending = await solvedEnding(game, metric, name);
      const open = (slice: string) => needTable(store, game, metric, slice);
      return scans.run(() => positionsAnswer({ game, metric, ending, open, report }, query, page));
    },

    async histogram(game, metric, name) {
      const ending = await solvedEnding(game, metric, name);
      const key = `${game.name}/${metric}/${ending.name}`;
      let histogram = histograms.get(key);
      if (histogram === undefined) {
        const open = (slice: string) => needTable(store, game, metric, slice);
        histogram = scans.run(async () =>
          histogramAnswer(
            game,
            ending,
            await endingOutcomes({ game, metric, ending, open, report: breathe }),
          ),
        );
        histograms.set(key, histogram);
        histogram.catch(() => histograms.delete(key));
      }
      return histogram;
    },
  };
}

async function listTables(store: Store, game: Game, metric: Metric): Promise<Listed> {
  const names = new Set(await store.list(`${game.name}/${metric}/`));
  const slices = [...names]
    .map((name) => name.split('/'))
    .filter(
      ([, , slice, file, ...more]) => file === 'table.json' && more.length === 0 && isSlice(game, slice!),
    )
    .map(([, , slice]) => slice!);
  const verified = slices.filter((slice) => names.has(verifiedName(game.name, metric, slice)));
  return { slices: new Set(slices), verified: new Set(verified) };
}

function readEnding(game: Game, name: string): Ending {
  try {
    return game.ending(name);
  } catch (error) {
    if (error instanceof UserError) throw new HttpProblem(400, error.message);
    throw error;
  }
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

/** Some of the slices of most pieces, those with most positions first. */
function largest(game: Game, slices: Iterable<string>): string[] {
  const weighed = [...slices].map((slice) => ({
    slice,
    pieces: game.ending(slice).pieces,
    size: game.slice(slice).size,
  }));
  weighed.sort((a, b) => b.pieces - a.pieces || b.size - a.size);
  const most = weighed.filter(({ pieces }) => pieces === weighed[0]!.pieces);
  return most.slice(0, READS).map(({ slice }) => slice);
}
