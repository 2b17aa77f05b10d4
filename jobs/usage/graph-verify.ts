/** The options of `mergemate graph verify`. */
import type { Command } from 'commander';
import { withGraphMetric, withMemory, withStore } from './options.js';

export function addGraphVerify(graph: Command): void {
  withGraphMetric(withMemory(withStore(graph.command('verify <name>'))))
    .summary('derive the values of a solved graph again')
    .description(
      'Derives every value of a solved graph again, by the edges of each node and the values of the nodes they lead to, and\n' +
        'compares. It needs the store alone, not the file. A wrong value is named, and the exit code is 2.',
    )
    .option(
      '--scratch <folder>',
      'where runs that do not outlive the process go (default: in the store if it is a folder)',
    )
    .action(async (asked, flags) => (await import('../commands/graph-verify.js')).runVerify(asked, flags));
}
