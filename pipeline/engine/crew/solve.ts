/**
 * Solves endings and everything they convert to, and verifies each table. Slices that do not need each other are solved at
 * the same time where the engine has several workers: see schedule.ts.
 */

import type { Budget } from '../../../operators/core/budget.js';
import { UserError } from '../../../operators/core/errors.js';
import { memoryStore } from '../../../operators/storage/memory.js';
import { newScratch } from '../../../operators/storage/scratch.js';
import type { Store } from '../../../operators/storage/store.js';
import { isClocked } from '../../game/clocked.js';
import type { Game } from '../../game/game.js';
import { requireStrategy } from '../../game/labelling.js';
import { planSlices } from '../../game/plan.js';
import type { ProgressListener, SliceSummary } from '../../game/progress.js';
import type { Strategy } from '../../game/strategy.js';
import type { Metric } from '../../game/value.js';
import { readFinished } from '../../tables/verified.js';
import { requireFitting } from '../phases/clocked.js';
import { type Meter, NO_METER, solveOne } from './do-slice.js';
import { doByWorkers, type Engine, inlineEngine } from './engine.js';

export type { PhaseTime, SliceSummary } from '../../game/progress.js';
export { type Meter, NO_METER } from './do-slice.js';

/** All else follows from `game` and `store`, unless it is given. */
export interface SolveOptions {
  readonly game: Game;
  /** Where tables are put. Slices that it holds already are not solved again, and interrupted work goes on. */
  readonly store: Store;
  /** Canonical slice names; all there are, of a game that is solved as a whole (`Game.whole`). */
  readonly slices?: readonly string[];
  /** Slices whose tables are there, and need no tables of what they convert to: none, so that all is looked for. */
  readonly standing?: readonly string[];
  /** The first of the game's. */
  readonly metric?: Metric;
  /** `count`. */
  readonly strategy?: Strategy;
  /** Whether every value is derived again by forward moves: true. */
  readonly verify?: boolean;
  /** Shared by all that runs at once: {@link DEFAULT_BUDGET}. */
  readonly budget?: Budget;
  /**
   * Where what does not fit the budget is put for the while: memory, which is of use for small games only. For others
   * `localStore(folder, { durable: false })`. An engine has its own.
   */
  readonly scratch?: Store;
  /** This thread, unless it is another. */
  readonly engine?: Engine;
  readonly progress?: ProgressListener;
  /** Without it, times and memory in summaries are 0. */
  readonly meter?: Meter;
}

/** The default budget of a solve: 256 MiB. */
export const DEFAULT_BUDGET: Budget = { memory: 256 * 2 ** 20, fanIn: 16, batchRows: 65536 };

/**
 * Solves slices of a game, and all that they convert to, into the store.
 *
 * @returns a summary for each slice, as they are planned: every one after its dependencies.
 * @throws the error of the first slice to fail. Slices under way with it stop when the engine is closed. UserError
 * if no slices are named and the game is not solved as a whole, or if a slice is solved in memory only and does not fit it.
 */
export async function solve(options: SolveOptions): Promise<SliceSummary[]> {
  const { game, store, scratch = memoryStore() } = options;
  const here = inlineEngine(game, store, newScratch(scratch, `scratch-${game.name}`));
  const all = {
    metric: game.metrics[0],
    strategy: 'count' as const,
    verify: true,
    budget: DEFAULT_BUDGET,
    engine: here,
    progress: () => {},
    meter: NO_METER,
    ...options,
  };
  const { metric, strategy, verify, engine, progress } = all;
  requireStrategy(metric, strategy);
  const plan = planSlices(game, options.slices ?? wholeOf(game), new Set(options.standing));
  // Before the first slice is begun, not when the first comes that does not fit.
  if (isClocked(metric))
    requireFitting(
      plan.map(({ slice }) => game.slice(slice)),
      all.budget.memory,
    );
  const results = await doByWorkers(all, plan, {
    together: (slice) => solveOne({ ...all, slice }),
    // No thread is started for a slice in which nothing is left to do.
    alone: async (slice, budget) =>
      (await readFinished(all, slice)) !== null
        ? solveOne({ ...all, slice, engine: here })
        : engine.alone!({ kind: 'solve', slice, metric, strategy, verify, budget }, progress),
  });
  return results.map(({ done, accompanied }) => (accompanied ? withoutCpu(done) : done));
}

/** The slices of a game that need not be named. */
function wholeOf({ name, whole }: Game): readonly string[] {
  if (whole !== undefined) return whole.slices;
  throw new UserError(`${name} is not solved as a whole: name the slices to be solved`);
}

/** Processor time is known of the process only; a slice's share is unknown where other slices took some, too. */
function withoutCpu(summary: SliceSummary): SliceSummary {
  const phases = summary.phases.map((phase) => ({ ...phase, cpuMs: null }));
  return { ...summary, cpuMs: null, phases };
}
