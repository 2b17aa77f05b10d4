/**
 * Kernels that work on rows. A *row* is the 64 positions of a part that differ in the last digit of the index only.
 * Row r has the keys 64 r to 64 r + 63. A *set* is a subset of a row, as a word of 64 bits in two halves. Bit i of
 * `low` is key `64 r + i`, bit i of `high` key `64 r + 32 + i`. A move of another man is the same for all positions
 * of a row. So one operation makes up to 64 unmoves (Wendroff et al. 1993, section 3).
 *
 * Where positions have numbers (labelling.ts), the number of a row that comes with a set is `row * 2 ** DIGIT_BITS + digit`. A request adds 2 ** digit
 * to the numbers of the set; digit 8 makes them 255. Labelled positions come as a set for each digit of their numbers, those of 255 with digit 8
 * alone; where best moves are counted also as a set of all, with digit {@link WHOLE}, which is what sends requests.
 *
 * A game without such kernels has rows of one position (pipeline/engine/memory/keys-as-rows.ts): the number of a row is a key, a set is
 * the row itself and needs no word, so a request stays four bytes.
 */
import type { Interval } from '../../operators/core/interval.js';
import type { LabelledBy, Labelling, Numbering } from './labelling.js';
import type { Side } from './side.js';
import type { ValueColumn } from './value.js';

/**
 * Most bytes of labels, values or ranks that kernels by rows are asked to hold; what does not fit passes through. The memory of a
 * WebAssembly instance ends at 4 GiB, and the largest blocks that pass through come on top.
 */
export const MOST_KERNEL_BYTES = 2 * 2 ** 30;

/** Bits of the number of a row that are a digit, where positions have numbers. */
export const DIGIT_BITS = 4;
/** In place of a digit: labelled positions, whatever their numbers. */
export const WHOLE = 15;

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
  /**
   * Planes of bits that hold the counts of each side (pipeline/game/labels.ts): those of positions with moves are not all zero. None where nothing
   * counts down.
   */
  readonly countPlanes: readonly [number, number];
  /** Bits of the numbers of rows that are a digit: `DIGIT_BITS`, or none if positions have no numbers. */
  readonly digitBits: number;
  /** What the numbers of positions count; null if they have none. */
  readonly numbering: Numbering | null;
  /** The same rows where positions are labelled otherwise than by both sides playing to win. */
  readonly labelledAs?: (labelling: Labelling) => RowKernels;
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
  /**
   * Writes a code for all positions of sets, and adds to their numbers if they have any. Returns how many they are, and how many were broken
   * before. `numbers` is of as many bytes as `values` has values, in memory that `allocate` gave.
   */
  write(
    values: ValueColumn,
    sets: SetColumns,
    length: number,
    code: number,
    numbers: Uint8Array | null,
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
   * Hands over where the positions of a side stand that have no label yet, so that `unmovesBeyond` can leave out requests to all others.
   * @param bits by part, one bit a position, in memory that `allocate` gave; null for parts whose bits are elsewhere. Read until the next call.
   */
  takeUnlabelled(side: Side, bits: readonly (Uint8Array | null)[]): void;
  /**
   * The predecessors, as sets, of the sets [from, to) of `part` with `side` to move, which `strikeWithin` leaves out. Stops
   * before a set whose predecessors might not fit; returns the first set not done. Where any move labels the predecessors, those that are
   * labelled may be left out.
   */
  unmovesBeyond(
    side: Side,
    part: number,
    sets: SetColumns,
    range: Interval,
    bias: number,
    out: SetEmission,
    by: LabelledBy,
  ): number;
  /** How many sets `unmovesBeyond` left out as a whole since the last call. */
  takeLeftOut(): number;
  /**
   * Turns to the labels of a part, which `allocate` gave: counts of a side in planes, if positions are labelled by all of their moves, when the count
   * reaches zero. Else bits of those that are not labelled by any.
   */
  label(by: LabelledBy, side: Side, labels: Uint8Array, part: number): void;
  /** Strikes the predecessors of sets of `part` with `side` to move, as far as they are in it. Returns how many sets that were. */
  strikeWithin(side: Side, part: number, sets: SetColumns, length: number): number;
  /** Strikes sets of the part. */
  strikeRows(sets: SetColumns, length: number): void;
  /** Strikes single positions of the part, each as often as it comes. */
  strikeKeys(keys: Uint32Array, length: number): void;
  /** Whether there are labelled positions that `drain` has not returned yet. */
  hasLabelled(): boolean;
  /** The next labelled sets, ascending over all calls; valid until the next call. Empty after the last ones. */
  drain(): LabelledSets;
  close(): void;
}

// Verification: the best of the moves of whole parts. Positions have *ranks*: a byte each, more for positions that are better for the
// player who moves there, 0 for illegal ones.

