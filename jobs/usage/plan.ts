/** The options of `mergemate plan`. */

import { type Command, Option } from 'commander';
import { UserError } from '../../operators/core/errors.js';
import { Bounds, Defaults } from '../bounds.js';
import { workflowFormats } from '../plan/formats.js';
import { parseSize } from '../sizes.js';
import { size, wholeNumber, withMemory, withMetric, withPieces } from './options.js';

export function addPlan(program: Command): void {
  const command = withPieces(
    withMetric(withMemory(program.command('plan <game> [endings...]'), 'buffers of a task')),
  )
    .summary('what solving would take, before anything is solved')
    .description(
      'Lists the slices that have to be solved, in order, and how they are cut into tasks: small ones are one step, large\n' +
        'ones a sequence of phases of as many tasks as there are partitions. Slices of one wave do not depend on each other.\n' +
        'With --estimate, what that will take; with --format, the steps as a workflow for a batch engine. Nothing is solved.',
    )
    .option(
      '--partitions <n>',
      'tasks of a phase of a large slice (default: as many as let their labels fit the memory)',
      wholeNumber('--partitions', 1, 65536),
    )
    .addOption(
      new Option('--whole-below <size>', 'slices with fewer bytes of labels are one task')
        .argParser(size('--whole-below'))
        .default(parseSize(Defaults.wholeBelow, 'default'), Defaults.wholeBelow),
    )
    .option('--machines <n>', 'tasks that run at once', wholeNumber('--machines', 1, 65536), 1)
    .option(
      '--workers <n>',
      'threads of a task',
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
    .option('--estimate', 'forecast work, traffic, time and cost')
    .option('--decided <share>', 'share of the positions that are won or lost, 0 to 1', readShare)
    .addOption(
      new Option('--bandwidth <size>', 'bytes a second between a machine and the store')
        .argParser(size('--bandwidth'))
        .default(1e8, '100MB'),
    )
    .option(
      '--phase-seconds <n>',
      'seconds an engine takes from phase to phase',
      wholeNumber('--phase-seconds', 0, 86400),
      5,
    )
    .option('--calibration <file>', 'what "npm run bench -- --only estimate" measured on your machine')
    .option('--prices <file>', 'JSON: thousandPuts, thousandGets, gigabyteMonth, machineHour')
    .option('--price-puts <money>', 'a thousand PUTs or LISTs', priceOf('--price-puts'))
    .option('--price-gets <money>', 'a thousand GETs', priceOf('--price-gets'))
    .option('--price-storage <money>', 'a gigabyte (10^9 bytes) for a month', priceOf('--price-storage'))
    .option('--price-machine <money>', 'a machine for an hour', priceOf('--price-machine'));
}

function addFormatFlags(command: Command): void {
  command
    .addOption(new Option('--format <engine>', 'write a workflow to stdout').choices(workflowFormats))
    .option('--store <uri>', 'with --format or --commit: the store, as all machines reach it')
    .option(
      '--commit',
      'fix in the store how slices are cut, for steps that are not started by "mergemate solve"',
    )
    .option('--image <name>', 'with --format: a container image that has mergemate')
    .option('--queue <name>', 'with --format aws-batch: the job queue')
    .option('--scratch <folder>', 'with --format: folder in the container for runs of a task', '/scratch');
}

/** A reader of prices, for commander. */
function priceOf(what: string): (text: string) => number {
  return (text) => {
    if (/^\d*\.?\d+$/.test(text)) return Number(text);
    throw new UserError(`${what}: ${JSON.stringify(text)} is no price: write a number such as 0.05`);
  };
}

function readShare(text: string): number {
  const share = Number(text);
  if (/^\d*\.?\d+$/.test(text) && share <= 1) return share;
  throw new UserError(`--decided: ${JSON.stringify(text)} is no share from 0 to 1`);
}
