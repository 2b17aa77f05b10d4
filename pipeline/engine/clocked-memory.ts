/** The memory of a slice under dtm50: it is solved and verified as a whole, and larger ones are refused. */
import { UserError } from '../../operators/core/errors.js';
import type { SliceIndex } from '../game/game.js';
import { LADDER_BYTES } from '../tables/ladders.js';
import { STATE_BYTES } from './clocked-rounds.js';
import { memoryOf } from './memory.js';

/** Least bytes for the requests of conversions. */
const LEAST_REQUESTS = 1 << 20;

/** Bytes that a slice needs: the state of both sides in the rounds, and the requests of conversions. */
export function clockedBytes({ size }: Pick<SliceIndex, 'size'>): number {
  return Math.ceil(2 * size * STATE_BYTES) + LEAST_REQUESTS;
}

/** Whether a slice fits a partition's memory. */
export function fitsClocked(slice: Pick<SliceIndex, 'size'>, memory: number): boolean {
  return clockedBytes(slice) <= shareOf(memory);
}

function shareOf(memory: number): number {
  return memoryOf('clocked', { memory, fanIn: 2, batchRows: 1 }).slice.memory;
}

/** How many ladders may be held. */
export function mostLadders(memory: number): number {
  const { ladders } = memoryOf('clocked', { memory, fanIn: 2, batchRows: 1 });
  return Math.min(2 ** 24 - 1, Math.floor(ladders.memory / LADDER_BYTES));
}

/** @throws UserError that says how much memory the largest slice needs, if it does not fit that of a partition. */
export function requireFitting(slices: readonly Pick<SliceIndex, 'name' | 'size'>[], memory: number): void {
  const [largest] = [...slices].sort((a, b) => b.size - a.size);
  if (largest === undefined || fitsClocked(largest, memory)) return;
  const least = Math.ceil((clockedBytes(largest) * memory) / shareOf(memory) / 2 ** 20);
  throw new UserError(
    `${largest.name} is solved in memory under dtm50, and needs ${least} MiB of it: give --memory ${least}MiB or more`,
  );
}

/** Bytes that requests of conversions may take. @throws as {@link requireFitting}. */
export function requestBytes(slice: Pick<SliceIndex, 'name' | 'size'>, memory: number): number {
  requireFitting([slice], memory);
  return Math.min(shareOf(memory) - clockedBytes(slice) + LEAST_REQUESTS, MOST_REQUESTS);
}

const MOST_REQUESTS = 1 << 26;
