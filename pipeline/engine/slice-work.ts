/** The options of a slice's solve, and the means that all of its steps share. */
import type { Counters } from '../../operators/core/counters.js';
import type { Store } from '../../operators/storage/store.js';
import type { FORMAT_VERSION } from '../game/manifest.js';
import type { ProgressListener } from '../game/progress.js';
import type { Strategy } from '../game/strategy.js';
import type { Metric } from '../game/value.js';
import type { Pace } from './pace.js';
import type { Solvable } from './slice-phases.js';

export interface SliceOptions {
  readonly game: Solvable;
  readonly slice: string;
  readonly metric: Metric;
  readonly strategy: Strategy;
  readonly store: Store;
  readonly progress: ProgressListener;
  /** Whether the runs that pass from round to round stay in the store, for people to look at. */
  readonly keepRuns?: boolean;
  /** `PACE` unless given. */
  readonly pace?: Pace;
  /** Whether manifests of the steps stay until the caller clears them away: ranks verify by them, and the record is made of them. */
  readonly keepSteps?: boolean;
}

/** Means that all steps of a slice share. */
export interface SliceWork extends SliceOptions {
  readonly pace: Pace;
  /** Folder of the steps. */
  readonly work: string;
  readonly header: { readonly version: typeof FORMAT_VERSION; readonly game: string; readonly slice: string };
  /** Counts all steps that are done. */
  readonly counters: Counters;
  /** Returns the counts of a step. */
  count(counters: Counters): Readonly<Record<string, number>>;
}

export function tellPhase({ progress, slice }: SliceWork, phase: string, total: number | null): void {
  progress({ type: 'phase', slice, phase, total });
}
