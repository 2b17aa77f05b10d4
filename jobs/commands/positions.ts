/** `mergemate export --where`: lists the positions of endings that meet the conditions asked for. */

import { statSync } from 'node:fs';
import { UserError } from '../../operators/core/errors.js';
import { orAbort } from '../../operators/core/or-abort.js';
import { selectPositions } from '../../pipeline/analysis/selection.js';
import { newProber } from '../../pipeline/tables/probe/prober.js';
import { needTable } from '../../pipeline/tables/table.js';
import { formatOf, POSITION_FORMATS } from '../export/formats.js';
import { createOutput, standardOutput } from '../export/output-file.js';
import { PROBE_CACHE } from '../open-prober.js';
import { askEndings, type MetricOptions, metricOf, slicesOf } from '../options.js';
import { print, printJson } from '../output.js';
import {
  CHESS_FORMATS,
  headOf,
  LINE_FIELDS,
  type LineFormat,
  type ListedPosition,
  recordOf,
  textOf,
} from '../positions/lines.js';
import { playerNamed, selectionOf } from '../positions/query.js';
import { type PositionRecord, type RecordField, recordHead, recordLine } from '../positions/records.js';
import { type Conditions, readWhere } from '../positions/where.js';
import { findGame } from '../registry.js';
import { storeToRead } from '../stores.js';
import { askedWords, needTables } from '../tables.js';
import { count as counted } from '../ui/numbers.js';
import { newScanLines } from '../ui/scan-lines.js';
import { hasMates } from '../ui/verdict.js';
import { type AskedGraph, findGraph, refuse, solvedGraph } from './asked-graph.js';

type PositionsFormat = (typeof POSITION_FORMATS)[number];

interface AskedFlags extends MetricOptions {
  readonly pieces?: number;
  readonly memory: number;
  readonly where?: string;
  readonly columns?: string;
  readonly format?: PositionsFormat;
  readonly out: string;
  readonly force?: boolean;
  readonly limit?: number;
  readonly moves?: boolean;
}

interface PositionsFlags extends AskedFlags, Conditions {
  readonly format: PositionsFormat;
}

/** Positions that were found, and how they are written. */
interface Listing<Found> {
  readonly found: AsyncIterable<readonly Found[]>;
  head(format: LineFormat): string;
  text(format: LineFormat, found: Found): string;
  readonly fields: readonly RecordField[];
  record(found: Found): PositionRecord;
}

export async function runPositions(gameName: string, names: string[], asked: AskedFlags): Promise<void> {
  if (asked.columns !== undefined)
    throw new UserError('--columns is for exports of all rows: it goes without --where, --limit and --moves');
  if (statSync(asked.out, { throwIfNoEntry: false })?.isDirectory() === true || asked.out.endsWith('/'))
    throw new UserError(`--out ${asked.out}: positions that are asked for go to one file`);
  const format = formatOf(POSITION_FORMATS, asked.out, asked.format);
  const flags = { ...asked, ...readWhere(asked.where), format };
  const graph = await findGraph(gameName, flags.store);
  if (graph !== null) return positionsOfGraph(graph, names, flags);
  const game = await findGame(gameName);
  const metric = metricOf(game, flags.metric);
  const { side, ...query } = flags;
  const selection = selectionOf(game, metric, {
    ...query,
    side: side === undefined ? undefined : game.colours[playerNamed(game.name, game.colours, side)],
  });
  checkFormat(game.name, flags.format, hasMates(game));
  const endings = askEndings(game, names, flags.pieces);
  const store = storeToRead(flags.store);
  await needTables(store, game, metric, slicesOf(endings), askedWords(names, flags.pieces));
  const open = (slice: string) => needTable(store, game, metric, slice);
  const prober = flags.moves ? newProber({ game, metric, store, cacheBytes: PROBE_CACHE }) : null;
  const progress = newScanLines();
  const limit = flags.limit ?? Number.POSITIVE_INFINITY;

  async function* found(): AsyncGenerator<ListedPosition[]> {
    let count = 0;
    for (const [i, ending] of endings.entries()) {
      progress.begin(ending.name, i + 1, endings.length);
      let number = 0;
      const options = { game, metric, ending, selection, open, report: progress.report };
      for await (const batch of selectPositions(options)) {
        const listed: ListedPosition[] = [];
        for (const selected of batch.slice(0, limit - count)) {
          const fen = game.format(selected.board);
          const moves = prober === null ? null : (await prober.probe(selected.board)).moves;
          listed.push({ ...selected, ending: ending.name, number: ++number, fen, metric, moves });
        }
        count += listed.length;
        yield listed;
        if (count === limit) return;
      }
    }
  }

  const listing = { found: found(), head: headOf, text: textOf, fields: LINE_FIELDS, record: recordOf };
  const count = await writeListing(listing, flags);
  await printResult(count, { game: game.name, endings: endings.map(({ name }) => name), metric }, flags);
}

