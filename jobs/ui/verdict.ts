/** Values in words. */
import type { Colour, Game } from '../../pipeline/contract/game.js';
import type { Metric, Value } from '../../pipeline/formats/value.js';

/** Whether the end of a game is a mate. */
export function hasMates({ metrics }: Pick<Game, 'metrics'>): boolean {
  return metrics.includes('dtm');
}

/** "69 plies (mate in 35)", "23 plies": the words of a number of plies under a metric. */
export function distance(plies: number | null, metric: Metric, game: Pick<Game, 'metrics'>): string {
  if (plies === null) return '';
  const moves = Math.ceil(plies / 2);
  const count = `${plies} ${plies === 1 ? 'ply' : 'plies'}`;
  if (metric === 'dtm' || metric === 'dtm50') return `${count} (mate in ${moves})`;
  if (metric === 'dtw') return count;
  if (metric === 'dtz') return `${count} (mate or zeroing move in ${moves})`;
  return hasMates(game)
    ? `${count} (mate or conversion in ${moves})`
    : `${count} (to the end or a conversion)`;
}

/** The verdict on a position for the side to move. */
export function verdict(value: Value, metric: Metric, mover: Colour, game: Pick<Game, 'metrics'>): string {
  const who = `${capital(mover)} to move`;
  if (value.wdl === 'draw') return `${who}: draw`;
  if (value.plies === 0) return `${who}: ${hasMates(game) ? 'is mated' : 'has lost'}`;
  const how = value.plies === null ? '' : ` in ${distance(value.plies, metric, game)}`;
  if (value.wdl === 'win') return `${who}: wins${how}`;
  if (value.wdl === 'loss') return `${who}: loses${how}`;
  return `${who}: ${value.wdl}${how}: ${BY_THE_RULE}`;
}

/** Meaning of cursed wins and blessed losses. */
export const BY_THE_RULE = 'a draw by the 50-move rule';

/** "White", "Black": words with a capital letter. */
export function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
