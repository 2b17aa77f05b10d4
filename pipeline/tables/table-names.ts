/** The names of tables in a store. */
import type { Metric } from '../game/value.js';

/** The folder of a slice in a store. */
export function slicePrefix(game: string, metric: Metric, slice: string): string {
  return `${game}/${metric}/${slice}`;
}

export function tableManifestName(game: string, metric: Metric, slice: string): string {
  return `${slicePrefix(game, metric, slice)}/table.json`;
}
