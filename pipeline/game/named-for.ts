/** The game whose slice names the tables of a metric have. */
import type { Game } from './game.js';
import { type Metric, stipulations } from './stipulation.js';

/** Where a goal is one side's, KRKQ and KQKR are different questions, so there the slices of a game are named by side. */
export function namedFor<Board>(game: Game<Board>, metric: Metric): Game<Board> {
  return stipulations[metric].goalOf === 'either' ? game : (game.sided ?? game);
}
