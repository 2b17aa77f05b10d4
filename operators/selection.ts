import type { Batch, Column } from './runs/types.js';

/** The rows of a batch that an operator keeps. */
export interface RowSelection {
  /** Room for the numbers of at least `length` rows; what was there is kept only by the caller's care. */
  rows(length: number): Uint32Array;
  /** The `count` rows whose ascending numbers were put in `rows()`: the batch itself if these are all. */
  apply(batch: Batch, count: number): Batch;
}

/** A selection with buffers that grow to the longest batch; the batch it gives is valid until the next. */
export function newSelection(): RowSelection {
  let numbers = new Uint32Array(0);
  let minor = new Uint32Array(0);
  let payload: Column[] = [];
  return {
    rows(length) {
      if (numbers.length < length) numbers = new Uint32Array(Math.max(length, 2 * numbers.length));
      return numbers;
    },
    apply(batch, count) {
      if (count === batch.length) return batch;
      if (minor.length < count) {
        minor = new Uint32Array(numbers.length);
        payload = [];
      }
      take(batch.minor, numbers, count, minor);
      for (let c = 0; c < batch.payload.length; c++) {
        const source = batch.payload[c];
        if (payload[c]?.constructor !== source.constructor) {
          payload[c] = new (source.constructor as new (length: number) => Column)(minor.length);
        }
        take(source, numbers, count, payload[c]);
      }
      return {
        major: batch.major,
        length: count,
        minor: minor.subarray(0, count),
        payload: batch.payload.map((_, c) => payload[c].subarray(0, count)),
      };
    },
  };
}

function take(source: Column, numbers: Uint32Array, count: number, into: Column): void {
  for (let i = 0; i < count; i++) into[i] = source[numbers[i]];
}
