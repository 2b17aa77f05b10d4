/** The options of `mergemate graph solve` and `graph rank`. */
import type { Command } from 'commander';
import { againOption, withEngine, withRank } from './job.js';
import { withGraphMetric, withMemory, withStore } from './options.js';

export function addGraphSolve(graph: Command): void {
  withEngine(withGraph(graph.command('solve <file>')))
    .summary('solve a graph')
    .description(
      'Solves a graph: a file in JSON (.json) or JSON Lines (.jsonl, .ndjson), which may be larger than memory, or a\n' +
        'module with a keyed game of your own (.ts, .mts, .js, .mjs), whose positions are found from its roots.\n' +
        'Run again after an interruption, it continues with the last finished step.',
    )
    .addOption(againOption())
    .action(async (path, flags) => (await import('../commands/graph-solve.js')).runSolve(path, flags));
}

export function addGraphRank(graph: Command): void {
  withRank(withGraph(graph.command('rank <file>')))
    .summary('be one of several processes that solve a graph together')
    .description(
      'One of several processes that solve what "graph solve" would, and share nothing but the store: see "mergemate rank".\n' +
        'Rank 0 imports the graph, and alone needs a file in JSON. All need the module of a keyed game, and find its positions together.',
    )
    .action(async (path, flags) =>
      (await import('../commands/graph-rank.js')).runGraphRankCommand(path, flags),
    );
}

/** The options that say which graph is solved, and how. */
function withGraph(command: Command): Command {
  return withGraphMetric(withMemory(withStore(command)))
    .option('--name <name>', 'what the graph is called in the store (default: the name of the file)')
    .option(
      '--scratch <folder>',
      'where runs that do not outlive the process go (default: in the store if it is a folder)',
    )
    .option('--no-verify', 'do not verify the values by the edges');
}
