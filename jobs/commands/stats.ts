/** `mergemate stats`: how many positions of an ending are won, drawn, lost, and how long it takes. */
import type { Command } from 'commander';
import { type TableStats, tableStats } from '../../pipeline/stats.js';
import { needTable } from '../../pipeline/table/table.js';
import { askSlice, type MetricOptions, withMetric, withStore } from '../options.js';
import { breathe, print, printJson } from '../output.js';
import { findGame, openStore } from '../registry.js';
import { statsText } from '../ui/stats-text.js';

export function addStats(program: Command): void {
  withMetric(withStore(program.command('stats <game> <ending>')))
    .summary('count wins, draws and losses by ply')
    .description(
      'Counts the positions of a solved ending: wins, draws, losses, mates, stalemates, wins by plies, longest wins.\n' +
        'White has the first group of the name: KNKR is KRKN with the colours exchanged.\n' +
        '"placements" count boards, "orbits" count them up to the symmetries of the board.',
    )
    .action(runStats);
}

async function runStats(gameName: string, ending: string, options: MetricOptions): Promise<void> {
  const game = findGame(gameName);
  const asked = askSlice(game, ending);
  const { metric } = options;
  const table = await needTable(openStore(options.store), game, metric, asked.slice);
  const stats: TableStats = await tableStats({
    game,
    metric,
    table,
    flipped: asked.flipped,
    report: breathe,
  });
  if (options.json) await printJson({ game: game.name, ending: asked.name, metric, ...stats });
  else await print(statsText(asked.name, metric, stats));
}
