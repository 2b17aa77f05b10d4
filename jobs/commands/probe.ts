/** `mergemate probe`: the value of positions and of all their moves. */

import { UserError } from '../../operators/core/errors.js';
import type { Game } from '../../pipeline/game.js';
import type { KeyedRules } from '../../pipeline/games/keyed/keyed-game.js';
import type { Probed } from '../../pipeline/probe/prober.js';
import type { Metric } from '../../pipeline/value.js';
import { complain, ExitCode } from '../exit.js';
import { answer, answersTo, LONGEST_LINE } from '../fen-lists.js';
import { type LookupFlags, openProber } from '../open-prober.js';
import { breathe, print, printJson } from '../output.js';
import { findGame } from '../registry.js';
import { linesOf, textOf } from '../text-lines.js';
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
  const { file, syzygy } = options;
  if (syzygy !== undefined) throw new UserError(`--syzygy is not for keyed games, and ${game.name} is one`);
  const { keyedProber, probeKeyed } = await import('./keyed-probe.js');
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

/** Answers are written together, so that a million positions are not a million writes. */
const PRINT_CHARS = 1 << 16;

async function probeLines(answered: (fen: string) => Promise<object>, path: string): Promise<void> {
  let wrong = 0;
  let held = '';
  for await (const { text, bad } of answersTo(answered, linesOf(textOf(path), path, LONGEST_LINE))) {
    if (bad) wrong++;
    held += text;
    if (held.length < PRINT_CHARS && path !== '-') continue;
    await print(held);
    held = '';
    await breathe();
  }
  await print(held);
  if (wrong === 0) return;
  complain(
    `${path === '-' ? 'standard input' : path}: ${wrong} ${wrong === 1 ? 'line' : 'lines'} could not be answered`,
  );
  process.exitCode = ExitCode.failed;
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