/** Kernels by rows for verification, which a slice may have beside `moves` and `conversions`. Both make the same moves. */
export interface RowMoves {
  /**
   * @param bytes of all that `allocate` will be asked for. The memory is given back by `close`.
   * @param numbers where positions have numbers: how many bytes behind the ranks of a part of the slice, or of a dependency, its numbers lie;
   * and how many behind the best ranks of a part the numbers that the moves of these ranks count.
   */
  open(
    bytes: number,
    numbers?: {
      readonly numbering: Numbering;
      readonly own: number;
      readonly dependencies: number;
      readonly best: number;
    },
  ): RowRanks;
  /** All parts, in an order in which those that follow each other lead to the same parts, with `side` to move. */
  inOrder(side: Side): number[];
  /** The relative cost of verifying a part, by side to move, as positive integers. */
  readonly weights: readonly [number, number];
}

/** Ranks in memory that kernels reach: all arrays that they are given are what `allocate` returned. */
export interface RowRanks {
  /** Allocates memory with undefined contents. */
  allocate(bytes: number): Uint8Array;
  /**
   * The majors of all parts that moves of `part` with `side` to move lead to, each once. A part of the slice has
   * `bias` + part. Parts of its dependencies are numbered as `conversions` does.
   */
  behind(
    side: Side,
    part: number,
    bias: number,
    conversionBias: ArrayLike<number>,
  ): { readonly own: readonly number[]; readonly dependencies: readonly number[] };
  /**
   * Writes the ranks of codes, which need not be in memory that kernels reach, to `ranks`, and up to three bytes behind them. `table`: the
   * rank of each code as an unsigned number, above 0 for a draw. Returns whether all ranks are above 0.
   */
  rankCodes(codes: ValueColumn, table: Uint8Array, ranks: Uint8Array): boolean;
  /** Takes the ranks of illegal positions from those of a part of the slice with `side` to move. */
  complete(side: Side, part: number, ranks: Uint8Array): void;
  /**
   * Raises `best`, of the positions of a part from `from` on, by their moves to parts whose ranks are given, by major. `side` is to move;
   * `from` and the length of `best` are whole rows.
   */
  raise(
    side: Side,
    part: number,
    from: number,
    bias: number,
    conversionBias: ArrayLike<number>,
    ranks: ReadonlyMap<number, Uint8Array>,
    best: Uint8Array,
  ): void;
  /**
   * How many positions of a part, from `from` on, with `side` to move do not have the best move that they expect, and how many were
   * compared. `numbers`: those of the table, where positions have some.
   */
  countWrong(
    side: Side,
    part: number,
    from: number,
    best: Uint8Array,
    expected: Uint8Array,
    ends: EndRanks,
    numbers: Uint8Array | null,
  ): { readonly wrong: number; readonly positions: number };
  close(): void;
}

/** The ranks that positions without a move expect, drawn ones and mated ones, and keys without a position. */
export interface EndRanks {
  readonly drawn: number;
  readonly mated: number;
  readonly broken: number;
  /** The rank of positions from which the goal is not reached, where it is one side's: their number is 0. */
  readonly unsolved?: number;
}

// Conversions taken back: those of 64 keys of a dependency at once. Here a *row* of a dependency is the keys 64 r to 64 r + 63 of a
// part, whatever its index is.

/** Conversions by `side` to positions of a dependency with `sideThere` to move. */
export interface Link {
  readonly side: Side;
  readonly dependency: number;
  readonly sideThere: Side;
  /** What the numbers of positions count; none if they have none. Sets come in and go out with digits then, and all as sets. */
  readonly numbering?: Numbering | null;
}

/** Decided positions of a part: sets, and for each the value of one of its positions. */
export interface DecidedSets extends SetColumns {
  length: number;
  readonly code: Int32Array;
}

/** Values [first, first + length) of a part. */
export interface PartValues {
  readonly codes: ValueColumn;
  readonly first: number;
  readonly length: number;
}

export interface RowConversions {
  /** The form of conversions taken back: sets of rows of the slice, or keys; null if there are none. */
  readonly emits: (link: Link) => 'sets' | 'keys' | null;
  /**
   * Appends the sets of decided positions whose values are alike: the same outcome and the same number of plies. If
   * `alike` is not 0, all numbers up to `alike` are alike, and so are all above. `wanted`: a bitmap of the keys of a
   * part; null for all. `numbering`: whether sets have digits, as where moves are counted; where solutions are, conversions are made by `rowMoves`.
   * Begins with value `from`, stops when sets of a row might not fit, and returns the first value not done.
   */
  decided(
    values: PartValues,
    from: number,
    alike: number,
    wanted: Uint32Array | null,
    numbering: Numbering | null,
    out: DecidedSets,
  ): number;
  /**
   * As `unconversions`, of the sets [range.from, range.to) of a part of the dependency. Where `emits` says *sets* and `low` and
   * `high` are given, sets of rows of the slice come out, else keys. Stops before a set whose rows might not fit, 64 times
   * `maxMoves`; returns the first set not done.
   */
  unconversions(
    link: Link,
    part: number,
    sets: SetColumns,
    range: Interval,
    bias: number,
    out: SetEmission | KeyRows,
  ): number;
}

/** Where keys go; see {@link SetEmission}. */
export interface KeyRows {
  length: number;
  readonly major: Uint32Array;
  readonly minor: Uint32Array;
  readonly low?: undefined;
  readonly high?: undefined;
}
