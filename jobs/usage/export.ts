import { type Command, Option } from 'commander';
import { FORMATS, SET_COLUMNS } from '../export/format.js';
import { withMetric, withPieces, withStore } from './options.js';

export function addExport(program: Command): void {
  withPieces(withMetric(withStore(program.command('export <game> [endings...]'))))
    .summary('write the values for other programs')
    .description(
      'Writes a row for each legal position of solved endings, up to the symmetries of the board: first those in which the\n' +
        'side to move is the one that begins the game. slice, side ("white" or "black" to move), index (of the position in the\n' +
        'side to move), fen, wdl, plies (null for draws).\n\n' +
        'An ending of one slice goes to a file. Several endings or slices, --pieces, or --out that is a folder or ends in "/"\n' +
        'make a set: a folder with a file for each slice, ending=KQK/KQK.parquet, which data tools read as one table with the\n' +
        'column ending besides. Files of a set that are there and complete are kept, so that the same command goes on after an\n' +
        'interruption. Most of the time and space goes to fen: --columns slice,side,index,wdl,plies leaves it out.',
    )
    .addOption(
      new Option(
        '--format <format>',
        'file format; sets are parquet or arrow (default: as the name of the file ends)',
      ).choices(FORMATS),
    )
    .requiredOption('--out <path>', 'the file or folder to write; "-" is standard output (jsonl only)')
    .option('--columns <names>', `columns (default: all, ${SET_COLUMNS.join(',')})`)
    .option('--force', 'overwrite files that are there')
    .action(async (gameName, names, asked) =>
      (await import('../commands/export.js')).runExport(gameName, names, asked),
    );
}
