/** The options of `mergemate line`. */
import type { Command } from 'commander';
import { withMetric, withStore } from './options.js';

export function addLine(program: Command): void {
  withMetric(withStore(program.command('line <game> [fen]')))
    .summary('show the line of best play')
    .description(
      'Shows the line of best play from a position to the end of the game. Under dtc each section of it is a shortest way to\n' +
        'a conversion (to other pieces), under dtz to a capture or a move of a pawn, where the next table takes over; "plies"\n' +
        'counts to the end of the first section. Cursed wins are played on to mate. Not for wdl.\n' +
        'Positions are written as for probe: FEN or EPD. Of a keyed game, without a position, from its first root.',
    )
    .option(
      '--published <uri>',
      'keyed games and graphs: the files that "publish" made, in place of the store',
    )
    .action(async (gameName, fen, options) =>
      (await import('../commands/line.js')).runLine(gameName, fen, options),
    );
}
