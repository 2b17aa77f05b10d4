/** A publication that is open for reading. */

import { DamageError } from '../../../operators/core/errors.js';
import { newOnce, oneOf } from '../../../operators/core/once.js';
import { objectName } from '../../../operators/storage/object-names.js';
import type { Store } from '../../../operators/storage/store.js';
import type { Game, Side } from '../../game/game.js';
import { withRemedy } from '../../game/remedy.js';
import { PUBLISHED_METRIC, publishedAs } from '../../game/stipulation.js';
import type { Metric } from '../../game/value.js';
import type { Coder } from '../codec/codec.js';
import { MissingTableError } from '../table.js';
import { type Catalogue, needCatalogue, publishedName } from './catalogue.js';
import { readCodebook } from './codebook.js';
import type { PublishedColumn } from './columns.js';
import { packedCoder } from './packed.js';
import { openPublished, type Published } from './reader.js';

/** Published tables. */
export interface Publication {
  readonly catalogue: Catalogue;
  /** The one under which it answers: `publishedAs` of that of its tables. */
  readonly metric: Metric;
  has(slice: string): boolean;
  /** Whether the slice is published, but not this side of it: a search finds its values. */
  leavesOut(slice: string, side: Side): boolean;
  /** For messages: the publication, or its files of a slice. */
  where(slice: string): string;
  /**
   * The file of a side of a slice, or of one of its columns; opened once.
   * @throws UserError if the slice is not published; DamageError if the file is not there, or not as it was written.
   */
  file(slice: string, side: Side, column?: PublishedColumn): Promise<Published>;
}

/**
 * Throws UserError if nothing is published under the metric, or not to the end; StorageError for damage and other versions.
 * @param game the one whose slice names the tables of the metric have (named-for.ts).
 * @param of the metric of tables: the publication answers under `publishedAs` of it.
 * @param draft in place of the catalogue in the store: what is to be verified.
 */
export async function openPublication(
  store: Store,
  game: Game,
  of: Metric = PUBLISHED_METRIC,
  draft?: Catalogue,
): Promise<Publication> {
  const metric = publishedAs(of);
  const catalogue = draft ?? (await needCatalogue(store, game.name, metric));
  const books = oneOf<readonly Coder[]>(() => openCoders(store, catalogue));
  const once = newOnce<string, Published>();
  const entries = new Map(catalogue.files.map((file) => [keyOf(file), file]));
  const slices = new Set(catalogue.files.map((file) => file.slice));

  async function open(slice: string, side: Side, column: PublishedColumn): Promise<Published> {
    const entry = entries.get(keyOf({ slice, side, column }));
    if (entry === undefined) {
      throw withRemedy(new MissingTableError(slice, `${slice} is not published in ${store.uri}`), {
        task: 'publish with others',
        game: game.name,
        metric,
      });
    }
    const name = publishedName(game, metric, entry);
    // Await both together, so that a codebook that is refused while the other one is loaded does not become an unhandled rejection.
    const [coders, size] = await Promise.all([books(), store.size(name)]);
    if (size !== null && size !== entry.bytes) {
      throw new DamageError(
        objectName(store, name),
        `has ${size} bytes, the catalogue states ${entry.bytes}`,
      );
    }
    const file = await openPublished(store, name, coders);
    const { head } = file;
    const isIt = head.game === game.name && head.slice === slice && head.side === side;
    if (!isIt || file.positions !== game.slice(slice).size) {
      throw new DamageError(file.object, `is not the file of ${slice}, ${game.colours[side]} to move`);
    }
    if (file.crc !== entry.crc) {
      const another = `is another file of this name: its CRC-32 is ${file.crc}`;
      throw new DamageError(file.object, `${another}, the catalogue states ${entry.crc}`);
    }
    return file;
  }

  return {
    catalogue,
    metric,
    has: (slice) => slices.has(slice),
    leavesOut: (slice, side) =>
      entries.get(keyOf({ slice, side: (1 - side) as Side, column: 'wdl' }))?.alone === true,
    where: (slice) => objectName(store, slice === '' ? game.name : `${game.name}/${slice}`),
    file(slice, side, column = 'wdl') {
      return once(keyOf({ slice, side, column }), () => open(slice, side, column));
    },
  };
}

function keyOf({
  slice,
  side,
  column = 'wdl',
}: {
  slice: string;
  side: Side;
  column?: PublishedColumn | undefined;
}): string {
  return `${slice}/${side}/${column}`;
}

/** One coder for all files, or one for those of as many pieces: each has tables of its own. */
async function openCoders(store: Store, { codec, codebooks }: Catalogue): Promise<readonly Coder[]> {
  if (codec === 'packed') return [packedCoder()];
  return Promise.all(codebooks.map((book) => readCodebook(store, book.name)));
}
