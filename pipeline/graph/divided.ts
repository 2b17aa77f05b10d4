import { type Budget, share } from '../../operators/core/budget.js';

/** The part of a budget that each of several has who import a graph together. */
export function divided(budget: Budget, workers: number): Budget {
  const { memory, batchRows } = share(budget, 1 / workers);
  return { ...budget, memory, batchRows: Math.max(1, Math.min(batchRows, Math.floor(memory / 512))) };
}
