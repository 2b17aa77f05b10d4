/** `mergemate export`: the rows of what is solved, all or those that are asked for, in one file or as a set of files. */
import { UserError } from '../../operators/core/errors.js';
import { sayWhenInterrupted } from '../cli/exit.js';
import { breathe, note, print, printJson } from '../cli/output.js';
import { whatIs } from '../cli/what-is.js';
import { chessColumns, columnsOf, readColumns } from '../export/columns.js';
import {
  EXPORT_FORMATS,
  type ExportFormat,
  type Format,
  formatOf,
  formatOfName,
  loadChessFormat,
  loadFormat,
} from '../export/formats.js';
import { createOutput, standardOutput } from '../export/output-file.js';
import { writeRows } from '../export/rows.js';
import { isChessFormat } from '../positions/names.js';
import { readWhere } from '../positions/where.js';
import { newDisplay } from '../progress/display.js';
import type { EndingTables } from '../solved/ending-tables.js';
import { openTables } from '../solved/open.js';
import type { SolvedTables, TableFlags } from '../solved/tables.js';
import { bytes, count, whole } from '../ui/numbers.js';

interface ExportFlags extends TableFlags {
  readonly memory: number;
  readonly format?: ExportFormat;
  readonly out: string;
  readonly columns?: string;
  readonly force?: boolean;
  readonly where?: string;
  readonly limit?: number;
  readonly moves?: boolean;
}

export async function runExport(asked: string, names: string[], flags: ExportFlags): Promise<void> {
  const { limit, moves, out, columns: wanted } = flags;
  const where = flags.where === undefined ? undefined : readWhere(flags.where);
  const isFolder = out.endsWith('/') || whatIs(out)?.isDirectory() === true;
  const isChosen = where !== undefined || limit !== undefined;
  if (isFolder && isChosen) throw new UserError(`--out ${out}: positions that are asked for go to one file`);
  const format = formatOf(EXPORT_FORMATS, out, flags.format);
  const chessFormat = isChessFormat(format) ? format : undefined;
  if (chessFormat !== undefined && isFolder)
    throw new UserError(`--out ${out}: ${chessFormat} goes to one file`);
  if (chessFormat !== undefined && wanted !== undefined)
    throw new UserError(`--columns: positions in ${chessFormat} have no columns`);
  const tables = await openTables(asked, names, { ...flags, ...where, chessFormat });
  if (!isChosen && chessFormat === undefined && isSet(tables, flags, isFolder))
    return exportSet(tables as EndingTables, format as Format, flags);
  const rowFormat = await (chessFormat === undefined
    ? loadFormat(format as Format)
    : loadChessFormat(
        chessFormat,
        tables.metric,
        (ending) => (tables as EndingTables).game.ending(ending).assumes,
      ));
  const columnsAsked =
    chessFormat === undefined ? wanted : chessColumns(tables.metric, { ...where, moves }).join(',');
  const { columns, slices, rows } = await tables.rows({ where, limit, moves, columns: columnsAsked });
  const sink = out === '-' ? standardOutput : await createOutput(out, flags.force === true);
  // Rows on standard output show the progress well enough.
  const display = await newDisplay(slices, flags.json === true || out === '-');
  const written = await shownBy(display, async () => writeRows(await rows(display.listen), rowFormat, sink));
  const words = count(written, chessFormat === undefined ? 'row' : 'position');
  const { name: game, endings, metric } = tables;
  const ending = endings.length > 0 && { ending: endings.join(' ') };
  if (out === '-') note(words);
  else if (flags.json) await printJson({ game, ...ending, metric, format, out, columns, rows: written });
  else await print(`${out}: ${words}\n`);
}

/** A name without an ending is that of a folder where there is more than one slice. */
function isSet(
  { endings, slices }: SolvedTables & { slices?: readonly string[] },
  { out, pieces }: ExportFlags,
  isFolder: boolean,
): boolean {
  if (endings.length === 0) return false;
  const isMany = pieces !== undefined || slices!.length > 1;
  return isFolder || (isMany && out !== '-' && formatOfName(out) === null);
}

async function shownBy<T>(
  display: Awaited<ReturnType<typeof newDisplay>>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    const done = await work();
    await display.close(false);
    return done;
  } catch (error) {
    await display.close(true);
    throw error;
  }
}

async function exportSet(tables: EndingTables, formatName: Format, flags: ExportFlags): Promise<void> {
  const { game, metric, store, asked: endings } = tables;
  const columns = readColumns(flags.columns, columnsOf(metric), flags.moves);
  const { best, memory } = tables.withBest(columns.includes('best'));
  const { out } = flags;
  // A path that ends in a slash and is a file makes stat throw.
  if (whatIs(out.replace(/\/+$/, ''))?.isFile() === true)
    throw new UserError(`--out ${out}: a set of files goes to a folder`);
  await tables.need();
  const format = await loadFormat(formatName);
  const force = flags.force === true;
  sayWhenInterrupted(
    force || format.readAbout === undefined
      ? 'files of the set are complete, old or new'
      : 'the same command goes on where it was',
  );
  const { exportSet, planSet } = await import('../export/set.js');
  const shown = planSet(game, endings, format.suffix).map((file) => file.shown);
  const display = await newDisplay(shown, flags.json === true);
  const progress = display.listen;
  const options = {
    game,
    metric,
    store,
    endings,
    format,
    columns,
    best,
    memory,
    out,
    force,
    progress,
    breathe,
  };
  const files = await shownBy(display, () => exportSet(options));
  const sum = (of: (file: (typeof files)[number]) => number) =>
    files.reduce((total, file) => total + of(file), 0);
  const [rows, size, kept] = [sum((file) => file.rows), sum((file) => file.bytes), sum((file) => +file.kept)];
  if (flags.json) {
    const about = { game: game.name, metric, format: formatName, out, columns };
    await printJson({ ...about, rows, bytes: size, kept, files });
  } else {
    const were = kept === 0 ? '' : ` (${whole(kept)} of them were there)`;
    await print(`${out}: ${count(files.length, 'file')}${were}, ${count(rows, 'row')}, ${bytes(size)}\n`);
  }
}
