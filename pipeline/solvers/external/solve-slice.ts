/** Solves one slice with the workers of an engine. */
import type { Budget } from '../../../operators/core/budget.js';
import type { TableManifest } from '../../formats/manifest.js';
import { contested } from '../../partition/contested.js';
import { type Engine, openCrew } from './engine.js';
import { solveByCrew } from './slice-steps.js';
import type { SliceOptions } from './slice-work.js';

export interface SolveSliceOptions extends SliceOptions {
  readonly budget: Budget;
  readonly engine: Engine;
}

/** The dependencies of the slice are solved. Another process may solve it in the same store: the table is the same. */
export function solveSlice(options: SolveSliceOptions): Promise<TableManifest> {
  const { slice, progress } = options;
  return contested(
    async () => solveByCrew(options, await openCrew(options, 'solve')),
    (what) => progress({ type: 'trouble', slice, what }),
  );
}
