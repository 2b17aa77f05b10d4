import type { SliceCatalogue } from '../game.js';
import { FORMAT_VERSION, type TableManifest } from '../manifest.js';
import type { Metric } from '../value.js';

/** What the manifest of a table says before its values are known. */
export type ManifestHead = Pick<
  TableManifest,
  'version' | 'game' | 'slice' | 'step' | 'metric' | 'parts' | 'width' | 'size'
>;

/** The same for every solver: what is solved, and how its positions are numbered. `slice`: canonical name. */
export function manifestHead(
  game: Pick<SliceCatalogue, 'name' | 'slice'>,
  slice: string,
  metric: Metric,
): ManifestHead {
  const { parts, width, size } = game.slice(slice);
  return { version: FORMAT_VERSION, game: game.name, slice, step: 'table', metric, parts, width, size };
}
