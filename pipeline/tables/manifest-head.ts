import { FORMAT_VERSION } from '../game/format-version.js';
import type { SliceIndex } from '../game/game.js';
import type { TableManifest } from '../game/manifest.js';
import type { Metric } from '../game/value.js';

/** The part of a table's manifest that is known before its values are. */
export type ManifestHead = Pick<
  TableManifest,
  'version' | 'game' | 'slice' | 'step' | 'metric' | 'parts' | 'width' | 'size' | 'numbering'
>;

/** The same for every solver: the slice, and the numbering of its positions. */
export function manifestHead(game: string, slice: SliceIndex, metric: Metric): ManifestHead {
  const { name, parts, width, size, numbering } = slice;
  return {
    version: FORMAT_VERSION,
    game,
    slice: name,
    step: 'table',
    metric,
    parts,
    width,
    size,
    ...(numbering !== undefined && { numbering }),
  };
}
