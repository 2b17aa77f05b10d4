/**
 * Publishes solved tables: wins, draws and losses of every position that a probe cannot derive; of problems, plies and
 * numbers of solutions. Each slice, side to move and column has one compressed file (Lake, Schaeffer & Lu 1994, section 4;
 * Schaeffer et al. 2003, sections 3.3 and 3.5).
 *
 * Three passes over the tables of as many pieces: the dominant values, the codebooks, the files. The draft of the catalogue
 * comes last; `finishPublication` makes it the catalogue once the files are verified. A publication that was interrupted
 * before the draft is begun again; one whose files are all there is left as it is.
 */
import { UserError } from '../../../operators/core/errors.js';
import { orAbort } from '../../../operators/core/or-abort.js';
import { putOver, type Store } from '../../../operators/storage/store.js';
import type { Game, Side } from '../../game/game.js';
import { namedFor } from '../../game/named-for.js';
import { planSlices } from '../../game/plan.js';
import type { ProgressListener } from '../../game/progress.js';
import type { Metric } from '../../game/value.js';
import { halfOf } from '../../game/views.js';
import type { CodecName, Coder, FileFacts } from '../../tables/codec/codec.js';
import type { WdlSymbol } from '../../tables/codec/symbols.js';
import {
  type Catalogue,
  type CatalogueFile,
  codebookName,
  deleteDraft,
  newCatalogue,
  publishedName,
  readCatalogue,
  readDraft,
  writeDraft,
} from '../../tables/published/catalogue.js';
import type { TrainedCodec } from '../../tables/published/codebook.js';
import { codecsFor, columnsOf, type PublishedColumn } from '../../tables/published/columns.js';
import { intoOrder, orderOf } from '../../tables/published/ordered-symbols.js';
import { packedCoder } from '../../tables/published/packed.js';
import { countSymbols, symbolsOf } from '../../tables/published/publication-symbols.js';
import { codebookBytes, newTrainer } from '../../tables/published/trainer.js';
import { createPublished } from '../../tables/published/writer.js';
import { needTable, type Table } from '../../tables/table.js';
import { chooseOrder, newSpanSample } from './choose-order.js';

/** The slices to publish, from where and to where. */
export interface PublishOptions {
  readonly game: Game;
  /** Canonical names; all that they convert to is published with them. */
  readonly slices: readonly string[];
  readonly metric: Metric;
  /** Where the tables are. */
  readonly store: Store;
  /** Where the publication goes. */
  readonly to: Store;
  readonly codec: CodecName;
  /** Publishes only the side of each slice whose file is smaller, if the values of the other can be searched for. */
  readonly oneSide?: boolean;
  readonly progress: ProgressListener;
}

/** The result: the files of the publication. */
export interface Publishing {
  readonly catalogue: Catalogue;
  readonly found: boolean;
  readonly finished: boolean;
}

/** A column of one side of a slice, to be published. */
interface Half {
  readonly table: Table;
  readonly side: Side;
  readonly column: PublishedColumn;
  readonly shape: FileFacts;
  /** The number of the order that its file has. */
  readonly order: number;
}

/**
 * @returns the catalogue; `found` if its files were there before, `finished` if they also answer.
 * @throws UserError if a slice is not solved, another publication is there, the codec cannot hold what the tables have, or no
 * search finds what is left out; StorageError.
 */
