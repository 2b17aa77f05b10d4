/** `mergemate export`: the values of endings for other programs, in one file or as a set of files. */
import { statSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { UserError } from '../../operators/core/errors.js';
import { exportRows } from '../../pipeline/export/rows.js';
import type { Ending, Game } from '../../pipeline/game.js';
import { needTable } from '../../pipeline/table/table.js';
import { sayWhenInterrupted } from '../exit.js';
import { formatOf } from '../export/format.js';
import { jsonLines, writeJsonLines } from '../export/json-lines.js';
import { createOutput } from '../export/output-file.js';
import { exportSet, planSet } from '../export/set.js';
import { SET_COLUMNS, type SetColumn } from '../export/set-file.js';
import {
  askEndings,
  askSlice,
  type MetricOptions,
  metricOf,
  slicesOf,
  withMetric,
  withPieces,
} from '../options.js';
import { breathe, print, printJson } from '../output.js';
import { findGame } from '../registry.js';
import { withStore } from '../store-option.js';
import { storeToRead } from '../stores.js';
import { askedWords, needTables } from '../tables.js';
import { bytes, count, whole } from '../ui/numbers.js';
import { newDisplay } from '../ui/progress.js';

/** Loaded when asked for: the libraries take long to load. */
const WRITERS = {
  parquet: async () => (await import('../export/parquet.js')).writeParquet,
  arrow: async () => (await import('../export/arrow.js')).writeArrow,
  jsonl: async () => writeJsonLines,
} as const;
type Format = keyof typeof WRITERS;
const FORMATS = Object.keys(WRITERS) as Format[];

const SET_FORMATS = {
  parquet: async () => (await import('../export/parquet-set.js')).parquetSet,
  arrow: async () => (await import('../export/arrow-set.js')).arrowSet,
} as const;

interface AskedFlags extends MetricOptions {
  readonly format?: Format;
  readonly out: string;
  readonly pieces?: number;
  readonly columns?: string;
  readonly force?: boolean;
}

interface ExportFlags extends AskedFlags {
  readonly format: Format;
}

export function addExport(program: Command): void {
  withPieces(withMetric(withStore(program.command('export <game> [endings...]'))))
    .summary('write the values for other programs')
    .description(
      'Writes a row for each legal position of solved endings, up to the symmetries of the board: first those in which the\n' +
        'side to move is the one that begins the game. index (of the position in the side to move), fen, side ("white" or\n' +
        '"black" to move), wdl, plies (null for draws).\n\n' +
        'An ending of one slice goes to a file (Parquet by parquetjs-lite). Several endings or slices, --pieces, or --out that\n' +
        'is a folder or ends in "/" make a set: a folder with a file for each slice, ending=KQK/KQK.parquet, which data tools\n' +
        'read as one table with the columns ending and slice besides (Parquet by hyparquet-writer, which takes columns and is\n' +
        'many times as fast). Files of a set that are there and complete are kept, so that the same command goes on after an\n' +
        'interruption. Most of the time and space goes to fen: --columns slice,side,index,wdl,plies leaves it out.',
    )
    .addOption(
      new Option(
        '--format <format>',
        'file format; sets are parquet or arrow (default: as the name of the file ends)',
      ).choices(FORMATS),
    )
    .requiredOption('--out <path>', 'the file or folder to write; "-" is standard output (jsonl only)')
    .option('--columns <names>', `columns of a set (default: all, ${SET_COLUMNS.join(',')})`)
    .option('--force', 'overwrite files that are there')
    .action(runExport);
}

async function runExport(gameName: string, names: string[], asked: AskedFlags): Promise<void> {
  const flags = { ...asked, format: formatOf(FORMATS, asked.out, asked.format) };
  const game = await findGame(gameName);
  const endings = askEndings(game, names, flags.pieces);
  const isSet = flags.pieces !== undefined || isFolder(flags.out) || slicesOf(endings).length > 1;
  if (isSet && flags.format !== 'jsonl') return runSet(game, names, endings, flags);
  if (flags.columns !== undefined)
    throw new UserError('--columns: only sets of files have a choice of columns');
  if (isSet && !isFolder(flags.out) && endings.length > 1)
    throw new UserError(
      `--format jsonl: ${endings.length} endings do not go to one file; sets are parquet or arrow`,
    );
  await runFile(game, endings[0]!.name, flags);
}

function isFolder(path: string): boolean {
  return path.endsWith('/') || statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

async function runFile(game: Game, ending: string, flags: ExportFlags): Promise<void> {
  const asked = askSlice(game, ending);
  const { format, out } = flags;
  const metric = metricOf(game, flags.metric);
  if (out === '-' && format !== 'jsonl')
    throw new UserError(`--out -: only jsonl can go to standard output, not ${format}`);
  const table = await needTable(storeToRead(flags.store), game, metric, asked.slice);
  const rows = exportRows(game, table, metric, asked.flipped);
  if (out === '-') {
    for await (const batch of rows) {
      await print(jsonLines(batch));
      await breathe();
    }
    return;
  }
  const output = await createOutput(out, flags.force === true);
  try {
    let written = 0;
    async function* counted() {
      for await (const batch of rows) {
        written += batch.index.length;
        yield batch;
        await breathe();
      }
    }
    const write = await WRITERS[format]();
    await write(counted(), output);
    await output.close();
    if (flags.json)
      await printJson({ game: game.name, ending: asked.name, metric, format, out, rows: written });
    else await print(`${out}: ${count(written, 'row')}\n`);
  } catch (error) {
    await output.abort();
    throw error;
  }
}

async function runSet(
  game: Game,
  names: readonly string[],
  endings: readonly Ending[],
  flags: ExportFlags,
): Promise<void> {
  const metric = metricOf(game, flags.metric);
  const columns = readColumns(flags.columns);
  const { out } = flags;
  if (out === '-' || statSync(out, { throwIfNoEntry: false })?.isFile() === true)
    throw new UserError(`--out ${out}: a set of files goes to a folder`);
  const store = storeToRead(flags.store);
  await needTables(store, game, metric, slicesOf(endings), askedWords(names, flags.pieces));
  const format = await SET_FORMATS[flags.format as keyof typeof SET_FORMATS]();
  const force = flags.force === true;
  sayWhenInterrupted(
    force ? 'files of the set are complete, old or new' : 'the same command goes on where it was',
  );
  const shown = planSet(game, endings, format.suffix).map((file) => file.shown);
  const display = await newDisplay(shown, flags.json === true);
  const progress = display.listen;
  const files = await exportSet({
    ...{ game, metric, store, endings, format, columns, out, force, progress, breathe },
  }).catch(async (error) => {
    await display.close(true);
    throw error;
  });
  await display.close(false);

  const sum = (of: (file: (typeof files)[number]) => number) =>
    files.reduce((total, file) => total + of(file), 0);
  const [rows, size, kept] = [sum((file) => file.rows), sum((file) => file.bytes), sum((file) => +file.kept)];
  if (flags.json) {
    const about = { game: game.name, metric, format: flags.format, out, columns };
    await printJson({ ...about, rows, bytes: size, kept, files });
  } else {
    const were = kept === 0 ? '' : ` (${whole(kept)} of them were there)`;
    await print(`${out}: ${count(files.length, 'file')}${were}, ${count(rows, 'row')}, ${bytes(size)}\n`);
  }
}

/** The columns named, in their order; all if undefined. Throws UserError for names that are none. */
function readColumns(text: string | undefined): SetColumn[] {
  if (text === undefined) return [...SET_COLUMNS];
  const names = text.split(',').map((name) => name.trim());
  for (const name of names) {
    if (!SET_COLUMNS.some((column) => column === name))
      throw new UserError(
        `--columns: there is no column ${JSON.stringify(name)} (there are: ${SET_COLUMNS.join(', ')})`,
      );
  }
  return SET_COLUMNS.filter((column) => names.includes(column));
}
