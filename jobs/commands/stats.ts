/** `mergemate stats`: how many positions of endings are won, drawn, lost, and how long it takes. */

import { UserError } from '../../operators/core/errors.js';
import { type ClassTally, classTallies, endingStats } from '../../pipeline/analysis/stats.js';
import type { Ending } from '../../pipeline/game/game.js';
import { needTable } from '../../pipeline/tables/table.js';
import { askEndings, type MetricOptions, metricOf, slicesOf } from '../options.js';
import { breathe, print, printJson } from '../output.js';
import { findGame } from '../registry.js';
import { storeToRead } from '../stores.js';
import { askedWords, needTables } from '../tables.js';
import { classesText } from '../ui/classes-text.js';
import { statsText } from '../ui/stats-text.js';
import { findGraph } from './asked-graph.js';

interface StatsFlags extends MetricOptions {
  readonly pieces?: number;
  readonly force?: boolean;
}

export async function runStats(gameName: string, names: string[], flags: StatsFlags): Promise<void> {
  const graph = await findGraph(gameName, flags.store);
  if (graph !== null) return (await import('./graph-stats.js')).statsOfGraph(graph, names, flags);
  const game = await findGame(gameName);
  const metric = metricOf(game, flags.metric);
  if (flags.force === true) throw new UserError('--force goes with --html');
  const endings = askEndings(game, names, flags.pieces);
  const store = storeToRead(flags.store);
  await needTables(store, game, metric, slicesOf(endings), askedWords(names, flags.pieces));
  const open = (slice: string) => needTable(store, game, metric, slice);
  const common = { game, metric, open, report: breathe };
  const [ending] = endings;
  if (flags.pieces === undefined && endings.length === 1) {
    const { classes, ...stats } = await endingStats({ ...common, ending });
    if (flags.json) await printJson({ game: game.name, ending: ending.name, metric, classes, ...stats });
    else await print(statsText(ending.name, metric, stats, game));
    return;
  }
  const tallied: ClassTally[][] = [];
  for (const ending of endings) tallied.push(await classTallies({ ...common, ending }));
  const classes = tallied.flat();
  if (flags.json) await printJson({ game: game.name, metric, classes });
  else await print(classesText(game, metric, classes, piecesOf(endings)));
}

/** How many pieces each ending has, by its name and by that with its sides exchanged. */
function piecesOf(endings: readonly Ending[]): Map<string, number> {
  return new Map(
    endings.flatMap(({ name, exchanged, pieces }) => [
      [name, pieces],
      [exchanged, pieces],
    ]),
  );
}
