/** `mergemate export`: the values of endings for other programs, in one file or as a set of files. */
import { statSync } from 'node:fs';
import { UserError } from '../../operators/core/errors.js';
import type { Ending, Game } from '../../pipeline/game/game.js';
import { needTable } from '../../pipeline/tables/table.js';
import { sayWhenInterrupted } from '../exit.js';
import { readColumns, TABLE_COLUMNS } from '../export/columns.js';
import { FORMATS, type Format, formatOf, formatOfName, loadFormat } from '../export/formats.js';
import { createOutput, standardOutput } from '../export/output-file.js';
import { exportSet, planSet } from '../export/set.js';
import { type ShownTable, writeFile } from '../export/table-rows.js';
import { askEndings, type MetricOptions, metricOf, slicesOf } from '../options.js';
import { breathe, print, printJson } from '../output.js';
import { findGame } from '../registry.js';
import { storeToRead } from '../stores.js';
import { askedWords, needTables } from '../tables.js';
import { bytes, count, whole } from '../ui/numbers.js';
import { newDisplay } from '../ui/progress.js';
import { findGraph } from './asked-graph.js';

interface AskedFlags extends MetricOptions {
  readonly format?: Format;
  readonly out: string;
  readonly pieces?: number;
  /** Of keyed games and graphs. */
  readonly memory: number;
  readonly columns?: string;
  readonly force?: boolean;
}

interface ExportFlags extends AskedFlags {
  readonly format: Format;
}

export async function runExport(gameName: string, names: string[], asked: AskedFlags): Promise<void> {
  const graph = await findGraph(gameName, asked.store);
  if (graph !== null) return (await import('./graph-export.js')).exportGraph(graph, names, asked);
  const flags = { ...asked, format: formatOf(FORMATS, asked.out, asked.format) };
  const game = await findGame(gameName);
  const endings = askEndings(game, names, flags.pieces);
  const { out } = flags;
  const isMany = flags.pieces !== undefined || slicesOf(endings).length > 1;
  // A name without an ending is that of a folder where there is more than one slice.
  const isSet = isFolder(out) || (isMany && out !== '-' && formatOfName(out) === null);
  await (isSet ? runSet : runFile)(game, names, endings, flags);
}

function isFolder(path: string): boolean {
  return path.endsWith('/') || statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** One file, or standard output, with the rows of all endings one after the other. */
async function runFile(
  game: Game,
  names: readonly string[],
  endings: readonly Ending[],
  flags: ExportFlags,
): Promise<void> {
  const { format, out } = flags;
  const metric = metricOf(game, flags.metric);
  const columns = readColumns(flags.columns, TABLE_COLUMNS);
  const store = storeToRead(flags.store);
  await needTables(store, game, metric, slicesOf(endings), askedWords(names, flags.pieces));
  const tables: ShownTable[] = [];
  for (const { slice, shown, flipped } of planSet(game, endings, format))
    tables.push({ shown, flipped, table: await needTable(store, game, metric, slice) });
  const sink = out === '-' ? standardOutput : await createOutput(out, flags.force === true);
  // Rows on standard output show the progress well enough.
  const display = await newDisplay(
    tables.map(({ shown }) => shown),
    flags.json === true || out === '-',
  );
  let rows: number;
  try {
    rows = await writeFile({
      game,
      metric,
      tables,
      columns,
      format: await loadFormat(format),
      sink,
      progress: display.listen,
      breathe,
    });
    await display.close(false);
  } catch (error) {
    await display.close(true);
    throw error;
  }
  if (out === '-') return;
  const ending = endings.map(({ name }) => name).join(' ');
  if (flags.json) await printJson({ game: game.name, ending, metric, format, out, columns, rows });
  else await print(`${out}: ${count(rows, 'row')}\n`);
}

async function runSet(
  game: Game,
  names: readonly string[],
  endings: readonly Ending[],
  flags: ExportFlags,
): Promise<void> {
  const metric = metricOf(game, flags.metric);
  const columns = readColumns(flags.columns, TABLE_COLUMNS);
  const { out } = flags;
  // A path that ends in a slash and is a file makes stat throw.
  if (statSync(out.replace(/\/+$/, ''), { throwIfNoEntry: false })?.isFile() === true)
    throw new UserError(`--out ${out}: a set of files goes to a folder`);
  const store = storeToRead(flags.store);
  await needTables(store, game, metric, slicesOf(endings), askedWords(names, flags.pieces));
  const format = await loadFormat(flags.format);
  const force = flags.force === true;
  sayWhenInterrupted(
    force || format.readAbout === undefined
      ? 'files of the set are complete, old or new'
      : 'the same command goes on where it was',
  );
  const shown = planSet(game, endings, format.suffix).map((file) => file.shown);
  const display = await newDisplay(shown, flags.json === true);
  const progress = display.listen;
  const files = await exportSet({
    game,
    metric,
    store,
    endings,
    format,
    columns,
    out,
    force,
    progress,
    breathe,
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
