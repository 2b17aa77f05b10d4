/** The options of `mergemate syzygy`. */
import { type Command, Option } from 'commander';
import type { Plies } from '../../pipeline/games/chess/syzygy/cells.js';
import { withPieces, withStore } from './options.js';

export function addSyzygy(program: Command): void {
  withPieces(withStore(program.command('syzygy [endings...]')))
    .summary("write Syzygy's files, which chess programs probe")
    .description(
      'Writes the files KQvKR.rtbw (wins, draws, losses under the 50-move rule) and KQvKR.rtbz (plies to a zeroing move) of\n' +
        'endings of chess that are solved under the metric dtz, and of all that they convert to: programs that probe one\n' +
        'ending need the files of its captures and promotions. Files that are there and whole are left alone.',
    )
    .requiredOption('--out <uri>', 'where the files go: a folder or s3://bucket/prefix')
    .addOption(
      new Option(
        '--plies <how>',
        'exact: every ply to the 100 of the rule; halved: as in the published files, where an even number may stand for the odd one below it',
      )
        .choices(['exact', 'halved'] satisfies Plies[])
        .default('exact'),
    )
    .option('--force', 'write files anew that are there')
    .action(async (names, flags) => (await import('../commands/syzygy.js')).runSyzygy(names, flags));
}
