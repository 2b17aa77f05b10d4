/** Options of the commands that solve, `solve` and `rank`, and the job that they ask for. */
import { type Command, Option } from 'commander';
import { UserError } from '../operators/core/errors.js';
import { type Strategy, strategies } from '../pipeline/phases/context.js';
import { Bounds } from './bounds.js';
import { type Job, makeJob, readJobFile, type Settings } from './job.js';
import { withMetric, withPieces } from './options.js';
import { games } from './registry.js';
import { type CommonOptions, withStore } from './store-option.js';
import { isGameModule } from './user-game.js';
import { wholeNumber } from './whole-number.js';

export interface JobFlags extends CommonOptions {
  readonly metric?: string;
  readonly pieces?: number;
  readonly memory?: string;
  readonly propagate?: Strategy;
  readonly fanIn?: number;
  readonly batch?: number;
  readonly scratch?: string;
  readonly verify: boolean;
  readonly partitions?: number;
  readonly wholeBelow?: string;
  readonly keepRuns?: boolean;
}

export function withJob(command: Command): Command {
  const { fanIn, batch, partitions } = Bounds;
  return withPieces(withMetric(withStore(command)))
    .option(
      '--memory <size>',
      'memory for buffers of all workers, at least 1MiB; of ranks, of each (default: 256MiB)',
    )
    .addOption(
      new Option('--propagate <strategy>', 'how losses are found (default: count)').choices(strategies),
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
    .option(
      '--partitions <n>',
      'of ranks: the most partitions that a slice is cut into (default: one for each rank)',
      wholeNumber('--partitions', partitions.least, partitions.most),
    )
    .option(
      '--whole-below <size>',
      'of ranks: a slice with fewer bytes of labels is solved by one of them (default: 64MiB)',
    )
    .option('--keep-runs', 'leave the runs of all rounds in the store, to be looked at');
}

/** Settings that are flags of one of the commands only. */
export type MoreSettings = Pick<Settings, 'workers' | 'engine'>;

/** The job of `game endings…`, `module endings…` or `job.json`; flags win over a file. Throws UserError. */
export async function readJob(
  words: readonly string[],
  flags: JobFlags,
  more: MoreSettings = {},
): Promise<Job> {
  const { metric, pieces, memory, propagate, fanIn, batch, partitions, wholeBelow } = flags;
  const given = {
    ...{ metric, pieces, memory, propagate, fanIn, batch, partitions, wholeBelow, ...more },
    verify: flags.verify ? undefined : false,
  };
  const settings = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as Settings;
  const [first, ...endings] = words as [string, ...string[]];
  if (games.has(first) || isGameModule(first)) return makeJob(first, endings, settings);
  if (endings.length === 0 && /[./\\]/.test(first)) return readJobFile(first, settings);
  if (endings.length > 0) return makeJob(first, endings, settings);
  const known = [...games.keys()].join(', ');
  throw new UserError(
    `${JSON.stringify(first)} is neither a job file (name.json) nor a game (games: ${known}, or the path of a module with one)`,
  );
}
