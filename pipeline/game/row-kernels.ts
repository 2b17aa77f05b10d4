/**
 * Kernels that work on rows. A *row* is the 64 positions of a part that differ in the last digit of the index only.
 * Row r has the keys 64 r to 64 r + 63. A *set* is a subset of a row, as a word of 64 bits in two halves. Bit i of
 * `low` is key `64 r + i`, bit i of `high` key `64 r + 32 + i`. A move of another man is the same for all positions
 * of a row. So one operation makes up to 64 unmoves (Wendroff et al. 1993, section 3).
 *
 * A game without such kernels has rows of one position (pipeline/engine/keys-as-rows.ts): the number of a row is a key, a set is
 * the row itself and needs no word, so a request stays four bytes.
 */
import type { Interval } from '../../operators/core/interval.js';
import type { Side } from './side.js';
import type { ValueColumn } from './value.js';

/**
 * Most bytes of labels, values or ranks that kernels by rows are asked to hold; what does not fit passes through. The memory of a
 * WebAssembly instance ends at 4 GiB, and the largest blocks that pass through come on top.
 */
export const MOST_KERNEL_BYTES = 2 * 2 ** 30;

/** Columns of sets: the numbers of their rows, and the halves of the words, which are empty where rows have one position. */
export interface SetColumns {
  readonly minor: Uint32Array;
  readonly low: Uint32Array;
  readonly high: Uint32Array;
}

/** Where sets go that leave their part. */
export interface SetEmission extends SetColumns {
  length: number;
  /** `bias + part` of the set. */
  readonly major: Uint32Array;
}

/** Sets that were labelled; views. */
export interface LabelledSets extends SetColumns {
  readonly length: number;
  /** How many positions they have together. */
  readonly positions: number;
}

/** The rows of a slice. Kernels by rows and by keys count the same moves, with the same multiplicity. */
export interface RowKernels {
  /** Positions of a row. */
  readonly width: 1 | 64;
  /** Planes of bits that hold the counts of each side (pipeline/game/labels.ts): those of positions with moves are not all zero. */
  readonly countPlanes: readonly [number, number];
  /** Writes the counts of whole rows of a side, a byte each, as planes. */
  packCounts(side: Side, counts: Uint8Array, out: Uint8Array): void;
  /** @param bytes of all labels that will be held at once. The labels' memory is given back by `close`. */
  open(bytes: number): RowLabels;
  /** @param bytes of all values that will be held at once. Their memory is given back by `close`. */
  openValues(bytes: number): RowValues;
}

/** Values of parts (pipeline/game/value.ts) while a table is put together, in memory that kernels reach. */
export interface RowValues {
  /** Memory for the values of a part; its contents are undefined. */
  allocate(bytes: number): { readonly buffer: ArrayBuffer; readonly byteOffset: number };
  /** Takes the bits of what is not won: bytes of a part from the `first` on. All of a part are taken before it is settled. */
  takeUnwon(bits: Uint8Array, first: number): void;
  /** Makes positions of the part drawn if they have a bit, and broken if not. Returns how many have one. */
  settle(values: ValueColumn): number;
  /** Writes a code for all positions of sets. Returns how many they are, and how many were broken before. */
  write(
    values: ValueColumn,
    sets: SetColumns,
    length: number,
    code: number,
  ): { readonly positions: number; readonly broken: number };
  close(): void;
}

/**
 * The labels of a slice while its rounds are done, in memory that kernels reach. `label` turns to a part. What
 * strikes the part takes one off the counts of positions, or clears the bits of positions that are won. `drain` says
 * which were labelled.
 */
export interface RowLabels {
  /** Memory for the labels of a block of parts; its contents are undefined. */
  allocate(bytes: number): Uint8Array;
  /** Whether unmoves that stay in their part are struck by `strikeWithin`. */
  readonly strikesWithin: boolean;
  /**
   * The predecessors, as sets, of the sets [from, to) of `part` with `side` to move, which `strikeWithin` leaves out. Stops
   * before a set whose predecessors might not fit; returns the first set not done.
   */
  unmovesBeyond(
    side: Side,
    part: number,
    sets: SetColumns,
    range: Interval,
    bias: number,
    out: SetEmission,
  ): number;
  /**
   * Turns to the labels of a part, which `allocate` gave: counts of a side in planes, if positions are `lost` when theirs reach
   * zero. Else bits of those that are not known to be won.
   */
  label(kind: 'won' | 'lost', side: Side, labels: Uint8Array, part: number): void;
  /** Strikes the predecessors of sets of `part` with `side` to move, as far as they are in it. Returns how many sets that were. */
  strikeWithin(side: Side, part: number, sets: SetColumns, length: number): number;
  /** Strikes sets of the part. */
  strikeRows(sets: SetColumns, length: number): void;
  /** Strikes single positions of the part, each as often as it comes. */
  strikeKeys(keys: Uint32Array, length: number): void;
  /** Whether something was labelled that `drain` has not handed out. */
  hasLabelled(): boolean;
  /** The next sets that were labelled, ascending over all calls; valid until the next call. None when all are out. */
  drain(): LabelledSets;
  close(): void;
}
