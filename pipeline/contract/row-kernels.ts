/**
 * Kernels that work on rows. A *row* is the 64 positions of a part that differ in the last digit of the index only: row r has
 * the keys 64 r to 64 r + 63. A *set* is a subset of a row, as a word of 64 bits in two halves: bit i of `low` is key 64 r + i,
 * bit i of `high` key 64 r + 32 + i. A move of another man is the same for all positions of a row, so one operation makes
 * up to 64 unmoves (Wendroff et al. 1993, section 3).
 */
import type { Side } from './side.js';

/** Sets that leave their part: each row says which positions of a row are asked for. */
export interface RowEmission {
  length: number;
  /** `bias + part` of the set. */
  readonly major: Uint32Array;
  /** Number of the row in its part. */
  readonly minor: Uint32Array;
  readonly low: Uint32Array;
  readonly high: Uint32Array;
}

/** Kernels by rows, which a slice may have beside those by keys. Both count the same moves, with the same multiplicity. */
export interface RowKernels {
  /** No row emits more sets than this. */
  readonly maxSets: number;
  /** @param bytes of all labels that will be held at once. The labels' memory is given back by `close`. */
  open(bytes: number): RowLabels;
}

/**
 * The labels of a slice while its rounds are done, in memory that kernels reach. `label` turns to a part; what strikes the part
 * takes one off the counts of positions, or clears the bits of positions that are won; `drain` says which were labelled.
 */
export interface RowLabels {
  /** Memory for the labels of a block of parts; what it holds is undefined. */
  allocate(bytes: number): Uint8Array;
  /**
   * The sets of predecessors of keys[from..to), ascending, of `part` with `side` to move, which the unmoves by `strikeWithin`
   * leave out. Stops before a row whose sets might not fit; returns the first key not done.
   */
  unmovesBeyond(
    side: Side,
    part: number,
    keys: Uint32Array,
    from: number,
    to: number,
    bias: number,
    out: RowEmission,
  ): number;
  /**
   * Turns to the labels of a part, which `allocate` gave: counts, if positions are `lost` when theirs reach zero; else bits of
   * those that are not known to be won.
   */
  label(kind: 'won' | 'lost', labels: Uint8Array): void;
  /** Unmoves keys[0..length), ascending, of `part` with `side` to move, as far as they stay in it. Returns the sets struck. */
  strikeWithin(side: Side, part: number, keys: Uint32Array, length: number): number;
  /** Strikes sets of the part. */
  strikeRows(rows: Uint32Array, low: Uint32Array, high: Uint32Array, length: number): void;
  /** Strikes single positions of the part, each as often as it comes. */
  strikeKeys(keys: Uint32Array, length: number): void;
  /** Whether something was labelled that `drain` has not handed out. */
  hasLabelled(): boolean;
  /** The next keys that were labelled, ascending over all calls; a view, valid until the next call. None when all are out. */
  drain(): Uint32Array;
  close(): void;
}
