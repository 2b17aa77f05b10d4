import { keepShape } from './core/keep-shape.js';
import { newBatch, views } from './runs/rows.js';
import type { Batch, Column } from './runs/types.js';

/**
 * The rows of a batch that an operator keeps, in buffers that grow to the longest batch. A class, as core/keep-shape.ts explains.
 */
export class RowSelection {
  private numbers = new Uint32Array(0);
  private minor = new Uint32Array(0);
  private payload: Column[] = [];

  /** An array for the numbers of at least `length` rows. Its content is lost when it has to grow. */
  rows(length: number): Uint32Array {
    const { numbers } = this;
    if (numbers.length < length) this.numbers = new Uint32Array(Math.max(length, 2 * numbers.length));
    return this.numbers;
  }

  /**
   * A batch of the `count` rows whose ascending numbers the caller has written to `rows()`: the batch itself if these are all its rows, else a
   * copy that is valid until the next call.
   */
  apply(batch: Batch, count: number): Batch {
    if (count === batch.length) return batch;
    const { numbers } = this;
    if (this.minor.length < count) {
      this.minor = new Uint32Array(numbers.length);
      this.payload = [];
    }
    const { minor, payload } = this;
    take(batch.minor, numbers, count, minor);
    for (let c = 0; c < batch.payload.length; c++) {
      const source = batch.payload[c];
      if (payload[c]?.constructor !== source.constructor)
        payload[c] = new (source.constructor as new (length: number) => Column)(minor.length);
      take(source, numbers, count, payload[c]);
    }
    return newBatch(batch.major, count, minor.subarray(0, count), views(payload, 0, count));
  }
}

keepShape(new RowSelection());

function take(source: Column, numbers: Uint32Array, count: number, into: Column): void {
  for (let i = 0; i < count; i++) into[i] = source[numbers[i]];
}
