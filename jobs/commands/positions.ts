/** `mergemate positions`: lists the positions of endings that meet the conditions asked for. */

import { UserError } from '../../operators/core/errors.js';
import type { Sink } from '../../operators/storage/store.js';
import { checkSelection, type Selection, selectPositions } from '../../pipeline/analysis/selection.js';
import type { Colour, Game } from '../../pipeline/game.js';
import { newProber } from '../../pipeline/probe/prober.js';
import { needTable } from '../../pipeline/table/table.js';
import type { Wdl } from '../../pipeline/value.js';
import { createOutput } from '../export/output-file.js';
import { epdLine, jsonLine } from '../export/position-lines.js';
import { PROBE_CACHE } from '../open-prober.js';
import { askEndings, type MetricOptions, metricOf, slicesOf } from '../options.js';
import { print, printJson } from '../output.js';
import { findGame } from '../registry.js';
import { storeToRead } from '../stores.js';
import { askedWords, needTables } from '../tables.js';
import { whole } from '../ui/numbers.js';
import { newScanLines } from '../ui/scan-lines.js';
import { hasMates } from '../ui/verdict.js';

interface PositionsFlags extends MetricOptions {
  readonly pieces?: number;
  readonly format: 'epd' | 'jsonl';
  readonly out: string;
  readonly force?: boolean;
  readonly limit?: number;
  readonly result?: Wdl;
  readonly plies?: { readonly least: number; readonly most: number };
  readonly side?: Colour;
  readonly longest?: boolean;
  readonly zugzwang?: boolean;
  readonly moves?: boolean;
}

/** Throws UserError for conditions that do not go together. */
function selectionOf(game: Game, flags: PositionsFlags): Selection {
  const { plies, side, longest = false, zugzwang = false } = flags;
  if (longest && plies !== undefined) throw new UserError('give either --longest or --plies');
  if (longest && zugzwang) throw new UserError('give either --longest or --zugzwang');
  const [beginner] = game.colours;
  const sides = side !== undefined ? [side] : zugzwang ? [beginner] : game.colours;
  return { result: flags.result ?? (longest ? 'win' : null), plies: plies ?? null, sides, longest, zugzwang };
}

export async function runPositions(gameName: string, names: string[], flags: PositionsFlags): Promise<void> {
  const game = await findGame(gameName);
  const metric = metricOf(game, flags.metric);
  const selection = selectionOf(game, flags);
  checkSelection(game, metric, selection);
  if (flags.format === 'epd' && !hasMates(game))
    throw new UserError(`--format epd is for chess: positions of ${game.name} can be written as jsonl`);
  const endings = askEndings(game, names, flags.pieces);
  const store = storeToRead(flags.store);
  await needTables(store, game, metric, slicesOf(endings), askedWords(names, flags.pieces));
  const open = (slice: string) => needTable(store, game, metric, slice);
  const prober = flags.moves ? newProber({ game, metric, store, cacheBytes: PROBE_CACHE }) : null;
  const progress = newScanLines();
  const write = flags.format === 'epd' ? epdLine : jsonLine;
  const limit = flags.limit ?? Number.POSITIVE_INFINITY;
  let count = 0;

  async function* texts(): AsyncGenerator<string> {
    for (const [i, ending] of endings.entries()) {
      progress.begin(ending.name, i + 1, endings.length);
      let number = 0;
      const options = { game, metric, ending, selection, open, report: progress.report };
      for await (const batch of selectPositions(options)) {
        let text = '';
        for (const selected of batch.slice(0, limit - count)) {
          const fen = game.format(selected.board);
          const moves = prober === null ? null : (await prober.probe(selected.board)).moves;
          text += write({ ...selected, ending: ending.name, number: ++number, fen, metric, moves });
          count++;
        }
        yield text;
        if (count === limit) return;
      }
    }
  }

  if (flags.out === '-') for await (const text of texts()) await print(text);
  else {
    const output = await createOutput(flags.out, flags.force === true);
    await writeAll(texts(), output);
  }
  const { format, out } = flags;
  if (out === '-') process.stderr.write(`${positions(count)}\n`);
  else if (flags.json)
    await printJson({
      game: game.name,
      endings: endings.map(({ name }) => name),
      metric,
      format,
      out,
      positions: count,
    });
  else await print(`${out}: ${positions(count)}\n`);
}

async function writeAll(texts: AsyncIterable<string>, output: Sink): Promise<void> {
  try {
    for await (const text of texts) await output.write([Buffer.from(text)]);
    await output.close();
  } catch (error) {
    await output.abort();
    throw error;
  }
}

function positions(count: number): string {
  return `${whole(count)} ${count === 1 ? 'position' : 'positions'}`;
}
