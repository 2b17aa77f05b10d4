/** `mergemate export`: all rows of what is solved, or those that are asked for, in one file or as a set of files. */
import { UserError } from '../../operators/core/errors.js';
import { orAbort } from '../../operators/core/or-abort.js';
import { sayWhenInterrupted } from '../cli/exit.js';
import { breathe, print, printJson } from '../cli/output.js';
import { whatIs } from '../cli/what-is.js';
import { columnsOf, readColumns } from '../export/columns.js';
import {
  FORMATS,
  type Format,
  formatOf,
  formatOfName,
  loadFormat,
  POSITION_FORMATS,
  type PositionFormat,
} from '../export/formats.js';
import { createOutput, standardOutput } from '../export/output-file.js';
import { freeing, writeRows } from '../export/rows.js';
import { CHESS_FORMATS, textOf } from '../positions/lines.js';
import { type PositionRecord, recordHead, recordLine } from '../positions/records.js';
import { readWhere } from '../positions/where.js';
import { newDisplay } from '../progress/display.js';
import type { EndingTables } from '../solved/ending-tables.js';
import { openTables } from '../solved/open.js';
import type { FoundPositions, SolvedTables, TableFlags } from '../solved/tables.js';
import { bytes, count, whole } from '../ui/numbers.js';

interface ExportFlags extends TableFlags {
  readonly memory: number;
  readonly format?: Format | PositionFormat;
  readonly out: string;
  readonly columns?: string;
  readonly force?: boolean;
  readonly where?: string;
  readonly limit?: number;
  readonly moves?: boolean;
}

export async function runExport(asked: string, names: string[], flags: ExportFlags): Promise<void> {
  const { where, limit, moves, out } = flags;
  const named = flags.format ?? formatOfName(out);
  const isChosen = [where, limit, moves].some((each) => each !== undefined);
  if (isChosen || CHESS_FORMATS.some((each) => each === named)) return exportFound(asked, names, flags);
  const format = formatOf(FORMATS, out, flags.format as Format | undefined);
  const tables = await openTables(asked, names, flags);
  if (isSet(tables, flags)) return exportSet(tables as EndingTables, format, flags);
  const { columns, slices, rows } = await tables.rows(flags.columns);
  const sink = out === '-' ? standardOutput : await createOutput(out, flags.force === true);
  // Rows on standard output show the progress well enough.
  const display = await newDisplay(slices, flags.json === true || out === '-');
  const found = await shownBy(display, async () => {
    const all = await rows(display.listen);
    await writeRows(all, await loadFormat(format), sink);
    return all.total;
  });
  if (out === '-') return;
  const { name: game, endings, metric } = tables;
  const ending = endings.length > 0 && { ending: endings.join(' ') };
  if (flags.json) await printJson({ game, ...ending, metric, format, out, columns, rows: found });
  else await print(`${out}: ${count(found, 'row')}\n`);
}

/** A name without an ending is that of a folder where there is more than one slice. */
function isSet(
  { endings, slices }: SolvedTables & { slices?: readonly string[] },
  flags: ExportFlags,
): boolean {
  if (endings.length === 0) return false;
  const { out, pieces } = flags;
  const isFolder = out.endsWith('/') || whatIs(out)?.isDirectory() === true;
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
  const columns = readColumns(flags.columns, columnsOf(metric));
  const { out, memory } = flags;
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
  const options = { game, metric, store, endings, format, columns, memory, out, force, progress, breathe };
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

/** Positions that meet the conditions asked for. */
async function exportFound(asked: string, names: readonly string[], flags: ExportFlags): Promise<void> {
  const { out, where, limit = Number.POSITIVE_INFINITY, moves = false, json } = flags;
  if (whatIs(out)?.isDirectory() === true || out.endsWith('/'))
    throw new UserError(`--out ${out}: positions that are asked for go to one file`);
  const format = formatOf(POSITION_FORMATS, out, flags.format as PositionFormat | undefined);
  const conditions = readWhere(where);
  const chessFormat = CHESS_FORMATS.find((each) => each === format);
  if (chessFormat !== undefined && flags.columns !== undefined)
    throw new UserError(`--columns: positions in ${chessFormat} have no columns`);
  const tables = await openTables(asked, names, { ...flags, ...conditions, chessFormat });
  const { name: game, endings, metric } = tables;
  const found = await tables.find({ ...conditions, limit, moves, columns: flags.columns });
  const columns = found.columns.map(({ name }) => name);
  const about = JSON.stringify({ game, endings, metric, where, limit: flags.limit, moves, columns });
  const positions = await writeFound(found, about, format, flags);
  const written = count(positions, chessFormat === undefined ? 'row' : 'position');
  if (out === '-') process.stderr.write(`${written}\n`);
  else if (json) await printJson({ game, endings, metric, format, out, columns, positions });
  else await print(`${out}: ${written}\n`);
}

/** Returns how many positions were written. @param about for the metadata of the file. */
async function writeFound(
  { columns, batches }: FoundPositions,
  about: string,
  format: PositionFormat,
  { out, force = false }: ExportFlags,
): Promise<number> {
  let found = 0;
  const output = out === '-' ? standardOutput : await createOutput(out, force);
  const isRecord = format === 'jsonl' || format === 'csv';
  const names = columns.map(({ name }) => name);
  await orAbort(output, async () => {
    if (format === 'parquet') {
      const { writeParquetRecords } = await import('../positions/parquet-records.js');
      await writeParquetRecords(columns, records(), about, output);
    } else if (format === 'arrow') {
      const { writeArrowRecords } = await import('../positions/arrow-records.js');
      await writeArrowRecords(columns, records(), about, output);
    } else {
      if (isRecord) await output.write([Buffer.from(recordHead(format, names))]);
      for await (const batch of freeing(batches)) {
        found += batch.length;
        const lines = batch.map(({ record, listed }) =>
          isRecord ? recordLine(format, names, record) : textOf(format, listed!),
        );
        await output.write([Buffer.from(lines.join(''))]);
      }
    }
    await output.close();
  });
  return found;

  async function* records(): AsyncGenerator<PositionRecord> {
    for await (const batch of freeing(batches)) {
      found += batch.length;
      for (const { record } of batch) yield record;
    }
  }
}
