import type { Batch, Rows } from './runs/types.js';

/** Empty unordered rows of a fixed capacity. */
export function newRows(capacity: number, payload: number): Rows {
  return {
    length: 0,
    major: new Uint32Array(capacity),
    minor: new Uint32Array(capacity),
    payload: Array.from({ length: payload }, () => new Uint32Array(capacity)),
  };
}

/** The rows [from, to) of a batch, as a view. */
export function slice(batch: Batch, from: number, to: number): Batch {
  if (from === 0 && to === batch.length) return batch;
  return {
    major: batch.major,
    length: to - from,
    minor: batch.minor.subarray(from, to),
    payload: batch.payload.map((column) => column.subarray(from, to)),
  };
}
