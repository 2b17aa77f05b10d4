import type { Counters } from './core/counters.js';
import type { Cursor } from './runs/types.js';
import { semiJoin } from './semi-join.js';

/** The rows of `left` whose key is not in `right`, in order: see semi-join.ts. */
export function antiJoin(left: Cursor, right: Cursor, counters: Counters): Cursor {
  return semiJoin(left, right, { keep: 'unmatched', counters });
}
