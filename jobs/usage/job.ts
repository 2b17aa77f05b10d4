/** Options of the commands that solve. */
import { type Command, Option } from 'commander';
import { strategies } from '../../pipeline/game/strategy.js';
import { Bounds, Defaults } from '../bounds.js';
import { engineNames } from '../engines/engine-names.js';
import { parseMemory } from '../sizes.js';
import { size, wholeNumber, withMetric, withPieces, withStore } from './options.js';

/** The options that say which slices are solved, and how. */
export function withJob(command: Command): Command {
  const { fanIn, batch, partitions } = Bounds;
  return withPieces(withMetric(withStore(command)))
    .option(
      '--memory <size>',
      `memory for buffers of all workers, at least 1MiB; of ranks, of each (default: ${Defaults.memory})`,
      (text) => parseMemory(text, '--memory'),
    )
    .addOption(
      new Option('--propagate <strategy>', 'how losses are found (default: count)').choices(strategies),
    )
    .option(
      '--fan-in <n>',
      `runs merged at once (default: ${Defaults.fanIn})`,
      wholeNumber('--fan-in', fanIn.least, fanIn.most),
    )
    .option(
      '--batch <rows>',
      `rows of a batch (default: ${Defaults.batch})`,
      wholeNumber('--batch', batch.least, batch.most),
    )
    .option(
      '--scratch <folder>',
      'where runs that do not outlive the process go (default: in the store if it is a folder)',
    )
    .option('--no-verify', 'do not verify the tables by forward moves')
    .option(
      '--partitions <n>',
      'of ranks: the most partitions that a slice is cut into (default: as many as pay, at most one for each rank)',
      wholeNumber('--partitions', partitions.least, partitions.most),
    )
    .option(
      '--whole-below <size>',
      `of ranks: a slice with fewer bytes of labels is solved by one of them (default: ${Defaults.wholeBelow})`,
      size('--whole-below'),
    )
    .option('--keep-runs', 'leave the runs of all rounds in the store, to be looked at');
}

/** The option to solve what is solved. */
export function againOption(): Option {
  return new Option(
    '--again',
    'delete what is solved of it first: needed when a file, or the rules of a game, were changed since',
  );
}

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

/** The options that say which rank a process is, and how it is watched. */
export function withRank(command: Command): Command {
  const { ranks } = Bounds;
  return command
    .option('--rank <n>', 'the number of this rank, from 0 on', wholeNumber('--rank', 0, ranks.most - 1))
    .option('--ranks <n>', 'how many ranks there are', wholeNumber('--ranks', 1, ranks.most))
    .option('--job <name>', 'what the ranks that solve together have in common; letters, digits and dashes')
    .option('--log <folder>', 'append what happens to HOST.jsonl there, one JSON object a line')
    .option('--driven', 'print nothing: another process collects what the ranks report');
}
