/** `mergemate export`: the values of endings for other programs, in one file or as a set of files. */
import { statSync } from 'node:fs';
import { UserError } from '../../operators/core/errors.js';
import type { Sink } from '../../operators/storage/store.js';
import type { Ending, Game } from '../../pipeline/contract/game.js';
import { needTable } from '../../pipeline/table/table.js';
import { sayWhenInterrupted } from '../exit.js';
import { FORMATS, type Format, formatOf, SET_COLUMNS, type SetColumn } from '../export/format.js';
import { jsonLines } from '../export/json-lines.js';
import { createOutput } from '../export/output-file.js';
import { exportSet, planSet } from '../export/set.js';
import { aboutOf, writeFile } from '../export/write-rows.js';
import { askEndings, askSlice, type MetricOptions, metricOf, slicesOf } from '../options.js';
import { breathe, print, printJson } from '../output.js';
import { findGame } from '../registry.js';
import { storeToRead } from '../stores.js';
import { askedWords, needTables } from '../tables.js';
import { bytes, count, whole } from '../ui/numbers.js';
import { newDisplay } from '../ui/progress.js';
import { findGraph } from './asked-graph.js';

/** Loaded when asked for: the libraries take long to load. */
const SET_FORMATS = {
  parquet: async () => (await import('../export/parquet-set.js')).parquetSet,
  arrow: async () => (await import('../export/arrow-set.js')).arrowSet,
} as const;
const FILE_FORMATS = { ...SET_FORMATS, jsonl: async () => jsonLines } as const satisfies Record<
  Format,
  unknown
>;

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

export async function runExport(gameName: string, names: string[], asked: AskedFlags): Promise<void> {
  const graph = await findGraph(gameName);
  if (graph !== null) return (await import('./graph-export.js')).exportGraph(graph, names, asked);
  const flags = { ...asked, format: formatOf(FORMATS, asked.out, asked.format) };
  const game = await findGame(gameName);
  const endings = askEndings(game, names, flags.pieces);
  const isSet = flags.pieces !== undefined || isFolder(flags.out) || slicesOf(endings).length > 1;
  if (isSet && flags.format !== 'jsonl') return runSet(game, names, endings, flags);
  if (isSet && !isFolder(flags.out) && endings.length > 1)
    throw new UserError(
      `--format jsonl: ${endings.length} endings do not go to one file; sets are parquet or arrow`,
    );
  await runFile(game, endings[0].name, flags);
}

function isFolder(path: string): boolean {
  return path.endsWith('/') || statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

async function runFile(game: Game, ending: string, flags: ExportFlags): Promise<void> {
  const asked = askSlice(game, ending);
  const { format, out } = flags;
  const metric = metricOf(game, flags.metric);
  const columns = readColumns(flags.columns);
  if (out === '-' && format !== 'jsonl')
    throw new UserError(`--out -: only jsonl can go to standard output, not ${format}`);
  const table = await needTable(storeToRead(flags.store), game, metric, asked.slice);
  const about = aboutOf({ game, metric, columns }, asked.name, table);
  const writer = await FILE_FORMATS[format]();
  const sink = out === '-' ? standardOutput : await createOutput(out, flags.force === true);
  // Rows on standard output show the progress well enough.
  const display = await newDisplay([asked.name], flags.json === true || out === '-');
  try {
    display.listen({ type: 'slice', slice: asked.name, number: 1, of: 1 });
    const common = { game, metric, table, flipped: asked.flipped, about, sink, breathe };
    await writeFile({ ...common, format: writer, progress: display.listen });
    await display.close(false);
  } catch (error) {
    await display.close(true);
    throw error;
  }
  if (out === '-') return;
  const { rows } = about;
  if (flags.json)
    await printJson({ game: game.name, ending: asked.name, metric, format, out, columns, rows });
  else await print(`${out}: ${count(rows, 'row')}\n`);
}

const standardOutput: Sink = {
  async write(pieces) {
    for (const piece of pieces) await print(Buffer.from(piece as Uint8Array).toString());
  },
  async close() {},
  async abort() {},
};

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
