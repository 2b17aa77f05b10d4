/** Values in words. */
import type { Metric, Value } from '../../pipeline/value.js';

/** "win in 69 plies (mate in 35)": the words of a number of plies under a metric. */
export function distance(plies: number | null, metric: Metric): string {
  if (plies === null) return '';
  const moves = Math.ceil(plies / 2);
  const count = `${plies} ${plies === 1 ? 'ply' : 'plies'}`;
  return metric === 'dtm' ? `${count} (mate in ${moves})` : `${count} (mate or conversion in ${moves})`;
}

/** The verdict on a position for the side to move. */
export function verdict(value: Value, metric: Metric, mover: string): string {
  if (value.wdl === 'draw') return `${mover} to move: draw`;
  const what = value.wdl === 'win' ? 'wins' : 'loses';
  if (value.plies === 0) return `${mover} to move: is mated`;
  return `${mover} to move: ${what}${value.plies === null ? '' : ` in ${distance(value.plies, metric)}`}`;
}

export function moverOf(fen: string): 'White' | 'Black' {
  return fen.split(/\s+/)[1] === 'b' ? 'Black' : 'White';
}
