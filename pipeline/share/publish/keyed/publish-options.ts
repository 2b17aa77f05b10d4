import type { Budget } from '../../../../operators/core/budget.js';
import type { Scratch } from '../../../../operators/storage/scratch.js';
import type { Store } from '../../../../operators/storage/store.js';
import type { Metric } from '../../../game/value.js';

/** How a solved graph, or a solved keyed game, is published. */
export interface PublishGraphOptions {
  readonly store: Store;
  /** The name of the graph or game in the store. */
  readonly name: string;
  readonly metric: Metric;
  /** Where the files go, in place of any before. */
  readonly to: Store;
  readonly scratch: Scratch;
  readonly budget: Budget;
  /** Whether the files are read again, and held against what was written. */
  readonly verify: boolean;
}
