/**
 * Kernels that find the best of the moves of whole parts, by rows (pipeline/game/row-kernels.ts), for verification. Positions
 * have *ranks*: a byte each, more for positions that are better for the player who moves there, 0 for illegal ones.
 */
import type { Side } from './side.js';

/** Kernels by rows for verification, which a slice may have beside `moves` and `conversions`. Both make the same moves. */
export interface RowMoves {
  /** @param bytes of all that `allocate` will be asked for. The memory is given back by `close`. */
  open(bytes: number): RowRanks;
  /** All parts, in an order in which those that follow each other lead to the same parts, with `side` to move. */
  inOrder(side: Side): number[];
  /** By side to move: about how much verifying a part takes, in positive integers. */
  readonly weights: readonly [number, number];
}

/**
 * A scale for codes of 16 bits. Outcomes have ordinals: a loss in n plies has n, a draw `most + 3`, a win in n plies
 * `2 * most + 6 - n`. Plies above `most` count as `most`. Ordinals are divided by `step`, losses rounded down and
 * wins up. Ordinal `first` has rank 2; ranks are 1 at least and 254 at most.
 */
export interface WideScale {
  readonly most: number;
  readonly step: 1 | 2;
  readonly first: number;
  /** Codes of wins in more plies have no rank, nor of losses in two more; with step 2 nor have even ones but draws. */
  readonly plies: number;
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
   * Codes of successors in a column i8 become ranks. With `plies`: `255 - n` for a loss in n plies, `n + 1` for a win
   * in n plies, 128 for a draw or a broken index. Else 255, 128 and 2. Returns whether one is a win in more plies
   * than there are ranks for.
   */
  rankCodes(codes: Uint8Array, plies: boolean): boolean;
  /** Turns codes into the ranks that the best of their moves must have; 129 for a broken index, 0 for a mate. */
  expectRanks(codes: Uint8Array, plies: boolean): void;
  /**
   * The same for codes of 16 bits, which are not in memory that kernels reach, by a scale. They are the ranks of
   * successors for the player who moves there, or those that positions expect. A broken index has 255. Codes without
   * a rank become 0. Returns whether there are any.
   */
  rankWords(codes: Int16Array, scale: WideScale, expects: boolean, to: Uint8Array): boolean;
  /** Takes the ranks of illegal positions from those of a part of the slice with `side` to move. */
  complete(side: Side, part: number, ranks: Uint8Array): void;
  /** Raises `best` by the moves of a part with `side` to move to parts whose ranks are given, by major. */
  raise(
    side: Side,
    part: number,
    bias: number,
    conversionBias: ArrayLike<number>,
    ranks: ReadonlyMap<number, Uint8Array>,
    best: Uint8Array,
  ): void;
  /**
   * How many positions have not the best move that they expect; `counts` are those of a census. Lost positions count as broken.
   * @param drawn, broken what a position expects that is a stalemate, or broken.
   */
  countWrong(
    best: Uint8Array,
    expected: Uint8Array,
    counts: Uint8Array,
    drawn: number,
    broken: number,
  ): { readonly wrong: number; readonly moves: number };
  close(): void;
}
