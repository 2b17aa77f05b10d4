import type { Command } from 'commander';
import { withCache, withLookup, withMetric, withStore } from './options.js';

export function addProbe(program: Command): void {
  withLookup(withCache(withMetric(withStore(program.command('probe <game> [fen]')))))
    .summary('look a position up, with all its moves')
    .description(
      'Looks a position up, with all its moves, best first; values are for the side to move, plies count from the position.\n' +
        'A position of chess is a FEN or EPD (hmvc is its half-move clock), one of checkers a FEN of PDN, ranges included\n' +
        '("W:W21-24:BK3"). Of a graph in JSON, the position is a node: "probe town.jsonl a". Of a keyed game, without a position or\n' +
        '--file, it has the roots.\n' +
        'Without --metric, a position of an ending has the values under all metrics that are solved, side by side.\n' +
        'With --file, prints a JSON line for each position of a file, in order, as --json does for one; a line that is no position is\n' +
        'answered with its error, and the exit code is 2 at the end.\n' +
        '--json: wdl and plies for the side to move, and moves, each with move (its name), wdl and plies (those of chess and checkers also have\n' +
        'uci and san). Without --metric, metrics has the same under each metric, and the rest is that of the first.',
    )
    .option('--file <path>', 'a file with one position a line, FEN or EPD; "-" is standard input')
    .action(async (gameName, fen, options) =>
      (await import('../commands/probe.js')).runProbe(gameName, fen, options),
    );
}
