/**
 * The kernels of a slice: what is called millions of times, on typed arrays. docs/kernels-of-your-own.md explains each.
 */
import type { Census } from './census.js';
import type { Emission, MoveKernel, PartKernels } from './emission.js';
import type { ResidentKernels } from './resident-kernels.js';
import type { RowConversions, RowKernels, RowMoves } from './rows.js';
import type { Side } from './side.js';

export interface SliceKernels {
  /** No position emits more rows than this, in any kernel. Nor has any position more legal moves. */
  readonly maxMoves: number;
  /** No position has more legal moves than this; `maxMoves` unless given. Out-counts must fit a label, rows need not. */
  readonly mostLegalMoves?: number;

  /** Classifies the indices [first, first + length) of a part; results from the beginning of `out` on. */
  census(side: Side, part: number, first: number, length: number, out: Census): void;

  /** Emits the in-slice successors of positions with `side` to move; the successors have the other side to move. */
  readonly moves: MoveKernel;

  /**
   * Emits the in-slice predecessors (the other side to move) of positions with `side` to move: the mirror of `moves`, as
   * above. Games may do without: the solver then writes all moves down once, 8 bytes each, ordered by successor. Every
   * round reads those that lead to what was labelled last. That takes more disk and more reading (docs/design/rounds.md says
   * how much), and solves at most 2^32 positions a side.
   */
  readonly unmoves?: MoveKernel;

  /** See {@link PartKernels}. Only where there are `unmoves`. */
  readonly local?: PartKernels;

  /** The unmoves by rows, an optional optimisation: strategy `count` then asks no other kernel for unmoves. */
  readonly rowKernels?: RowKernels;

  /** The moves by rows, an optional optimisation: verification then asks no other kernel for moves. */
  readonly rowMoves?: RowMoves;

  /** For slices that fit the budget, an optional optimisation: strategy `count` and verification then ask no other kernel. */
  readonly resident?: ResidentKernels;

  /**
   * As `moves`, but emits the successors that lie in dependencies. The row's major is
   * `bias[2 * dependency + side to move there] + part there`.
   */
  readonly conversions: MoveKernel<ArrayLike<number>>;

  /**
   * The mirror of `conversions`, which games may do without (conversions are then joined with the tables). Takes
   * positions keys[from..to) of `part` of a dependency, with `sideThere` to move. For each of them it emits each
   * position p of this slice with `side` to move as often as `conversions(p)` emits it. Its major is `bias` + part of
   * p. Like `unmoves` it may also emit illegal indices, and like `moves` it stops before a position whose
   * rows might not fit. A dependency may be reached with and without an exchange of the sides, so both `side` and
   * `sideThere` are given. Where no conversion of `side` leads to `sideThere`, it emits nothing.
   */
  unconversions?(
    side: Side,
    dependency: number,
    sideThere: Side,
    part: number,
    keys: Uint32Array,
    from: number,
    to: number,
    bias: number,
    out: Emission,
  ): number;

  /** The same by rows, an optional optimisation: solving then asks no other kernel to take conversions back. */
  readonly rowConversions?: RowConversions;

  /**
   * Marks the don't-cares among the indices [first, first + length) of a part with 1, the others with 0. A short search over
   * its moves finds a don't-care's value, so published tables need not hold it. Games without don't-cares leave it out.
   */
  dontCares?(side: Side, part: number, first: number, length: number, out: Uint8Array): void;
}
