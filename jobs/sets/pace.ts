/** The time that a set will still take, by that which its steps took for each index so far. */
import type { SetStep } from '../progress/set-records.js';
import type { Unit } from './units.js';

/**
 * Nanoseconds for each index of both sides, as measured on one core of a small server (docs/syzygy.md). They count as much as so many
 * indices that were measured here.
 */
const USUAL: Readonly<Record<SetStep, number>> = { solve: 150, write: 330, verify: 220 };
const USUAL_INDICES = 2e7;

export class SetPace {
  readonly #seen = new Map<string, { indices: number; wallMs: number }>();

  /** Notes a step that was done. Pawns make a difference: promotions, and slices by the ranks of pawns. */
  add(unit: Unit, step: SetStep, wallMs: number): void {
    const seen = this.#of(unit, step);
    seen.indices += unit.indices;
    seen.wallMs += wallMs;
  }

  /** Milliseconds that steps take, done by so many workers. */
  of(steps: readonly { unit: Unit; step: SetStep }[], workers: number): number {
    let total = 0;
    for (const { unit, step } of steps) {
      const { indices, wallMs } = this.#of(unit, step);
      total += (unit.indices * wallMs) / indices;
    }
    return total / Math.min(workers, Math.max(1, steps.length));
  }

  #of({ hasPawns }: Unit, step: SetStep): { indices: number; wallMs: number } {
    const key = `${step} ${hasPawns}`;
    const seen = this.#seen.get(key) ?? {
      indices: USUAL_INDICES,
      wallMs: (USUAL[step] * USUAL_INDICES) / 1e6,
    };
    this.#seen.set(key, seen);
    return seen;
  }
}
