/** Does something with every slice of a plan, with several at once where the engine has several workers: see agenda.ts. */
import type { Budget } from '../../operators/core/budget.js';
import type { SliceCatalogue } from '../game/game.js';
import type { PlannedSlice } from '../game/plan.js';
import type { ProgressListener } from '../game/progress.js';
import type { Metric } from '../game/value.js';
import { type Assignment, newAgenda } from './agenda.js';
import type { Engine } from './engine.js';

export interface SliceScheduling {
  readonly game: Pick<SliceCatalogue, 'slice'>;
  readonly engine: Engine;
  /** Shared by everything that is done at once. */
  readonly budget: Budget;
  readonly progress: ProgressListener;
  readonly metric: Metric;
}

/** The two ways to do something with a slice. */
export interface SliceMethods<Done> {
  /** By the crew. */
  together(slice: string): Promise<Done>;
  /** By one worker, within `budget`. */
  alone(slice: string, budget: Budget): Promise<Done>;
}

export interface SliceResult<Done> {
  readonly slice: string;
  readonly done: Done;
  /** Whether others were being done at the same time. */
  readonly accompanied: boolean;
}

/**
 * Does the work of every planned slice.
 * @returns the results, in the order of `plan`.
 * @throws the error of the first slice to fail. Closing the engine stops slices under way.
 */
export async function forEachSlice<Done>(
  { game, engine, budget, progress, metric }: SliceScheduling,
  plan: readonly PlannedSlice[],
  methods: SliceMethods<Done>,
): Promise<SliceResult<Done>[]> {
  const workers = engine.alone === undefined ? 1 : engine.workers;
  const agenda = newAgenda(game, plan, workers, { ...budget, metric });
  const each = { ...budget, memory: Math.floor(budget.memory / workers) };
  const running = new Map<string, Promise<{ slice: string; done: Done }>>();
  const accompanied = new Set<string>();
  const all = new Map<string, SliceResult<Done>>();
  let number = 0;

  async function begin({ slice, alone }: Assignment): Promise<{ slice: string; done: Done }> {
    progress({ type: 'slice', slice, number: ++number, of: plan.length });
    const byCrew = !alone || engine.alone === undefined;
    return { slice, done: await (byCrew ? methods.together(slice) : methods.alone(slice, each)) };
  }

  for (;;) {
    for (let next = agenda.next(); next !== null; next = agenda.next()) {
      running.set(next.slice, begin(next));
      if (running.size > 1) for (const slice of running.keys()) accompanied.add(slice);
    }
    if (running.size === 0) break;
    const { slice, done } = await Promise.race(running.values());
    running.delete(slice);
    all.set(slice, { slice, done, accompanied: accompanied.has(slice) });
    progress({ type: 'finished', slice });
    agenda.finish(slice);
  }
  return plan.map(({ slice }) => all.get(slice)!);
}
