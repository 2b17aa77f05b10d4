/**
 * When slices are solved, by the rule of ranks (pipeline/engine/solve-as-rank.ts). An idle rank claims the first small slice of
 * the plan whose dependencies are solved. Large slices follow each other, and all ranks meet in each.
 */
import type { CutSlice } from '../../engine/cut.js';

export interface Dealt {
  /** Seconds from the beginning on. */
  readonly begin: number;
  readonly end: number;
}

/**
 * @param seconds what each slice takes: one rank if it is whole, else all.
 * @returns a time for each slice of the plan.
 */
export function deal(plan: readonly CutSlice[], seconds: readonly number[], ranks: number): Dealt[] {
  const dealt: (Dealt | undefined)[] = plan.map(() => undefined);
  const endOf = new Map<string, number>();
  const free: number[] = Array.from({ length: ranks }, () => 0);
  let undealt = plan.map((_, i) => i);
  while (undealt.length > 0) {
    const first = Math.min(...free);
    const choice = choose(plan, undealt, endOf, first);
    const { slice, partitions, dependencies } = plan[choice];
    const ready = Math.max(0, ...dependencies.map((name) => endOf.get(name)!));
    const isWhole = partitions === 1;
    const begin = Math.max(ready, isWhole ? first : Math.max(...free));
    const end = begin + seconds[choice];
    if (isWhole) free[free.indexOf(first)] = end;
    else free.fill(end);
    endOf.set(slice, end);
    dealt[choice] = { begin, end };
    undealt = undealt.filter((i) => i !== choice);
  }
  return dealt as Dealt[];
}

/**
 * The slice that a rank begins at the time: the first that is ready then, or else the one that is ready next. A slice for all
 * ranks waits for those before it, and for small ones that a rank can still begin.
 */
function choose(
  plan: readonly CutSlice[],
  undealt: readonly number[],
  endOf: ReadonlyMap<string, number>,
  time: number,
): number {
  let best = -1;
  let soonest = Number.POSITIVE_INFINITY;
  let together = true;
  for (const i of undealt) {
    const { dependencies, partitions } = plan[i];
    if (partitions > 1 && !together) continue;
    if (partitions > 1) together = false;
    if (!dependencies.every((name) => endOf.has(name))) continue;
    const ready = Math.max(time, ...dependencies.map((name) => endOf.get(name)!));
    if (ready <= time) return i;
    if (ready < soonest) [best, soonest] = [i, ready];
  }
  return best;
}