function checkFormat(game: string, format: PositionsFormat, isChess: boolean): void {
  if (!isChess && CHESS_FORMATS.some((each) => each === format))
    throw new UserError(
      `--format ${format} is for chess: positions of ${game} can be written as jsonl, csv or parquet`,
    );
}

/** The same of a keyed game or graph, which has no endings. */
async function positionsOfGraph(
  asked: AskedGraph,
  names: readonly string[],
  flags: PositionsFlags,
): Promise<void> {
  const { pieces, zugzwang, on, longest = false, plies, side, result, store } = flags;
  refuse(asked, names, { pieces, zugzwang, on });
  checkFormat(asked.name, flags.format, false);
  if (longest && plies !== undefined) throw new UserError('give either longest or plies');
  const { graph, metric } = await solvedGraph(asked, flags);
  const { rowListing } = await import('./row-positions.js');
  const { players, fields, records } = await rowListing(graph, flags, metric, flags.moves === true);
  const listing = {
    found: records({
      store,
      metric,
      memory: flags.memory,
      result,
      plies,
      side: side === undefined ? null : playerNamed(asked.name, players, side),
      longest,
      limit: flags.limit ?? Number.POSITIVE_INFINITY,
    }),
    head: (format: LineFormat) => recordHead(format as 'jsonl' | 'csv', fields),
    text: (format: LineFormat, record: PositionRecord) =>
      recordLine(format as 'jsonl' | 'csv', fields, record),
    fields,
    record: (record: PositionRecord) => record,
  };
  const count = await writeListing(listing, flags);
  await printResult(count, { game: asked.name, endings: [], metric }, flags);
}

/** Returns how many positions were written. */
async function writeListing<Found>(
  listing: Listing<Found>,
  { out, force, format }: PositionsFlags,
): Promise<number> {
  let count = 0;
  const output = out === '-' ? standardOutput : await createOutput(out, force === true);
  await orAbort(output, async () => {
    if (format === 'parquet') {
      const { writeParquetRecords } = await import('../positions/parquet-records.js');
      await writeParquetRecords(listing.fields, records(), output);
    } else {
      await output.write([Buffer.from(listing.head(format))]);
      for await (const batch of listing.found) {
        count += batch.length;
        await output.write([Buffer.from(batch.map((each) => listing.text(format, each)).join(''))]);
      }
    }
    await output.close();
  });
  return count;

  async function* records(): AsyncGenerator<PositionRecord> {
    for await (const batch of listing.found) {
      count += batch.length;
      for (const each of batch) yield listing.record(each);
    }
  }
}

async function printResult(
  count: number,
  about: object,
  { out, json, format }: PositionsFlags,
): Promise<void> {
  if (out === '-') process.stderr.write(`${positions(count)}\n`);
  else if (json) await printJson({ ...about, format, out, positions: count });
  else await print(`${out}: ${positions(count)}\n`);
}

function positions(count: number): string {
  return counted(count, 'position');
}