export async function publish(given: PublishOptions): Promise<Publishing> {
  const options = { ...given, game: namedFor(given.game, given.metric) };
  const { game, to, codec, metric } = options;
  const codecs = codecsFor(metric);
  if (!codecs.includes(codec))
    throw new UserError(`codec ${codec} cannot hold tables of ${metric}: choose ${codecs.join(', ')}`);
  if (options.oneSide === true && game.search === undefined) {
    throw new UserError(`${game.name} has no search that finds the values of a side that is left out`);
  }
  const plan = planSlices(game, options.slices)
    .map(({ slice }) => slice)
    // Without pieces the game is over, and no position has to be looked up.
    .filter((slice) => game.ending(slice).pieces > 0);
  const before = await readCatalogue(to, game.name, metric);
  const tables = await openTables(options, plan);
  if (before !== null) {
    if (isOf(before, options, tables)) {
      // A process that ended between two operations has left it.
      await deleteDraft(to, game.name, metric);
      return { catalogue: before, found: true, finished: true };
    }
    throw new UserError(
      `${to.uri} holds another publication of ${game.name}${columnsOf(metric)[0] === 'wdl' ? '' : ` under ${metric}`}: remove it, or publish elsewhere`,
    );
  }
  const draft = await readDraft(to, game.name, metric);
  if (draft !== null && isOf(draft, options, tables))
    return { catalogue: draft, found: true, finished: false };
  await deleteDraft(to, game.name, metric);
  const catalogue = newCatalogue({ game: game.name, metric, codec, codebooks: [], files: [] });
  for (const [pieces, group] of byPieces(game, tables)) {
    for (const column of columnsOf(metric)) {
      const halves = await halvesOf(options, group, column);
      const coder =
        codec === 'packed'
          ? packedCoder()
          : await makeCodebook(options, codec, { pieces, column }, halves, catalogue);
      for (const [i, half] of halves.entries()) {
        options.progress({ type: 'slice', slice: half.table.slice.name, number: i + 1, of: halves.length });
        catalogue.files.push(await write(options, half, coder));
        options.progress({ type: 'finished', slice: half.table.slice.name });
        if (options.oneSide === true && half.side === 1) await keepSmaller(options, catalogue.files);
      }
    }
  }
  await writeDraft(to, catalogue);
  return { catalogue, found: false, finished: false };
}

/** Deletes the larger of the last two files, which are the sides of a slice. */
async function keepSmaller({ game, metric, to }: PublishOptions, files: CatalogueFile[]): Promise<void> {
  const [black, white] = files.splice(-2);
  const [kept, other] = black.bytes <= white.bytes ? [black, white] : [white, black];
  await to.delete(publishedName(game, metric, other));
  files.push({ ...kept, alone: true });
}

async function openTables(
  { game, metric, store }: PublishOptions,
  plan: readonly string[],
): Promise<Table[]> {
  const tables: Table[] = [];
  for (const slice of plan) tables.push(await needTable(store, game, metric, slice));
  return tables;
}

/** Whether the publication was made so, from these very tables. */
function isOf({ codec, files }: Catalogue, options: PublishOptions, tables: readonly Table[]): boolean {
  const { game, metric, oneSide = false } = options;
  const keyOf = (slice: string, side: Side, column: PublishedColumn) => `${slice}/${side}/${column}`;
  const made = new Map(
    files.map(({ slice, side, column = 'wdl' as const, table, alone = false }) => [
      keyOf(slice, side, column),
      { table, alone },
    ]),
  );
  let known = 0;
  const isThere = (table: Table) =>
    columnsOf(metric).every((column) => {
      const { name } = table.slice;
      const sides = sidesOf(game, name);
      const there = sides.filter(
        (side) => made.get(keyOf(name, side, column))?.table === digestOf(table, side, column),
      );
      const alone = oneSide && sides.length === 2;
      known += there.length;
      return (
        there.length === (alone ? 1 : sides.length) &&
        there.every((side) => made.get(keyOf(name, side, column))!.alone === alone)
      );
    });
  return codec === options.codec && tables.every(isThere) && known === files.length;
}

/** The digest of a column of a table. */
function digestOf({ manifest }: Table, side: Side, column: PublishedColumn): string {
  return column === 'numbers' ? manifest.numbers!.digests[side] : manifest.digests[side];
}

/** The sides of a slice that boards are located on. */
function sidesOf(game: Game, slice: string): Side[] {
  return game.locatesMirrored && halfOf(game, slice, 1).repeats ? [0] : [0, 1];
}

/** Fewer pieces first. */
function byPieces(game: Game, tables: readonly Table[]): Map<number, Table[]> {
  const groups = new Map<number, Table[]>();
  for (const table of tables) {
    const { pieces } = game.ending(table.slice.name);
    groups.set(pieces, [...(groups.get(pieces) ?? []), table]);
  }
  return new Map([...groups].sort(([a], [b]) => a - b));
}

