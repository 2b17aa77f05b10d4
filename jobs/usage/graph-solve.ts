/** The options of `mergemate graph solve`. */
import type { Command } from 'commander';
import { withGraphMetric, withMemory, withStore } from './options.js';

export function addGraphSolve(graph: Command): void {
  withGraphMetric(withMemory(withStore(graph.command('solve <file>'))))
    .summary('solve a graph')
    .description(
      'Solves a graph: a file in JSON (.json) or JSON Lines (.jsonl, .ndjson), which may be larger than memory, or a\n' +
        'module with a keyed game of your own (.ts, .mts, .js, .mjs), whose positions are found from its roots.\n' +
        'Run again after an interruption, it continues with the last finished step.',
    )
    .option('--name <name>', 'what the graph is called in the store (default: the name of the file)')
    .option(
      '--scratch <folder>',
      'where runs that do not outlive the process go (default: in the store if it is a folder)',
    )
    .option('--no-verify', 'do not verify the values by the edges')
    .action(async (path, flags) => (await import('../commands/graph-solve.js')).runSolve(path, flags));
}
