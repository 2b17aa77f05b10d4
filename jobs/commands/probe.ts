/** `mergemate probe`: the value of positions and of all their moves. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import { StorageError, UserError } from '../../operators/core/errors.js';
import type { Game } from '../../pipeline/game.js';
import { newProber, type Probed, type Prober } from '../../pipeline/probe/prober.js';
import type { Metric } from '../../pipeline/value.js';
import { complain, ExitCode } from '../exit.js';
import { type MetricOptions, withMetric, withStore } from '../options.js';
import { breathe, print, printJson } from '../output.js';
import { findGame, openStore } from '../registry.js';
import { drawBoard } from '../ui/board.js';
import { textTable } from '../ui/text-table.js';
import { distance, moverOf, verdict } from '../ui/verdict.js';

/** Bytes of table blocks that a prober keeps. */
export const PROBE_CACHE = 64 << 20;

interface ProbeFlags extends MetricOptions {
  readonly file?: string;
}

export function addProbe(program: Command): void {
  withMetric(withStore(program.command('probe <game> [fen]')))
    .summary('look a position up, with all its moves')
    .description(
      'Looks a position up, with all its moves, best first; values are for the side to move, plies count from the position.\n' +
        'With --file, prints a JSON line for each position of a file, in order; a line that is no position is answered\n' +
        'with its error, and the exit code is 2 at the end.',
    )
    .option('--file <path>', 'a file with one FEN a line; "-" is standard input')
    .action(runProbe);
}

async function runProbe(gameName: string, fen: string | undefined, options: ProbeFlags): Promise<void> {
  const game = findGame(gameName);
  if ((fen === undefined) === (options.file === undefined)) {
    throw new UserError('give either a position (a FEN, in quotes) or --file');
  }
  const { metric } = options;
  const prober = newProber({ game, metric, store: openStore(options.store), cacheBytes: PROBE_CACHE });
  if (options.file !== undefined) return probeLines(game, prober, options.file);
  const board = game.parse(fen!);
  const probed = await prober.probe(board);
  if (options.json) await printJson(answer(fen!, probed));
  else await print(describe(game.format(board), probed, metric));
}

function answer(fen: string, { wdl, plies, moves }: Probed<unknown>): object {
  return { fen, wdl, plies, moves: moves.map(({ uci, san, wdl, plies }) => ({ uci, san, wdl, plies })) };
}

/** Answers are written together, so that a million positions are not a million writes. */
const PRINT_CHARS = 1 << 16;

async function probeLines(game: Game, prober: Prober<unknown>, path: string): Promise<void> {
  let bad = 0;
  let held = '';
  for await (const line of linesOf(path)) {
    const fen = line.trim();
    if (fen === '') continue;
    try {
      held += `${JSON.stringify(answer(fen, await prober.probe(game.parse(fen))))}\n`;
    } catch (error) {
      if (!(error instanceof UserError || error instanceof StorageError)) throw error;
      bad++;
      held += `${JSON.stringify({ fen, error: error.message })}\n`;
    }
    if (held.length < PRINT_CHARS && path !== '-') continue;
    await print(held);
    held = '';
    await breathe();
  }
  await print(held);
  if (bad === 0) return;
  complain(
    `${path === '-' ? 'standard input' : path}: ${bad} ${bad === 1 ? 'line' : 'lines'} could not be answered`,
  );
  process.exitCode = ExitCode.failed;
}

async function* linesOf(path: string): AsyncGenerator<string> {
  const input = path === '-' ? process.stdin : createReadStream(path);
  let failure: Error | undefined;
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  input.on('error', (error: Error) => {
    failure = error;
    lines.close();
  });
  yield* lines;
  if (failure !== undefined) throw new StorageError(path, `cannot be read: ${failure.message}`);
}

function describe(fen: string, probed: Probed<unknown>, metric: Metric): string {
  const rows = probed.moves.map((move) => [
    move.san,
    move.uci,
    move.wdl,
    distance(move.plies, metric) || '-',
  ]);
  const moves =
    rows.length === 0 ? 'no legal moves\n' : textTable(['move', 'uci', 'value', 'distance'], rows);
  return `${drawBoard(fen)}\n${verdict(probed, metric, moverOf(fen))}\n\n${moves}`;
}
