/** Slices without a single decided position, which need no table. */
import { assert } from '../../../operators/core/errors.js';
import { newCensus } from '../../game/fill-census.js';
import type { Slice } from '../../game/game.js';

/** The largest slice whose positions are scanned during a probe. */
const SMALL = 1 << 14;

/** Whether all positions of a slice are drawn because none is lost and no move leaves the slice, as with two bare kings. */
export function drawnThroughout(slice: Slice): boolean {
  if (slice.dependencies.length > 0 || slice.size > SMALL) return false;
  const census = newCensus(SMALL);
  for (const side of [0, 1] as const) {
    for (let part = 0; part < slice.parts; part++) {
      const length = slice.partSize(part);
      assert(length <= SMALL, 'a part is no larger than its slice');
      slice.census(side, part, 0, length, census);
      if (census.lost > 0) return false;
    }
  }
  return true;
}
