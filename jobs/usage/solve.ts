/** The options of `mergemate solve`. */
import { type Command, Option } from 'commander';
import { strategies } from '../../pipeline/phases/context.js';
import { Bounds, Defaults } from '../bounds.js';
import { engineNames } from '../engines/names.js';
import { parseMemory } from '../sizes.js';
import { size, wholeNumber, withMetric, withPieces, withStore } from './options.js';

export function addSolve(program: Command): void {
  const { workers, fanIn, batch, partitions } = Bounds;
  withPieces(withMetric(withStore(program.command('solve <job...>'))))
    .summary('solve endings and all they convert to')
    .description(
      'Solves endings and all they convert to, each slice by a table in the store: "solve chess KQKR KRKN",\n' +
        '"solve chess --pieces 4", "solve ./my-game.ts", or "solve job.json".\n' +
        'Run again after an interruption, it continues with the last finished step. Flags override the job file.',
    )
    .option(
      '--memory <size>',
      `memory for buffers of all workers, at least 1MiB; with an engine, of each task (default: ${Defaults.memory})`,
      (text) => parseMemory(text, '--memory'),
    )
    .addOption(
      new Option('--propagate <strategy>', 'how losses are found (default: count)').choices(strategies),
    )
    .option(
      '--workers <n>',
      'threads: slices that do not need each other are solved at once, large ones by all of them; with an engine, tasks at once' +
        ' (default: 1; slurm: all it has room for)',
      wholeNumber('--workers', workers.least, workers.most),
    )
    .option(
      '--fan-in <n>',
      'runs merged at once (default: 16)',
      wholeNumber('--fan-in', fanIn.least, fanIn.most),
    )
    .option(
      '--batch <rows>',
      'rows of a batch (default: 65536)',
      wholeNumber('--batch', batch.least, batch.most),
    )
    .option(
      '--scratch <folder>',
      'where runs that do not outlive the process go (default: in the store if it is a folder)',
    )
    .option('--no-verify', 'do not verify the tables by forward moves')
    .addOption(
      new Option(
        '--engine <name>',
        'local: in this process; processes, slurm: by steps, each a process that finds all in the store (default: local)',
      ).choices(engineNames),
    )
    .option(
      '--partitions <n>',
      'with an engine: what slices are cut into, a task each in every round (default: by size)',
      wholeNumber('--partitions', partitions.least, partitions.most),
    )
    .option(
      '--whole-below <size>',
      `with an engine: slices with fewer bytes of labels are one task (default: ${Defaults.wholeBelow})`,
      size('--whole-below'),
    )
    .option('--sbatch-arg <arg...>', 'arguments for sbatch, as in --sbatch-arg=--partition=long')
    .option('--logs <folder>', 'with an engine: where the tasks write what they say')
    .action(async (words, flags) => (await import('../commands/solve.js')).runSolve(words, flags));
}
