import { type Command, Option } from 'commander';
import { GRAPH_COLUMNS, KEYED_COLUMNS, TABLE_COLUMNS } from '../export/columns.js';
import { FORMATS } from '../export/formats.js';
import { withMetric, withPieces, withStore } from './options.js';

export function addExport(program: Command): void {
  withPieces(withMetric(withStore(program.command('export <game> [endings...]'))))
    .summary('write the values for other programs')
    .description(
      'Writes a row for each legal position of a solved game, each once up to symmetry.\n\n' +
        'Endings, first the positions in which the side to move is the one that begins the game: slice, side (to move), index (of\n' +
        'the position in the side to move), fen, wdl, plies (null for draws), weight.\n' +
        'Keyed games, in the order of their layers: id (the key), position (as the game writes it), mover, wdl, winner, plies,\n' +
        'score (points by which the mover wins, negative if it loses; under the metric score), move (id of the position after the\n' +
        'move to follow), moveName, layer (moves from the nearest root), weight. Leaving out position and moveName saves most time.\n' +
        'Graphs, in the order of their file: id, owner, wdl (for the owner; both are null where the play is over), winner, plies,\n' +
        'move, weight.\n' +
        'wdl is for the side to move. weight is how many positions the row stands for: count(*) counts positions up to symmetry,\n' +
        'sum(weight) all of them.\n\n' +
        'One file has all rows that are asked for. --out that is a folder or ends in "/", or has no ending while there are several\n' +
        'endings, is a set: a folder with a file for each slice, ending=KQK/KQK.parquet, which data tools read as one table with\n' +
        'the column ending besides. Parquet and Arrow files of a set that are there and complete are kept, so that the same\n' +
        'command goes on after an interruption. Most of the time and space goes to fen: --columns slice,side,index,wdl,plies\n' +
        'leaves it out.',
    )
    .addOption(
      new Option(
        '--format <format>',
        'file format (default: as the name of the file ends; jsonl on standard output)',
      ).choices(FORMATS),
    )
    .requiredOption('--out <path>', 'the file or folder to write; "-" is standard output (jsonl, csv)')
    .option(
      '--columns <names>',
      `columns, with commas between them (default: all; of endings ${TABLE_COLUMNS.join(',')}; of keyed games ${KEYED_COLUMNS.join(',')}; of graphs ${GRAPH_COLUMNS.join(',')})`,
    )
    .option('--force', 'overwrite files that are there')
    .action(async (gameName, names, asked) =>
      (await import('../commands/export.js')).runExport(gameName, names, asked),
    );
}
