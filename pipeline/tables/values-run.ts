/** The runs of a table. */
import type { Side } from '../game/game.js';
import type { Metric } from '../game/value.js';

/** The description that such a run holds of itself; its name says game and parts, too. */
export function describeValues(slice: string, metric: Metric, side: Side) {
  return { kind: 'values', meta: { slice, metric, side: String(side) } };
}
