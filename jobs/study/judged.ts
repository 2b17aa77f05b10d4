/** What a study reads of a value, whether it comes from tables or from the answers of a server. */
import type { Wdl } from '../../pipeline/game/value.js';
import type { Judged } from '../../pipeline/tables/probe/verdict.js';
import type { SolvedValue } from '../positions/value.js';

/** Plies with bounds are left out: they are no distance to compare. */
export function judged({ wdl, plies, precise = true, category, most }: SolvedValue): Judged & { most?: Wdl } {
  return {
    wdl,
    plies: most === undefined ? plies : null,
    precise,
    // All values of chess have a category.
    category: category!,
    ...(most !== undefined && most.wdl !== wdl && { most: most.wdl }),
  };
}
