/** The options of `mergemate syzygy`. */
import { type Command, Option } from 'commander';
import type { Plies } from '../../pipeline/games/chess/syzygy/cells.js';
import { Bounds } from '../bounds.js';
import { parseMemory } from '../sizes.js';
import { pliesOption, wholeNumber, withMemory, withPieces, withStore } from './options.js';

export function addSyzygy(program: Command): void {
  const syzygy = withMemory(withPieces(withStore(program.command('syzygy [endings...]'))))
    .summary("write Syzygy's files, which chess programs probe")
    .description(
      'Writes the files KQvKR.rtbw (wins, draws, losses under the 50-move rule) and KQvKR.rtbz (plies to a zeroing move) of\n' +
        'endings of chess that are solved under the metric dtz, and of all that they convert to: programs that probe one\n' +
        'ending need the files of its captures and promotions. Files that are there and whole are left alone.',
    )
    .option('--out <uri>', 'where the files go: a folder or s3://bucket/prefix')
    .addOption(pliesOption().default('exact' satisfies Plies))
    .option(
      '--scratch <folder>',
      'where subtables go while they are made (default: in the store if it is a folder)',
    )
    .option(
      '--workers <n>',
      'threads, each of which makes the files of an ending; they share the memory',
      wholeNumber('--workers', Bounds.workers.least, Bounds.workers.most),
      1,
    )
    .option('--force', 'write files again that are there')
    .action(async (names, flags) => (await import('../commands/syzygy.js')).runSyzygy(names, flags));
  addVerify(syzygy);
}

function addVerify(syzygy: Command): void {
  syzygy
    .command('verify <uri> [endings...]')
    .summary('derive what files say again')
    .description(
      "Derives every value of Syzygy's files in a folder or s3://bucket/prefix from what they say of the positions that moves\n" +
        'lead to, and names the first wrong position of a file. Files may be of any origin: values that programs do not look at\n' +
        'may be any, plies may be in pairs. Needs the files of all that an ending converts to. All files there, or\n' +
        'those of some endings (KQvKR).',
    )
    .addOption(
      new Option('--memory <size>', 'memory for buffers, whatever the ending')
        .argParser((text) => parseMemory(text, '--memory'))
        .default(2 ** 28, '256MiB'),
    )
    .option(
      '--scratch <folder>',
      'where outcomes and plies go meanwhile (default: in the folder of the files, else the temporary one)',
    )
    .option('--json', 'print JSON')
    // The options of the command above it have the same names.
    .action(async (uri: string, names: string[], _flags: unknown, command: Command) =>
      (await import('../commands/syzygy-verify.js')).runVerify(uri, names, command.optsWithGlobals()),
    );
}
