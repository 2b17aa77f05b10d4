/** How a process solves slices as one of several ranks. */
import type { Budget } from '../../operators/core/budget.js';
import type { Scratch } from '../../operators/storage/scratch.js';
import type { Store } from '../../operators/storage/store.js';
import type { ProcessRecord } from '../game/manifest.js';
import type { ProgressListener } from '../game/progress.js';
import type { Strategy } from '../game/strategy.js';
import type { Metric } from '../game/value.js';
import type { Meter } from './do-slice.js';
import type { Pace } from './pace.js';
import type { Waiting } from './rank-crew.js';
import type { Solvable } from './slice-phases.js';

export interface RankOptions {
  readonly game: Solvable;
  readonly metric: Metric;
  readonly strategy: Strategy;
  readonly verify: boolean;
  readonly store: Store;
  readonly scratch: Scratch;
  /** The budget of this rank. */
  readonly budget: Budget;
  /** This rank's number, from 0 on, and how many there are. */
  readonly rank: number;
  readonly ranks: number;
  /** The same for all ranks, and when a rank is started again: letters, digits and dashes. */
  readonly job: string;
  /** See PartitionSetup; different in every process. */
  readonly attempt: string;
  readonly waiting: Waiting;
  readonly takeProcessRecord: () => ProcessRecord;
  readonly meter: Meter;
  /** Only the leading rank reports phases and rounds of slices that are solved together. */
  readonly progress: ProgressListener;
  readonly keepRuns: boolean;
  readonly pace?: Pace;
}
