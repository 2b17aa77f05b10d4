/**
 * Solves endings and everything they convert to, and verifies each table. Slices that do not need each other are solved at
 * the same time where the engine has several workers: see agenda.ts.
 */
import type { Budget } from '../operators/core/budget.js';
import type { Store } from '../operators/storage/store.js';
import { doSlices } from './do-slices.js';
import type { Game } from './game.js';
import type { Strategy } from './phases/context.js';
import { planSlices } from './plan.js';
import type { ProgressListener } from './progress.js';
import { type Meter, type SliceSummary, solveOne } from './solve-one.js';
import type { Engine } from './solvers/external/engine.js';
import type { Metric } from './value.js';

export type { Meter, PhaseTime, SliceSummary } from './solve-one.js';

export interface SolveOptions {
  readonly game: Game;
  /** Canonical slice names. */
  readonly slices: readonly string[];
  readonly metric: Metric;
  readonly strategy: Strategy;
  readonly verify: boolean;
  readonly store: Store;
  /** Of all that runs at once. */
  readonly budget: Budget;
  readonly engine: Engine;
  readonly progress: ProgressListener;
  readonly meter: Meter;
}

/**
 * @returns a summary for each slice, as they are planned: every one after its dependencies.
 * @throws what the first slice to fail threw. Slices that were at work with it stop when the engine is closed.
 */
export async function solve(options: SolveOptions): Promise<SliceSummary[]> {
  const { game, slices, metric, strategy, verify, engine, progress } = options;
  const did = await doSlices(options, planSlices(game, slices), {
    together: (slice) => solveOne({ ...options, slice }),
    alone: (slice, budget) =>
      engine.alone!({ kind: 'solve', slice, metric, strategy, verify, budget }, progress),
  });
  return did.map(({ done, accompanied }) => (accompanied ? withoutCpu(done) : done));
}

/** The processor's time is told of the process only: what of it a slice took is not known where others took some, too. */
function withoutCpu(summary: SliceSummary): SliceSummary {
  const phases = summary.phases.map((phase) => ({ ...phase, cpuMs: null }));
  return { ...summary, cpuMs: null, phases };
}
