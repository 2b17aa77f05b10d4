/**
 * What a computation may use. Budgets are passed in, divided among the operators of a step, and kept: an operator
 * counts every buffer it holds against `memory`.
 */
export interface Budget {
  /** Bytes of buffers that may be held at once. */
  readonly memory: number;
  /** Runs that may be merged, hence be open, at once; at least 2. */
  readonly fanIn: number;
  /** Rows of the batches that operators pass on, and of the record batches they write; at least 1. */
  readonly batchRows: number;
}

/** The part of `budget` that one of several operators alive at the same time may use. */
export function share(budget: Budget, fraction: number): Budget {
  return { ...budget, memory: Math.floor(budget.memory * fraction) };
}
