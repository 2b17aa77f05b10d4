import { assert } from './errors.js';

/**
 * Limits of memory and open files that a computation keeps to. Budgets are passed in and divided among the operators of a
 * step. An operator counts every buffer it holds against `memory`.
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

/**
 * Divides the memory of `budget` among buffers that are alive at the same time, a fraction of it for each name. An assertion
 * fails if the fractions sum to more than 1, so that buffers cannot take more than there is.
 */
export function split<Fractions extends Readonly<Record<string, number>>>(
  budget: Budget,
  fractions: Fractions,
): Readonly<Record<keyof Fractions, Budget>> {
  const parts = Object.entries<number>(fractions);
  const sum = parts.reduce((total, [, fraction]) => total + fraction, 0);
  // Tenths have no exact binary form.
  assert(sum <= 1 + 1e-9, `buffers have shares of at most 1: ${JSON.stringify(fractions)}`);
  const shares = parts.map(([name, fraction]) => [name, share(budget, fraction)]);
  return Object.fromEntries(shares) as Record<keyof Fractions, Budget>;
}
