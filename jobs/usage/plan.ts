/** The options of `mergemate plan`. */

import { type Command, Option } from 'commander';
import { UserError } from '../../operators/core/errors.js';
import { Bounds, Defaults } from '../bounds.js';
import { jobFormats } from '../plan/formats.js';
import { parseSize } from '../sizes.js';
import { size, wholeNumber, withMemory, withMetric, withPieces } from './options.js';

export function addPlan(program: Command): void {
  const command = withPieces(
    withMetric(withMemory(program.command('plan <game> [endings...]'), 'buffers of a rank')),
  )
    .summary('what solving would take, before anything is solved')
    .description(
      'Lists the slices that have to be solved, in order, and how they are cut: small ones are solved by one rank each, large\n' +
        'ones by all ranks together. Slices of one wave do not depend on each other.\n' +
        'With --estimate, what that will take; with --format, a job of ranks for a batch engine. Nothing is solved.',
    )
    .option(
      '--partitions <n>',
      'the most partitions of a slice (default: as many as pay, at most one for each rank)',
      wholeNumber('--partitions', 1, 65536),
    )
    .addOption(
      new Option('--whole-below <size>', 'slices with fewer bytes of labels are solved by one rank each')
        .argParser(size('--whole-below'))
        .default(parseSize(Defaults.wholeBelow, 'default'), Defaults.wholeBelow),
    )
    .option(
      '--machines <n>',
      'ranks that solve together (default: 1; with --format, as many as --partitions)',
      wholeNumber('--machines', 1, 65536),
    )
    .option(
      '--workers <n>',
      'threads of a machine',
      wholeNumber('--workers', Bounds.workers.least, Bounds.workers.most),
      1,
    )
    .option('--rounds <n>', 'rounds of every large slice', wholeNumber('--rounds', 1, 65535))
    .option('--no-verify', 'leave the verification out')
    .option('--json', 'print JSON');
  addEstimateFlags(command);
  addFormatFlags(command);
  command.action(async (gameName, names, given) =>
    (await import('../commands/plan.js')).runPlan(gameName, names, given),
  );
}

function addEstimateFlags(command: Command): void {
  command
    .option('--estimate', 'forecast work, traffic, disk and time')
    .option('--decided <share>', 'share of the positions that are won or lost, 0 to 1', readShare)
    .addOption(
      new Option('--bandwidth <size>', 'bytes a second between a machine and the store')
        .argParser(size('--bandwidth'))
        .default(1e8, '100MB'),
    )
    .option(
      '--phase-seconds <n>',
      'seconds that a barrier takes beside the answers of the store',
      wholeNumber('--phase-seconds', 0, 86400),
      0,
    );
}

function addFormatFlags(command: Command): void {
  command
    .addOption(new Option('--format <engine>', 'write a job of ranks to stdout').choices(jobFormats))
    .option(
      '--store <uri>',
      'the store, as all machines reach it; with --estimate, tables that are there take nothing more and state their rounds',
    )
    .option('--image <name>', 'with --format k8s or aws-batch: a container image that has mergemate')
    .option('--queue <name>', 'with --format aws-batch: the job queue')
    .option(
      '--scratch <folder>',
      'with --format: folder for runs of a rank (default: /scratch in containers)',
    );
}

function readShare(text: string): number {
  const share = Number(text);
  if (/^\d*\.?\d+$/.test(text) && share <= 1) return share;
  throw new UserError(`--decided must be between 0 and 1, not ${JSON.stringify(text)}`);
}
