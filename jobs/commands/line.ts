/** `mergemate line`: the line of best play from a position. */
import type { Command } from 'commander';
import { type MainLine, mainLine } from '../../pipeline/probe/main-line.js';
import { newProber } from '../../pipeline/probe/prober.js';
import type { Metric } from '../../pipeline/value.js';
import { type MetricOptions, withMetric, withStore } from '../options.js';
import { print, printJson } from '../output.js';
import { findGame, openStore } from '../registry.js';
import { drawBoard } from '../ui/board.js';
import { moverOf, verdict } from '../ui/verdict.js';
import { PROBE_CACHE } from './probe.js';

export function addLine(program: Command): void {
  withMetric(withStore(program.command('line <game> <fen>')))
    .summary('show the line of best play')
    .description(
      'Shows the line of best play from a position to mate. Under dtc each section of it is a shortest way to a conversion\n' +
        '(a capture), where the next table takes over; "plies" counts to the first conversion, or mate. Not for wdl.',
    )
    .action(runLine);
}

async function runLine(gameName: string, fen: string, options: MetricOptions): Promise<void> {
  const game = findGame(gameName);
  const board = game.parse(fen);
  const { metric } = options;
  const prober = newProber({ game, metric, store: openStore(options.store), cacheBytes: PROBE_CACHE });
  const line = await mainLine(game, prober, board);
  const mover = moverOf(game.format(board));
  if (!options.json) return print(describe(game.format(board), line, metric, mover));
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

function score(line: MainLine<unknown>, mover: 'White' | 'Black'): '1-0' | '0-1' | '1/2-1/2' {
  if (line.result === 'draw') return '1/2-1/2';
  return (line.result === 'win') === (mover === 'White') ? '1-0' : '0-1';
}

/** "12... Kd4 13. Qe1+", numbered from 1. */
function numbered(sans: readonly string[], mover: 'White' | 'Black'): string {
  const offset = mover === 'White' ? 0 : 1;
  return sans
    .map((san, i) => {
      const move = Math.floor((i + offset) / 2) + 1;
      if ((i + offset) % 2 === 0) return `${move}. ${san}`;
      return i === 0 ? `${move}... ${san}` : san;
    })
    .join(' ');
}

function describe(fen: string, line: MainLine<unknown>, metric: Metric, mover: 'White' | 'Black'): string {
  const head = `${drawBoard(fen)}\n${verdict(line.start, metric, mover)}\n`;
  if (line.result === 'draw') return `${head}\nA drawn position has no main line.\n`;
  const conversion = line.steps.findIndex((step) => step.conversion);
  const note =
    metric === 'dtc' && conversion >= 0
      ? `\nConversion with ${line.steps[conversion].san} (ply ${conversion + 1}); the line goes on to mate.\n`
      : '';
  const moves = numbered(
    line.steps.map(({ san }) => san),
    mover,
  );
  return `${head}\n${moves}${moves === '' ? '' : ' '}${score(line, mover)}\n${note}`;
}
