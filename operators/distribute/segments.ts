import type { RunReader } from '../runs/reader.js';

/** The result of a distribution: which rows of which major are where. Plain typed arrays but for `run`: without, it can be posted. */
export interface DistributedRows {
  readonly majors: number;
  readonly payload: number;
  readonly rows: number;
  /** What is still in the pool. */
  readonly held: Held;
  /** The scratch object that holds what was spilled, null if nothing was. */
  readonly object: string | null;
  /** The run that holds it instead (kept.ts), null if none does. */
  readonly run: RunReader | null;
  readonly spills: readonly Spill[];
}

/** Pages in a pool. Page p of major number i is at words[pages[p]], starts[i] <= p < starts[i + 1]; all but the last
 * of a major are full. */
export interface Held {
  readonly pageRows: number;
  /** The majors that have pages, ascending, and the rows of each. */
  readonly majors: Uint32Array;
  readonly rows: Uint32Array;
  readonly starts: Uint32Array;
  readonly pages: Uint32Array;
}

/**
 * One memory full in the scratch object: for each major in ascending order its minors, then its payload columns, all
 * u32, rows in the order they came. words[i] is where major number i starts, in words from the start of the object;
 * words has one more element, the end.
 */
export interface Spill {
  readonly majors: Uint32Array;
  readonly words: Float64Array;
}

/** The number of the first of ascending `majors` that is not below `major`. */
export function lowerBound(majors: Uint32Array, major: number): number {
  let low = 0;
  let high = majors.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (majors[middle] < major) low = middle + 1;
    else high = middle;
  }
  return low;
}
