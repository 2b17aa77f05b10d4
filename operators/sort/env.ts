import type { Arrays } from '../core/arrays.js';
import type { Budget } from '../core/budget.js';
import type { Counters } from '../core/counters.js';
import type { Scratch } from '../storage/scratch.js';

/** What a sort may use, where it spills, and where it counts what it did. */
export interface SortEnv {
  readonly budget: Budget;
  readonly scratch: Scratch;
  readonly counters: Counters;
  /** Arrays that many sorts share, one sort at a time. */
  readonly arrays?: Arrays;
}
