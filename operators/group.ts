/**
 * Makes one row of all rows of a key, with an aggregate of them.
 *
 * Input: a cursor ascending by (major, minor). Output: the same keys, strictly ascending, with one u32 payload column.
 * Algorithm: one scan; the boundaries of a batch's groups are found first, then the reducer folds them all in one call;
 * a group that straddles batches is combined from its parts. Memory: two batches. I/O: reads the input once.
 * Degenerate cases: no rows; a group longer than any batch.
 */
import type { Batch, Column, Cursor } from './runs/types.js';

/** An associative aggregate. */
export interface Reducer {
  /** Sets out[g] to the aggregate of the batch's rows starts[g] to starts[g + 1] (not included) for all g < groups. */
  fold(batch: Batch, starts: Uint32Array, groups: number, out: Uint32Array): void;
  /** The aggregate of two parts of a group. */
  combine(a: number, b: number): number;
}

/** The number of rows of a key. */
export const count: Reducer = {
  fold(_, starts, groups, out) {
    for (let g = 0; g < groups; g++) out[g] = starts[g + 1] - starts[g];
  },
  combine: (a, b) => a + b,
};

/** The greatest value of payload column `column` (unsigned). */
export function max(column: number): Reducer {
  return {
    fold: (batch, starts, groups, out) => foldMax(batch.payload[column], starts, groups, out),
    combine: (a, b) => Math.max(a, b),
  };
}

/** The least value of payload column `column` (unsigned). */
export function min(column: number): Reducer {
  return {
    fold: (batch, starts, groups, out) => foldMin(batch.payload[column], starts, groups, out),
    combine: (a, b) => Math.min(a, b),
  };
}

/** The bits that all values of payload column `column` have. */
export function and(column: number): Reducer {
  return {
    fold: (batch, starts, groups, out) => foldAnd(batch.payload[column], starts, groups, out),
    combine: (a, b) => (a & b) >>> 0,
  };
}

/** See the top of this file. */
export async function* group(input: Cursor, reducer: Reducer): Cursor {
  let starts = new Uint32Array(0);
  let minor = new Uint32Array(0);
  let value = new Uint32Array(0);
  // The last group so far, which the next batch may go on with.
  let major = -1;
  let key = -1;
  let aggregate = 0;
  for await (const batch of input) {
    if (starts.length < batch.length + 1) {
      starts = new Uint32Array(batch.length + 1);
      minor = new Uint32Array(batch.length + 1);
      value = new Uint32Array(batch.length + 1);
    }
    const open = major >= 0;
    const continued = open && batch.major === major && batch.minor[0] === key;
    if (open && batch.major !== major) {
      minor[0] = key;
      value[0] = aggregate;
      yield groups(major, 1, minor, value);
    }
    // An open group of this major that does not go on takes the first row of the output.
    const shift = open && batch.major === major && !continued ? 1 : 0;
    const length = boundaries(batch.minor, batch.length, starts);
    const values = value.subarray(shift);
    reducer.fold(batch, starts, length, values);
    if (continued) values[0] = reducer.combine(aggregate, values[0]);
    for (let g = 0; g < length; g++) minor[shift + g] = batch.minor[starts[g]];
    if (shift === 1) {
      minor[0] = key;
      value[0] = aggregate;
    }
    major = batch.major;
    const closed = shift + length - 1;
    key = minor[closed];
    aggregate = value[closed];
    if (closed > 0) yield groups(major, closed, minor, value);
  }
  if (major >= 0) yield groups(major, 1, Uint32Array.of(key), Uint32Array.of(aggregate));
}

function groups(major: number, length: number, minor: Uint32Array, value: Uint32Array): Batch {
  return { major, length, minor: minor.subarray(0, length), payload: [value.subarray(0, length)] };
}

/** Where the groups of equal minors start, and at the end `length`; returns their number. */
function boundaries(minor: Uint32Array, length: number, starts: Uint32Array): number {
  let groups = 1;
  starts[0] = 0;
  for (let i = 1; i < length; i++) {
    starts[groups] = i;
    groups += minor[i] !== minor[i - 1] ? 1 : 0;
  }
  starts[groups] = length;
  return groups;
}

function foldMax(column: Column, starts: Uint32Array, groups: number, out: Uint32Array): void {
  for (let g = 0; g < groups; g++) {
    let value = column[starts[g]];
    for (let i = starts[g] + 1; i < starts[g + 1]; i++) value = column[i] > value ? column[i] : value;
    out[g] = value;
  }
}

function foldMin(column: Column, starts: Uint32Array, groups: number, out: Uint32Array): void {
  for (let g = 0; g < groups; g++) {
    let value = column[starts[g]];
    for (let i = starts[g] + 1; i < starts[g + 1]; i++) value = column[i] < value ? column[i] : value;
    out[g] = value;
  }
}

function foldAnd(column: Column, starts: Uint32Array, groups: number, out: Uint32Array): void {
  for (let g = 0; g < groups; g++) {
    let value = column[starts[g]];
    for (let i = starts[g] + 1; i < starts[g + 1]; i++) value &= column[i];
    out[g] = value;
  }
}
