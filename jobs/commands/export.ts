/** `mergemate export`: the values of an ending for other programs. */
import { type Command, Option } from 'commander';
import { UserError } from '../../operators/core/errors.js';
import { exportRows } from '../../pipeline/export/rows.js';
import { needTable } from '../../pipeline/table/table.js';
import { jsonLines, writeJsonLines } from '../export/json-lines.js';
import { createOutput } from '../export/output-file.js';
import { askSlice, type MetricOptions, metricOf, withMetric, withStore } from '../options.js';
import { breathe, print } from '../output.js';
import { findGame, openStore } from '../registry.js';
import { whole } from '../ui/numbers.js';

/** Loaded when asked for: the libraries take long to load. */
const WRITERS = {
  parquet: async () => (await import('../export/parquet.js')).writeParquet,
  arrow: async () => (await import('../export/arrow.js')).writeArrow,
  jsonl: async () => writeJsonLines,
} as const;
type Format = keyof typeof WRITERS;

interface ExportFlags extends MetricOptions {
  readonly format: Format;
  readonly out: string;
  readonly force?: boolean;
}

export function addExport(program: Command): void {
  withMetric(withStore(program.command('export <game> <ending>')))
    .summary('write the values for other programs')
    .description(
      'Writes a row for each legal position of a solved slice, up to the symmetries of the board: first those in which the\n' +
        'side to move is the one that begins the game. index (of the position in the side to move), fen, side ("white" or\n' +
        '"black" to move), wdl, plies (null for draws).',
    )
    .addOption(
      new Option('--format <format>', 'file format').choices(Object.keys(WRITERS)).makeOptionMandatory(),
    )
    .requiredOption('--out <file>', 'the file to write; "-" is standard output (jsonl only)')
    .option('--force', 'overwrite the file if there is one')
    .action(runExport);
}

async function runExport(gameName: string, ending: string, options: ExportFlags): Promise<void> {
  const game = findGame(gameName);
  const asked = askSlice(game, ending);
  const { format, out } = options;
  const metric = metricOf(game, options.metric);
  if (out === '-' && format !== 'jsonl')
    throw new UserError(`--out -: only jsonl can go to standard output, not ${format}`);
  const table = await needTable(openStore(options.store), game, metric, asked.slice);
  const rows = exportRows(game, table, metric, asked.flipped);
  if (out === '-') {
    for await (const batch of rows) {
      await print(jsonLines(batch));
      await breathe();
    }
    return;
  }
  const output = await createOutput(out, options.force === true);
  try {
    let count = 0;
    async function* counted() {
      for await (const batch of rows) {
        count += batch.index.length;
        yield batch;
        await breathe();
      }
    }
    const write = await WRITERS[format]();
    await write(counted(), output);
    await output.close();
    if (options.json)
      await print(
        `${JSON.stringify({ game: game.name, ending: asked.name, metric, format, out, rows: count })}\n`,
      );
    else await print(`${out}: ${whole(count)} rows\n`);
  } catch (error) {
    await output.abort();
    throw error;
  }
}
