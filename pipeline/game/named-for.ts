/** The game by whose names the tables of a metric go. */
import type { Game } from './game.js';
import { type Metric, stipulations } from './stipulation.js';

/** Where a goal is one side's, "KRKQ" asks another question than "KQKR": then the slices of a game are named by side. */
export function namedFor<Board>(game: Game<Board>, metric: Metric): Game<Board> {
  return stipulations[metric].goalOf === 'either' ? game : (game.sided ?? game);
}
