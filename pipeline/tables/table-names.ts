/** Where tables lie in a store. */
import type { Metric } from '../game/value.js';

/** Where everything about a slice lies in a store. */
export function slicePrefix(game: string, metric: Metric, slice: string): string {
  return `${game}/${metric}/${slice}`;
}

export function tableManifestName(game: string, metric: Metric, slice: string): string {
  return `${slicePrefix(game, metric, slice)}/table.json`;
}
