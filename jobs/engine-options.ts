/** Options of the commands that have ranks started. */
import { type Command, Option } from 'commander';
import { Bounds } from './bounds.js';
import { engineNames } from './engines/names.js';
import { wholeNumber } from './whole-number.js';

/** The options that say which processes solve. */
export function withEngine(command: Command): Command {
  const { workers } = Bounds;
  return command
    .option(
      '--workers <n>',
      'threads: slices that do not need each other are solved at once, large ones by all of them; with an engine, ranks' +
        ' (default: 1; slurm: as many as --partitions)',
      wholeNumber('--workers', workers.least, workers.most),
    )
    .addOption(
      new Option(
        '--engine <name>',
        'local: in this process; processes, slurm: by ranks, processes that share nothing but the store (default: local)',
      ).choices(engineNames),
    )
    .option('--sbatch-arg <arg...>', 'arguments for sbatch, as in --sbatch-arg=--partition=long')
    .option('--logs <folder>', 'with an engine: where the ranks write what they say');
}
