/** How the steps of an import divide the memory of a partition among buffers that are alive at the same time. */
import { type Budget, share, split } from '../../operators/core/budget.js';

export const IMPORT_MEMORY = {
  /**
   * A keyed game that fits memory is found there by one worker; the rows of its index are then put in order. Of one that does not fit the rows
   * are written.
   */
  'find in memory': { graph: 0.65, rows: 0.25 },
  /** Positions are found and nodes are read: keys on their way to their owners, and rows of the graph that wait to be ordered. */
  read: {
    sent: 0.13,
    order: 0.07,
    visited: 0.1,
    sets: 0.05,
    expanded: 0.05,
    keys: 0.15,
    targets: 0.3,
    from: 0.06,
    to: 0.06,
  },
  index: { order: 0.25 },
  /** `found` nodes of names are put in order, then the rows that are `received`. */
  successors: { edges: 0.15, from: 0.04, to: 0.04, found: 0.25, received: 0.5 },
} as const;

/** The budget of each buffer of a step. @param budget of the partition. */
export function importMemory<Step extends keyof typeof IMPORT_MEMORY>(
  step: Step,
  budget: Budget,
): Readonly<Record<keyof (typeof IMPORT_MEMORY)[Step], Budget>> {
  return split(budget, IMPORT_MEMORY[step]);
}

/** The budget of each of several partitions that share a memory. */
export function dividedBudget(budget: Budget, partitions: number): Budget {
  const { memory, batchRows } = share(budget, 1 / partitions);
  return { ...budget, memory, batchRows: Math.max(1, Math.min(batchRows, Math.floor(memory / 512))) };
}
