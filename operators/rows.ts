import { type Arrays, newArrays } from './core/arrays.js';
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

/** The same, of arrays that are lent and given back. */
export function borrowRows(
  capacity: number,
  payload: number,
  arrays: Arrays = newArrays(),
): { readonly rows: Rows; readonly giveBack: () => void } {
  const taken = Array.from({ length: 2 + payload }, () => arrays.take(capacity));
  const [major, minor, ...columns] = taken.map((array) => array.subarray(0, capacity));
  return {
    rows: { length: 0, major, minor, payload: columns },
    giveBack() {
      for (const array of taken.splice(0)) arrays.give(array);
    },
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
