/** The options of `mergemate publish`. */

import { type Command, Option } from 'commander';
import { codecs } from '../../pipeline/tables/codec/codec.js';
import { Defaults } from '../bounds.js';
import { withMetric, withPieces, withStore } from './options.js';

export function addPublish(program: Command): void {
  withPieces(withMetric(withStore(program.command('publish <game> [endings...]'))))
    .summary('compress tables into small ones that programs can probe')
    .description(
      'Writes what solved endings, and all they convert to, say of wins, draws and losses, into files that are small and\n' +
        'fast to probe: one for each slice and side to move, of blocks of at most 1,024 bytes, each with a checksum. What a\n' +
        'short search can find is left out. The files are then verified by the moves of every position that they hold. A keyed\n' +
        'game becomes one file of all values, a few bits a position; a graph in JSON two, of its nodes and of their names.',
    )
    .option('--to <uri>', 'where the files go: a folder or s3://bucket/prefix', Defaults.published)
    .addOption(
      new Option(
        '--codec <name>',
        'packed: five positions a byte and runs, as in 1994; huffman: run lengths, as in 2003; rows, the default: runs by what is near in the index',
      ).choices(codecs),
    )
    .option(
      '--page',
      'of a keyed game or a graph: write a page beside the files, with board and moves, for any web server',
    )
    .option(
      '--one-side',
      'of each slice only the side to move whose file is smaller: half of the bytes, some eight lookups for positions of the other side',
    )
    .addOption(
      new Option(
        '--verify-by <what>',
        'moves, the default: stored values are the best that the moves of their positions give; tables: they are those of the tables, which takes a tenth of the time',
      ).choices(['moves', 'tables']),
    )
    .option('--no-verify', 'do not verify the files')
    .action(async (gameName, names, flags) =>
      (await import('../commands/publish.js')).runPublish(gameName, names, flags),
    );
}
