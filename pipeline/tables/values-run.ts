/**
 * The runs of a table that go by index, one for each side and partition: its values and, beside them, numbers of ladders under dtm50, and of
 * solutions.
 */
import type { Side } from '../game/game.js';
import type { Metric } from '../game/value.js';

const KINDS = {
  values: { kind: 'values', column: 'value' },
  clocks: { kind: 'ladder-numbers', column: 'ladder' },
  numbers: { kind: 'solution-numbers', column: 'number' },
} as const;

export type SideRun = keyof typeof KINDS;

/** The metadata of such a run. Its name has game and parts as well. */
export function describeSide(run: SideRun, slice: string, metric: Metric, side: Side) {
  return { kind: KINDS[run].kind, meta: { slice, metric, side: String(side) } };
}

export function columnOf(run: SideRun): string {
  return KINDS[run].column;
}
