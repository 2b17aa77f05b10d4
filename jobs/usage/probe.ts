import type { Command } from 'commander';
import { withCache, withLookup, withMetric, withStore } from './options.js';

export function addProbe(program: Command): void {
  withLookup(withCache(withMetric(withStore(program.command('probe <game> [fen]')))))
    .summary('look a position up, with all its moves')
    .description(
      'Looks a position up, with all its moves, best first; values are for the side to move, plies count from the position.\n' +
        'Without --metric, a single position has the values of all metrics that are solved, side by side.\n' +
        'With --file, prints a JSON line for each position of a file, in order, under one metric (that of --metric, or the first);\n' +
        'a line that is no position is answered with its error, and the exit code is 2 at the end. Of a keyed game, without a\n' +
        'position or --file, it has the roots. --json: wdl and plies for the side to move, and moves, each with move (its name), wdl\n' +
        'and plies (those of chess also have uci and san).\n' +
        'Of a graph in JSON, the position is a node: "probe town.jsonl a".',
    )
    .option('--file <path>', 'a file with one FEN a line; "-" is standard input')
    .action(async (gameName, fen, options) =>
      (await import('../commands/probe.js')).runProbe(gameName, fen, options),
    );
}
