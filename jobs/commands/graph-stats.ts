/** `mergemate graph stats`: who wins from the nodes of a solved graph, and in how many edges. */
import type { Command } from 'commander';
import type { NodeId } from '../../pipeline/graph/source.js';
import { breathe, print, printJson } from '../output.js';
import { withStore } from '../store-option.js';
import { storeToRead } from '../stores.js';
import { graphStatsJson, graphStatsText } from '../ui/graph-stats-text.js';
import { needKeyedGame } from '../user-game.js';
import { type GraphFlags, withGraphMetric } from './graph-options.js';

export function addGraphStats(graph: Command): void {
  withGraphMetric(withStore(graph.command('stats <name>')))
    .summary('count nodes by who chooses and who wins, and wins by edges')
    .description(
      'Counts the nodes of a solved graph by who chooses there and who wins from there, and wins by the edges they take, with\n' +
        'the first node of the longest. With the module of a keyed game in place of the name, nodes are positions as the game\n' +
        'writes them.',
    )
    .action(runStats);
}

async function runStats(asked: string, { store, metric, json }: GraphFlags): Promise<void> {
  const game = await needKeyedGame(asked);
  const { graphStats } = await import('../../pipeline/graph/graph-stats.js');
  const stats = await graphStats(storeToRead(store), game?.name ?? asked, metric, breathe);
  const named = game === null ? undefined : (id: NodeId) => game.format(game.at(BigInt(id)));
  if (json) await printJson(graphStatsJson(stats, metric, named));
  else await print(graphStatsText(stats, metric, named));
}
