import type { NodeId } from '../../pipeline/graph/source.js';
import { breathe, print, printJson } from '../output.js';
import { storeToRead } from '../stores.js';
import { graphStatsJson, graphStatsText } from '../ui/graph-stats-text.js';
import { needKeyedGame } from '../user-game.js';
import type { GraphFlags } from './graph-options.js';

export async function runStats(asked: string, { store, metric, json }: GraphFlags): Promise<void> {
  const game = await needKeyedGame(asked);
  const { graphStats } = await import('../../pipeline/graph/graph-stats.js');
  const stats = await graphStats(storeToRead(store), game?.name ?? asked, metric, breathe);
  const named = game === null ? undefined : (id: NodeId) => game.format(game.at(BigInt(id)));
  if (json) await printJson(graphStatsJson(stats, metric, named));
  else await print(graphStatsText(stats, metric, named));
}
