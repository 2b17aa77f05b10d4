/**
 * Rows that kernels write, and the form of the kernels that make moves.
 *
 * Kernels take many parameters: they are called for every batch of a part, often for a few keys. An object for each call
 * would be one more thing to fill and to collect.
 */
import type { Side } from './side.js';

/** Room that a kernel writes rows to. Rows beyond `length` are free; capacity is the length of the arrays. */
export interface Emission {
  length: number;
  /** `bias + part` of the emitted position: lets the pipeline put more than the part into a request's major key. */
  readonly major: Uint32Array;
  readonly minor: Uint32Array;
  /** Number (in the input batch) of the position the row came from; written by `moves` and `conversions` only. */
  readonly source: Uint32Array;
}

/**
 * Emits rows for the positions keys[from..to) of `part` with `side` to move; majors are `bias` + part. Stops before a
 * position whose rows might not fit; returns the first position not done.
 */
export type MoveKernel<Bias = number> = (
  side: Side,
  part: number,
  keys: Uint32Array,
  from: number,
  to: number,
  bias: Bias,
  out: Emission,
) => number;

/** An {@link Emission} whose rows all lie in one part. */
export interface KeyEmission {
  length: number;
  readonly minor: Uint32Array;
}

/**
 * Unmoves divided by where they lead, an optional optimisation. Rows that stay in the part need not be sent or ordered:
 * they are applied while the labels of the part are in the cache. The two kernels together emit the rows of the slice's
 * `unmoves`; *beyond* may emit rows that stay in their part, too.
 */
export interface PartKernels {
  /** The predecessors in the same part (the other side to move). */
  unmovesWithin(
    side: Side,
    part: number,
    keys: Uint32Array,
    from: number,
    to: number,
    out: KeyEmission,
  ): number;
  readonly unmovesBeyond: MoveKernel;
}
