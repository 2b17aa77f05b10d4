/** The options of `mergemate graph stats`. */
import type { Command } from 'commander';
import { withGraphMetric, withStore } from './options.js';

export function addGraphStats(graph: Command): void {
  withGraphMetric(withStore(graph.command('stats <name>')))
    .summary('count nodes by who chooses and who wins, and wins by edges')
    .description(
      'Counts the nodes of a solved graph by who chooses there and who wins from there, and wins by the edges they take, with\n' +
        'the first node of the longest. With the module of a keyed game in place of the name, nodes are positions as the game\n' +
        'writes them.',
    )
    .action(async (asked, flags) => (await import('../commands/graph-stats.js')).runStats(asked, flags));
}
