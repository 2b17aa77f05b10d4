import { FORMAT_VERSION } from '../game/format-version.js';
import type { SliceCatalogue } from '../game/game.js';
import type { TableManifest } from '../game/manifest.js';
import type { Metric } from '../game/value.js';

/** The part of a table's manifest that is known before its values are. */
export type ManifestHead = Pick<
  TableManifest,
  'version' | 'game' | 'slice' | 'step' | 'metric' | 'parts' | 'width' | 'size' | 'numbering'
>;

/** The same for every solver: the slice, and the numbering of its positions. `slice`: canonical name. */
export function manifestHead(
  game: Pick<SliceCatalogue, 'name' | 'slice'>,
  slice: string,
  metric: Metric,
): ManifestHead {
  const { parts, width, size, numbering } = game.slice(slice);
  return {
    version: FORMAT_VERSION,
    game: game.name,
    slice,
    step: 'table',
    metric,
    parts,
    width,
    size,
    ...(numbering !== undefined && { numbering }),
  };
}
