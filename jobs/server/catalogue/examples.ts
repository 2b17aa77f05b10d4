/** A position to begin with, for each game and metric. */

import { newOnce } from '../../../operators/core/once.js';
import type { Store } from '../../../operators/storage/store.js';
import type { Game } from '../../../pipeline/game/game.js';
import { namedFor } from '../../../pipeline/game/named-for.js';
import { type Metric, stipulations } from '../../../pipeline/game/stipulation.js';
import { needTable } from '../../../pipeline/tables/table.js';
import { tableManifestName } from '../../../pipeline/tables/table-names.js';
import type { FiledAnswer, RootAnswer } from '../api-answers.js';
import type { Versions } from '../versions.js';
import { anyPosition, examplePosition } from './example.js';
import { type ListedTables, READS } from './listed-tables.js';
import type { OpenPublication } from './publications.js';

/** Positions of textbooks, by endings: the first that is solved teaches more than the longest win. */
export const TEXTBOOK: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  chess: {
    // Lucena's, as Salvio has it (1634); Philidor's of 1777, of both endings; the key squares of a pawn.
    KRPKR: '1K1k4/1P6/8/8/8/8/r7/2R5 w - - 0 1',
    KQKR: '1k6/1r6/2K5/Q7/8/8/8/8 w - - 0 1',
    KBNK: '6k1/5N2/5K2/8/4B3/8/8/8 w - - 0 1',
    KPK: '8/3k4/8/3K4/3P4/8/8/8 b - - 0 1',
    KRK: '8/8/8/4k3/8/8/3R4/4K3 w - - 0 1',
    KQK: '8/8/8/4k3/8/8/3Q4/4K3 w - - 0 1',
  },
};

interface ExampleSources {
  readonly store: Store;
  readonly tables: ListedTables;
  readonly publication: (game: Game, metric: Metric) => Promise<OpenPublication | null>;
  readonly files: (game: Game, metric: Metric) => Promise<readonly FiledAnswer[]>;
  readonly roots: () => Promise<readonly RootAnswer[]>;
  readonly versions: Versions;
}

/** By tables of endings, or where there are none by what is published, by Syzygy's files, or by roots; null if there is no position. */
export function newExamples(sources: ExampleSources): (game: Game, metric: Metric) => Promise<string | null> {
  const { store, tables, publication, files, roots, versions } = sources;
  const once = newOnce<string, string | null>();

  /** The slice with the longest win, of some slices with the most pieces. */
  async function longestLasting(game: Game, metric: Metric, slices: Iterable<string>): Promise<string> {
    const some = largest(namedFor(game, metric), slices);
    const read = await Promise.all(some.map((slice) => tables.read(game, metric, slice)));
    const plies = read.map((table) => Math.max(-1, ...(table?.manifest.longestWin ?? []).map(Number)));
    return some[plies.indexOf(Math.max(...plies))];
  }

  async function rootExample(game: Game, metric: Metric): Promise<string | null> {
    const all = game.name === 'chess' ? await roots() : [];
    return all.find(({ metrics }) => metrics.includes(metric))?.position ?? null;
  }

  return async (game, metric) => {
    const slices = (await tables.list(game, metric)).ofEndings;
    const keyOf = (slice: string) => `${game.name}/${metric}/${slice}`;
    const textbook = Object.entries(TEXTBOOK[game.name] ?? {}).find(([ending]) =>
      game.ending(ending).slices.every((slice) => slices.has(slice)),
    );
    // A problem is made of other positions.
    if (textbook !== undefined && !stipulations[metric].numbers) return textbook[1];
    if (slices.size > 0) {
      const slice = await longestLasting(game, metric, slices);
      const version = versions.of(tableManifestName(game.name, metric, slice));
      return once(
        keyOf(slice),
        async () => examplePosition(namedFor(game, metric), await needTable(store, game, metric, slice)),
        version,
      );
    }
    const published = await publication(game, metric);
    if (published === null) {
      const filed = (await files(game, metric)).at(-1);
      return filed?.example ?? (await rootExample(game, metric));
    }
    const named = namedFor(game, metric);
    const [slice] = largest(
      named,
      published.publication.catalogue.files.map((file) => file.slice),
    );
    return once(keyOf(slice), async () => anyPosition(named, slice), published.version);
  };
}

/** Some of the slices of most pieces, those with most positions first. */
function largest(game: Game, slices: Iterable<string>): string[] {
  const weighed = [...slices].map((slice) => ({
    slice,
    pieces: game.ending(slice).pieces,
    size: game.slice(slice).size,
  }));
  weighed.sort((a, b) => b.pieces - a.pieces || b.size - a.size);
  const most = weighed.filter(({ pieces }) => pieces === weighed[0].pieces);
  return most.slice(0, READS).map(({ slice }) => slice);
}
