import type { RunReader } from '../runs/reader.js';

/**
 * The result of a distribution: where the rows of each major are. All but `run` is plain typed arrays, and without
 * `run` it can be posted.
 */
export interface DistributedRows {
  readonly majors: number;
  readonly payload: number;
  readonly rows: number;
  /** The rows that are still in the pool. */
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
 * One spill, the rows of a full pool, in the scratch object: for each major in ascending order its minors, then its payload columns, all u32.
 * Rows keep the order in which they came. Element i of words is where major number i starts, in words from the start of the object.
 * The last element is the end.
 */
export interface Spill {
  readonly majors: Uint32Array;
  readonly words: Float64Array;
}
