/** The options of `mergemate verify`. */
import type { Command } from 'commander';
import { Bounds } from '../bounds.js';
import { wholeNumber, withMemory, withMetric, withPieces, withStore } from './options.js';

export function addVerify(program: Command): void {
  const { least, most } = Bounds.workers;
  withPieces(withMetric(withMemory(withStore(program.command('verify <game> [endings...]')))))
    .summary('derive tables again by forward moves')
    .description(
      'Derives every value of solved endings again, by the forward moves of each position and the values of the positions\n' +
        'they lead to, and compares. A wrong value is named, and the exit code is 2.',
    )
    .option(
      '--published <uri>',
      'verify the published files there instead: every stored value, by the published values that its moves lead to',
    )
    .option(
      '--workers <n>',
      'threads: slices are verified at once, large ones by all of them',
      wholeNumber('--workers', least, most),
      1,
    )
    .option(
      '--scratch <folder>',
      'where runs that do not outlive the process go (default: in the store if it is a folder)',
    )
    .action(async (gameName, names, flags) =>
      (await import('../commands/verify.js')).runVerify(gameName, names, flags),
    );
}