async function halvesOf(
  options: PublishOptions,
  tables: readonly Table[],
  column: PublishedColumn,
): Promise<Half[]> {
  const halves: Half[] = [];
  for (const table of tables) {
    for (const side of sidesOf(options.game, table.slice.name))
      halves.push(
        column === 'wdl'
          ? await halfToPublish(options, table, side)
          : {
              table,
              side,
              column,
              shape: { dominant: 0, periods: table.slice.periods?.(side) ?? [] },
              order: 0,
            },
      );
  }
  return halves;
}

/** Of wins, draws and losses: with the dominant one, in the best order. */
async function halfToPublish({ store, codec }: PublishOptions, table: Table, side: Side): Promise<Half> {
  const { slice } = table;
  // The codecs of the papers have the index of the papers.
  const orders = codec === 'rows' ? (slice.orders?.(side) ?? []) : [];
  const other = orders.find((order) => order !== null);
  const sample = other && newSpanSample(slice.size, other.span);
  const counts = [0, 0, 0, 0];
  for await (const symbols of symbolsOf(store, table, side, 'wdl')) {
    countSymbols(symbols, counts);
    sample?.add(symbols);
  }
  const values = counts.slice(0, 3);
  const dominant = values.indexOf(Math.max(...values)) as WdlSymbol;
  const periods = slice.periods?.(side) ?? [];
  const number = sample === undefined ? 0 : chooseOrder(sample.symbols, periods, orders);
  const shape = { dominant, periods: orderOf(slice, side, number)?.periods ?? periods };
  return { table, side, column: 'wdl', shape, order: number };
}

/** The symbols of a file in its order; each array is valid until the next is asked for. */
function symbolsInOrder(
  { store }: PublishOptions,
  { table, side, column, order }: Half,
): AsyncGenerator<Uint8Array> {
  return intoOrder(symbolsOf(store, table, side, column), orderOf(table.slice, side, order) ?? null);
}

async function makeCodebook(
  options: PublishOptions,
  codec: TrainedCodec,
  { pieces, column }: { readonly pieces: number; readonly column: PublishedColumn },
  halves: readonly Half[],
  catalogue: Catalogue,
): Promise<Coder> {
  const { game, metric, to, progress } = options;
  const name = codebookName(game.name, metric, pieces, column);
  const trainer = newTrainer(codec);
  for (const [i, half] of halves.entries()) {
    const { table, shape } = half;
    progress({ type: 'slice', slice: table.slice.name, number: i + 1, of: halves.length });
    progress({ type: 'phase', slice: table.slice.name, phase: 'train', total: table.slice.size });
    trainer.file(shape);
    for await (const symbols of symbolsInOrder(options, half)) trainer.add(symbols);
    progress({ type: 'finished', slice: table.slice.name });
  }
  const book = trainer.codebook();
  const bytes = codebookBytes(book);
  // Takes the place of what an interrupted attempt left. It is never gone in between: the same command, started twice at
  // once, may have finished a publication that reads it.
  await putOver(to, name, bytes);
  catalogue.codebooks.push({ name, pieces, bytes: bytes.length });
  return book;
}

async function write(options: PublishOptions, half: Half, coder: Coder): Promise<CatalogueFile> {
  const { game, metric, to, progress } = options;
  const { table, side, column, shape, order } = half;
  const slice = table.slice.name;
  const name = publishedName(game, metric, { slice, side, column });
  progress({ type: 'phase', slice, phase: 'compress', total: table.slice.size });
  const writer = await createPublished(to, name, coder, {
    game: game.name,
    slice,
    side,
    shape,
    order,
  });
  return orAbort(writer, async () => {
    for await (const symbols of symbolsInOrder(options, half)) {
      await writer.add(symbols);
      progress({ type: 'work', slice, done: symbols.length });
    }
    const written = await writer.close();
    const { pieces } = game.ending(slice);
    const seen = halfOf(game, slice, side).class;
    const about = column === 'wdl' ? { slice, side } : { slice, side, column };
    return { ...about, class: seen, pieces, ...written, table: digestOf(table, side, column) };
  });
}
