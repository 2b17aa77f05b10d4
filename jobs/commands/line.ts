/** `mergemate line`: the line of best play from a position. */
import type { Command } from 'commander';
import type { Game, Side } from '../../pipeline/game.js';
import { type MainLine, mainLine } from '../../pipeline/probe/main-line.js';
import { newProber } from '../../pipeline/probe/prober.js';
import type { Metric } from '../../pipeline/value.js';
import { type MetricOptions, metricOf, withMetric, withStore } from '../options.js';
import { print, printJson } from '../output.js';
import { findGame, openStore } from '../registry.js';
import { numbered } from '../ui/numbered-moves.js';
import { capital, hasMates, verdict } from '../ui/verdict.js';
import { PROBE_CACHE } from './probe.js';

export function addLine(program: Command): void {
  withMetric(withStore(program.command('line <game> <fen>')))
    .summary('show the line of best play')
    .description(
      'Shows the line of best play from a position to the end of the game. Under dtc each section of it is a shortest way to\n' +
        'a conversion (to other pieces), where the next table takes over; "plies" counts to the first conversion, or the end.\n' +
        'Not for wdl.',
    )
    .action(runLine);
}

async function runLine(gameName: string, fen: string, options: MetricOptions): Promise<void> {
  const game = findGame(gameName);
  const board = game.parse(fen);
  const metric = metricOf(game, options.metric);
  const prober = newProber({ game, metric, store: openStore(options.store), cacheBytes: PROBE_CACHE });
  const line = await mainLine(game, prober, board);
  const mover = game.mover(board) === game.colours[0] ? 0 : 1;
  if (!options.json) return print(describe(game, board, line, metric, mover));
  await printJson({
    fen,
    metric,
    plies: line.start.plies,
    line: line.steps.map(({ san }) => san),
    uci: line.steps.map(({ uci }) => uci),
    conversions: line.steps.flatMap(({ conversion }, i) => (conversion ? [i + 1] : [])),
    result: score(line, mover),
  });
}

/** The points of the side that begins the game first. */
function score(line: MainLine<unknown>, mover: Side): '1-0' | '0-1' | '1/2-1/2' {
  if (line.result === 'draw') return '1/2-1/2';
  return (line.result === 'win') === (mover === 0) ? '1-0' : '0-1';
}

function describe(game: Game, board: unknown, line: MainLine<unknown>, metric: Metric, mover: Side): string {
  const head = `${game.diagram(board)}\n${verdict(line.start, metric, game.mover(board), game)}\n`;
  if (line.result === 'draw') return `${head}\nA drawn position has no main line.\n`;
  const conversion = line.steps.findIndex((step) => step.conversion);
  const note =
    metric === 'dtc' && conversion >= 0
      ? `\nConversion with ${line.steps[conversion].san} (ply ${conversion + 1}); the line goes on to ${hasMates(game) ? 'mate' : 'the end'}.\n`
      : '';
  const moves = numbered(
    line.steps.map(({ san }) => san),
    mover,
  );
  // Whose points come first is not the same in all games: others than chess say it in words.
  const colour = game.colours[(line.result === 'win') === (mover === 0) ? 0 : 1];
  const end = hasMates(game) ? score(line, mover) : `${capital(colour)} wins`;
  return `${head}\n${moves}${moves === '' ? '' : ' '}${end}\n${note}`;
}
