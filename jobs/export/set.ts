/**
 * Sets of exports: a folder with a file for each slice, in folders by ending: `ending=KQK/KQK.parquet`. Data tools call that
 * layout hive-partitioned. They read all files as one table with a column `ending`, and open only those that a query needs.
 * Metadata in each file of Parquet and Arrow say what it holds. A file appears when it is complete, and then stays: an
 * interrupted export goes on where it was. CSV and JSON Lines have no metadata, so that their files are never taken for complete.
 */
import { UserError } from '../../operators/core/errors.js';
import { localStore } from '../../operators/storage/local.js';
import type { Store } from '../../operators/storage/store.js';
import type { Ending, Game } from '../../pipeline/game/game.js';
import type { ProgressListener } from '../../pipeline/game/progress.js';
import type { Metric } from '../../pipeline/game/value.js';
import { type View, viewsOf } from '../../pipeline/game/views.js';
import { openNumbers } from '../../pipeline/tables/numbers.js';
import { needTable, type Table } from '../../pipeline/tables/table.js';
import { tidyAtExit } from '../cli/exit.js';
import { removeRemains } from '../engines/remains.js';
import { removeOwnParts } from '../engines/scratch-folder.js';
import type { Column } from './columns.js';
import { type RowFormat, writeRows } from './rows.js';
import { About, aboutOf, type BestOf, tableRows } from './table-rows.js';

export interface SetOptions {
  readonly game: Game;
  readonly metric: Metric;
  /** Store of the tables; all endings must have theirs. */
  readonly store: Store;
  readonly endings: readonly Ending[];
  readonly format: RowFormat;
  /** In the order of COLUMNS_OF.endings. */
  readonly columns: readonly Column[];
  /** What looks best moves up, if they are among the columns. */
  readonly best?: BestOf | undefined;
  /** Bytes for the rows that are held until they are written. */
  readonly memory: number;
  /** The folder of the set; made if need be. */
  readonly out: string;
  /** Write files again that are there. */
  readonly force: boolean;
  readonly progress: ProgressListener;
  /** Called between batches, to let others have their turn. */
  readonly breathe: () => Promise<void>;
}

interface SetFile {
  /** Below the folder of the set. */
  readonly name: string;
  readonly ending: string;
  readonly slice: string;
  readonly rows: number;
  readonly bytes: number;
  /** Whether the file was there before. */
  readonly kept: boolean;
}

/** A file to be made: its name and its boards. */
interface Planned extends View {
  readonly name: string;
  /** The class of the slice. */
  readonly ending: string;
  /** The ending that it belongs to, among those that are asked for. */
  readonly asked: string;
  /** The slice in the colours of the boards. */
  readonly shown: string;
}

/** Each file once, also where a class and one of its slices are asked for. */
export function planSet(game: Game, endings: readonly Ending[], suffix: string): Planned[] {
  const files = endings
    .flatMap((ending) => viewsOf(game, ending).map((view) => ({ ...view, asked: ending.name })))
    .map((view) => {
      const own = game.ending(view.slice);
      const shown = view.flipped ? own.exchanged : own.name;
      const ending = game.ending(shown).class;
      return { ...view, shown, ending, name: `ending=${ending}/${shown}.${suffix}` };
    });
  return [...new Map(files.map((file) => [file.name, file])).values()];
}

/**
 * Writes the files that are not there. Throws UserError, and writes nothing more, for a file that is there and holds
 * something else, unless `force` is given.
 */
export async function exportSet(options: SetOptions): Promise<SetFile[]> {
  const { out } = options;
  const folder = localStore(out, { durable: true });
  await removeRemains(folder);
  const untie = tidyAtExit(() => removeOwnParts(out));
  try {
    return await writeSet(options, folder);
  } finally {
    untie();
  }
}

/** Does the same as {@link exportSet}, into a store; `out` is for messages. */
export async function writeSet(options: SetOptions, folder: Store): Promise<SetFile[]> {
  const { game, metric, store, progress } = options;
  const planned = planSet(game, options.endings, options.format.suffix);
  const files: SetFile[] = [];
  for (const [i, file] of planned.entries()) {
    progress({ type: 'slice', slice: file.shown, number: i + 1, of: planned.length });
    const table = await needTable(store, game, metric, file.slice);
    const { name, ending, shown: slice, flipped } = file;
    const numbers = (table: Table) => openNumbers(store, table);
    const content = { ...options, numbers, tables: [{ ending: file.asked, shown: slice, table, flipped }] };
    const about = aboutOf(content);
    const kept = !options.force && (await isThere(options, folder, name, about));
    if (!kept) {
      const sink = await folder.create(name);
      await writeRows(tableRows({ ...content, progress: withoutSlices(progress) }), options.format, sink);
    }
    files.push({ name, ending, slice, rows: about.rows, bytes: (await folder.size(name))!, kept });
    await options.breathe();
  }
  return files;
}

/** Progress of a file of a set: its number among the files was reported. */
function withoutSlices(progress: ProgressListener): ProgressListener {
  return (event) => {
    if (event.type !== 'slice') progress(event);
  };
}

/** Whether the right file is there. Throws UserError if another one is. */
async function isThere(
  { format, out }: SetOptions,
  folder: Store,
  name: string,
  about: About,
): Promise<boolean> {
  const bytes = await folder.size(name);
  if (bytes === null) return false;
  if (format.readAbout === undefined)
    throw new UserError(
      `--out ${out}: ${name} is there, and a ${format.suffix} file does not state what it holds: --force overwrites it`,
    );
  const text = await format.readAbout(folder, name, bytes);
  if (text === JSON.stringify(about)) return true;
  throw new UserError(
    `--out ${out}: ${name} is there and ${differenceOf(text, about)}: --force overwrites it`,
  );
}

function differenceOf(text: string | null, about: About): string {
  const there = text === null ? undefined : aboutIn(text);
  if (there === undefined) return 'was not written by this command';
  for (const key of ['game', 'metric', 'slice', 'columns'] as const) {
    if (String(there[key]) !== String(about[key])) return `has ${key} ${there[key]}, not ${about[key]}`;
  }
  return 'was read from another table';
}

function aboutIn(text: string): About | undefined {
  try {
    return About.safeParse(JSON.parse(text)).data;
  } catch {
    // Other programs may use the same name.
    return undefined;
  }
}
