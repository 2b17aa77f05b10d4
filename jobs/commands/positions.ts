/** `mergemate positions`: lists the positions of endings that meet the conditions asked for. */

import { UserError } from '../../operators/core/errors.js';
import { orAbort } from '../../operators/core/or-abort.js';
import type { Sink } from '../../operators/storage/store.js';
import { selectPositions } from '../../pipeline/analysis/selection.js';
import { newProber } from '../../pipeline/probe/prober.js';
import { needTable } from '../../pipeline/table/table.js';
import { Defaults } from '../bounds.js';
import { createOutput } from '../export/output-file.js';
import { PROBE_CACHE } from '../open-prober.js';
import { askEndings, type MetricOptions, metricOf, slicesOf } from '../options.js';
import { print, printJson } from '../output.js';
import { CHESS_FORMATS, headOf, type LineFormat, textOf } from '../positions/lines.js';
import { type PositionsQuery, selectionOf } from '../positions/query.js';
import { findGame } from '../registry.js';
import { parseMemory } from '../sizes.js';
import { storeToRead } from '../stores.js';
import { askedWords, needTables } from '../tables.js';
import { count as counted } from '../ui/numbers.js';
import { newScanLines } from '../ui/scan-lines.js';
import { hasMates } from '../ui/verdict.js';
import { type AskedGraph, findGraph, refuse, solvedGraph } from './asked-graph.js';
import type { RowSubject, ScanOfRows } from './row-positions.js';

interface PositionsFlags extends MetricOptions, PositionsQuery {
  readonly pieces?: number;
  readonly format: LineFormat;
  readonly out: string;
  readonly force?: boolean;
  readonly limit?: number;
  readonly moves?: boolean;
}

export async function runPositions(gameName: string, names: string[], flags: PositionsFlags): Promise<void> {
  const graph = await findGraph(gameName);
  if (graph !== null) return positionsOfGraph(graph, names, flags);
  const game = await findGame(gameName);
  const metric = metricOf(game, flags.metric);
  const selection = selectionOf(game, metric, flags);
  checkFormat(game.name, flags.format, hasMates(game));
  const endings = askEndings(game, names, flags.pieces);
  const store = storeToRead(flags.store);
  await needTables(store, game, metric, slicesOf(endings), askedWords(names, flags.pieces));
  const open = (slice: string) => needTable(store, game, metric, slice);
  const prober = flags.moves ? newProber({ game, metric, store, cacheBytes: PROBE_CACHE }) : null;
  const progress = newScanLines();
  const limit = flags.limit ?? Number.POSITIVE_INFINITY;
  let count = 0;

  async function* texts(): AsyncGenerator<string> {
    yield headOf(flags.format);
    for (const [i, ending] of endings.entries()) {
      progress.begin(ending.name, i + 1, endings.length);
      let number = 0;
      const options = { game, metric, ending, selection, open, report: progress.report };
      for await (const batch of selectPositions(options)) {
        let text = '';
        for (const selected of batch.slice(0, limit - count)) {
          const fen = game.format(selected.board);
          const moves = prober === null ? null : (await prober.probe(selected.board)).moves;
          const shown = { ...selected, ending: ending.name, number: ++number, fen, metric, moves };
          text += textOf(flags.format, shown);
          count++;
        }
        yield text;
        if (count === limit) return;
      }
    }
  }

  await writeTo(texts(), flags);
  await printResult(count, { game: game.name, endings: endings.map(({ name }) => name), metric }, flags);
}

function checkFormat(game: string, format: LineFormat, isChess: boolean): void {
  if (!isChess && CHESS_FORMATS.includes(format))
    throw new UserError(
      `--format ${format} is for chess: positions of ${game} can be written as jsonl or csv`,
    );
}

/** The same of a keyed game or graph, which has no endings. */
async function positionsOfGraph(
  asked: AskedGraph,
  names: readonly string[],
  flags: PositionsFlags,
): Promise<void> {
  const { pieces, zugzwang, on, format, longest = false, plies, side, result, moves, store, limit } = flags;
  refuse(asked, names, { pieces, zugzwang, on });
  checkFormat(asked.name, format, false);
  if (longest && plies !== undefined) throw new UserError('give either --longest or --plies');
  const { graph, metric } = await solvedGraph(asked, flags);
  const { subjectOf } = await import('./row-positions.js');
  const subject = await subjectOf(graph, flags, moves === true);
  const sides = ([0, 1] as const).filter((each) => side === undefined || subject.players[each] === side);
  await writeRows(subject, { ...{ store, result, plies, longest, limit }, metric, sides }, flags);
}

type AskedRows = Omit<ScanOfRows, 'format' | 'memory' | 'limit'> & {
  readonly limit: number | undefined;
};

async function writeRows(subject: RowSubject, asked: AskedRows, flags: PositionsFlags): Promise<void> {
  const { rowPositionLines } = await import('./row-positions.js');
  const { limit = Number.POSITIVE_INFINITY, ...selection } = asked;
  const memory = parseMemory(Defaults.memory, 'default');
  const lines = rowPositionLines(subject, { ...selection, limit, memory, format: flags.format });
  let count = 0;
  async function* texts(): AsyncGenerator<string> {
    for await (const { text, positions } of lines) {
      count += positions;
      yield text;
    }
  }
  await writeTo(texts(), flags);
  await printResult(count, { game: subject.name, endings: [], metric: selection.metric }, flags);
}

async function writeTo(texts: AsyncIterable<string>, { out, force }: PositionsFlags): Promise<void> {
  if (out === '-') for await (const text of texts) await print(text);
  else await writeAll(texts, await createOutput(out, force === true));
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

async function writeAll(texts: AsyncIterable<string>, output: Sink): Promise<void> {
  await orAbort(output, async () => {
    for await (const text of texts) await output.write([Buffer.from(text)]);
    await output.close();
  });
}

function positions(count: number): string {
  return counted(count, 'position');
}
