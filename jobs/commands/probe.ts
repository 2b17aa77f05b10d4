/** `mergemate probe`: the value of positions and of all their moves. */

import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { StorageError, UserError } from '../../operators/core/errors.js';
import type { Game } from '../../pipeline/game.js';
import type { KeyedRules } from '../../pipeline/games/keyed/keyed-game.js';
import type { Probed } from '../../pipeline/probe/prober.js';
import type { Metric } from '../../pipeline/value.js';
import { complain, ExitCode } from '../exit.js';
import { type LookupFlags, openProber } from '../open-prober.js';
import { breathe, print, printJson } from '../output.js';
import { findGame } from '../registry.js';
import { textTable } from '../ui/text-table.js';
import { distance, verdict } from '../ui/verdict.js';
import { findKeyedGame } from '../user-game.js';

interface ProbeFlags extends LookupFlags {
  readonly file?: string;
}

export async function runProbe(
  gameName: string,
  fen: string | undefined,
  options: ProbeFlags,
): Promise<void> {
  const keyed = await findKeyedGame(gameName);
  if (keyed !== null) return probeKeyedGame(keyed, gameName, fen, options);
  const game = await findGame(gameName);
  if ((fen === undefined) === (options.file === undefined)) {
    throw new UserError('give either a position (a FEN, in quotes) or --file');
  }
  const { prober, caches } = await openProber(game, options);
  if (options.file !== undefined) {
    await probeLines(async (fen) => answer(fen, await prober.probe(game.parse(fen))), options.file);
    if (caches !== null) process.stderr.write(`${caches()}\n`);
    return;
  }
  const board = game.parse(fen!);
  const probed = await prober.probe(board);
  if (options.json) await printJson(answer(fen!, probed));
  else await print(describe(game, board, probed, prober.metric));
}

async function probeKeyedGame(
  game: KeyedRules,
  path: string,
  fen: string | undefined,
  options: ProbeFlags,
): Promise<void> {
  const { file, published, syzygy } = options;
  if (published !== undefined || syzygy !== undefined)
    throw new UserError(`--published and --syzygy are not for keyed games, and ${game.name} is one`);
  const { keyedProber, probeKeyed } = await import('./keyed.js');
  const asked = { game, path };
  if (file === undefined) return probeKeyed(asked, fen, options);
  if (fen !== undefined) throw new UserError('give either a position or --file');
  const { probedPositionJson } = await import('../ui/keyed-text.js');
  const prober = await keyedProber(asked, options);
  await probeLines(async (text) => {
    const position = game.parse(text);
    return { fen: text, ...probedPositionJson(game, position, await prober.probe(position)) };
  }, file);
}

function answer(fen: string, { wdl, plies, moves }: Probed<unknown>): object {
  return { fen, wdl, plies, moves: moves.map(({ uci, san, wdl, plies }) => ({ uci, san, wdl, plies })) };
}

/** No position is nearly as long. */
const LONGEST_LINE = 1 << 16;
/** Answers are written together, so that a million positions are not a million writes. */
const PRINT_CHARS = 1 << 16;

async function probeLines(answered: (fen: string) => Promise<object>, path: string): Promise<void> {
  let bad = 0;
  let held = '';
  for await (const line of linesOf(path)) {
    const fen = line.trim();
    if (fen === '') continue;
    try {
      held += `${JSON.stringify(await answered(fen))}\n`;
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

/** The lines of a file or of standard input. A line is held whole, so one without end is refused. */
async function* linesOf(path: string): AsyncGenerator<string> {
  const input: Readable = path === '-' ? process.stdin : createReadStream(path);
  input.setEncoding('utf8');
  let rest = '';
  try {
    for await (const piece of input) {
      const lines = (rest + piece).split('\n');
      rest = lines.pop()!;
      if (rest.length > LONGEST_LINE)
        throw new UserError(`${path}: a line is longer than ${LONGEST_LINE} characters`);
      yield* lines;
    }
    yield rest;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new StorageError(path, `cannot be read: ${(error as Error).message}`);
  }
}

function describe(game: Game, board: unknown, probed: Probed<unknown>, metric: Metric): string {
  // Games with one notation have it in both names.
  const twice = probed.moves.some((move) => move.san !== move.uci);
  const rows = probed.moves.map((move) => [
    move.san,
    ...(twice ? [move.uci] : []),
    move.wdl,
    distance(move.plies, metric, game) || '-',
  ]);
  const header = ['move', ...(twice ? ['uci'] : []), 'value', 'distance'];
  const moves = rows.length === 0 ? 'no legal moves\n' : textTable(header, rows);
  return `${game.diagram(board)}\n${verdict(probed, metric, game.mover(board), game)}\n\n${moves}`;
}
