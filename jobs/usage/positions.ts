/** The options of `mergemate positions`. */
import { type Command, Option } from 'commander';
import { lineFormats } from '../positions/lines.js';
import { readPlies } from '../positions/ply-range.js';
import { wholeNumber, withMetric, withPieces, withStore } from './options.js';

export function addPositions(program: Command): void {
  withPieces(withMetric(withStore(program.command('positions <game> [endings...]'))))
    .summary('write the positions that have what is asked for')
    .description(
      'Writes positions of solved games, each once up to symmetry, chosen by result, plies and side to move; results are for the\n' +
        'side to move. Columns have the names that they have in "export". Of endings: ending, fen, side, wdl, plies, of zugzwangs\n' +
        'the kind and what the other would get; of keyed games: id, position, mover, wdl, winner, plies, score, layer; of\n' +
        'graphs: id, owner, wdl, winner, plies (owner and wdl are null where the play is over). With --moves, best has the best moves.\n' +
        'epd (chess): the position with id (ending and number), c0 (result), c1 (kind of zugzwang), dm (moves to mate, of wins\n' +
        'under dtm) and, with --moves, bm. pgn (chess): a game without moves for each position, the result in a comment.\n' +
        'A mutual zugzwang is a position, with neither king in check, in which whoever is to move does worse than if the\n' +
        'other were: of "full point" ones whoever moves loses; of "white gains" ones Black loses if he must move, and draws\n' +
        'if White must. It is written with White to move unless --side says otherwise.',
    )
    .addOption(
      new Option(
        '--format <format>',
        'how to write them (default: as the name of the file ends; jsonl on standard output)',
      ).choices([...lineFormats, 'parquet']),
    )
    .option('--out <file>', 'the file to write; "-" is standard output (not parquet)', '-')
    .option('--force', 'overwrite the file if there is one')
    .option('--limit <n>', 'no more than so many', wholeNumber('--limit', 1, 2 ** 40))
    .addOption(
      new Option('--result <result>', 'of these positions only').choices([
        'win',
        'cursed win',
        'draw',
        'blessed loss',
        'loss',
      ]),
    )
    .option('--plies <n>', 'won or lost in so many plies: N, or N..M', readPlies)
    .option('--side <side>', 'the side to move: white, black, or the name of a player in a game of your own')
    .option(
      '--longest',
      'of each ending and side to move those that take longest; wins unless --result says otherwise',
    )
    .option('--zugzwang', 'mutual zugzwangs')
    .option(
      '--on <men>',
      'with men on squares, files or ranks: "Kg1 pa R8"; in the image of the position that has them there (checkers: "W18 BK3")',
    )
    .option('--moves', 'with the best moves, which are looked up')
    .action(async (gameName, names, flags) =>
      (await import('../commands/positions.js')).runPositions(gameName, names, flags),
    );
}
