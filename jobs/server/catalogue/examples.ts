/** A position to begin with, for each game and metric. */
import type { Store } from '../../../operators/storage/store.js';
import type { Game } from '../../../pipeline/game/game.js';
import type { Metric } from '../../../pipeline/game/value.js';
import type { Publication } from '../../../pipeline/tables/published/publication.js';
import { needTable } from '../../../pipeline/tables/table.js';
import type { FiledAnswer } from '../api-answers.js';
import { anyPosition, examplePosition } from './example.js';
import { type ListedTables, READS } from './listed-tables.js';

interface ExampleSources {
  readonly store: Store;
  readonly tables: ListedTables;
  readonly publication: (game: Game) => Promise<Publication | null>;
  readonly files: (game: Game, metric: Metric) => Promise<readonly FiledAnswer[]>;
}

/** By tables, or where there are none by what is published, or by Syzygy's files; null if no ending there has a position. */
export function newExamples(sources: ExampleSources): (game: Game, metric: Metric) => Promise<string | null> {
  const { store, tables, publication, files } = sources;
  const known = new Map<string, string | null>();

  async function once(key: string, make: () => Promise<string | null>): Promise<string | null> {
    let example = known.get(key);
    if (example === undefined) {
      example = await make();
      known.set(key, example);
    }
    return example;
  }

  /** The slice with the longest win, of some slices with the most pieces. */
  async function longestLasting(game: Game, metric: Metric, slices: Iterable<string>): Promise<string> {
    const some = largest(game, slices);
    const read = await Promise.all(some.map((slice) => tables.read(game, metric, slice)));
    const plies = read.map((table) => Math.max(-1, ...(table?.manifest.longestWin ?? []).map(Number)));
    return some[plies.indexOf(Math.max(...plies))];
  }

  return async (game, metric) => {
    const { slices } = await tables.list(game, metric);
    const keyOf = (slice: string) => `${game.name}/${metric}/${slice}`;
    if (slices.size > 0) {
      const slice = await longestLasting(game, metric, slices);
      return once(keyOf(slice), async () =>
        examplePosition(game, await needTable(store, game, metric, slice)),
      );
    }
    const published = metric === 'wdl' ? await publication(game) : null;
    if (published === null) return (await files(game, metric)).at(-1)?.example ?? null;
    const [slice] = largest(
      game,
      published.catalogue.files.map((file) => file.slice),
    );
    return once(keyOf(slice), async () => anyPosition(game, slice));
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
