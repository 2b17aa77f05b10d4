import type { Arrays } from '../core/arrays.js';
import type { Budget } from '../core/budget.js';
import type { Counters } from '../core/counters.js';
import type { Scratch } from '../storage/scratch.js';

/** The environment of a sort: the budget it may use, the scratch it spills to, and the counters it adds to. */
export interface SortEnv {
  readonly budget: Budget;
  readonly scratch: Scratch;
  readonly counters: Counters;
  /** Arrays that many sorts share, one sort at a time. */
  readonly arrays?: Arrays;
}
