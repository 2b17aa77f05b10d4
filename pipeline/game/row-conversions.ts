/**
 * Conversions taken back by rows: those of 64 keys of a dependency at once. Here a *row* of a dependency is the keys 64 r to
 * 64 r + 63 of a part, whatever its index is.
 */
import type { Interval } from '../../operators/core/interval.js';
import type { SetColumns, SetEmission } from './row-kernels.js';
import type { Side } from './side.js';
import type { ValueColumn } from './value.js';

/** Conversions by `side` to positions of a dependency with `sideThere` to move. */
export interface Link {
  readonly side: Side;
  readonly dependency: number;
  readonly sideThere: Side;
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
   * part; null for all. Begins with value `from`, stops when sets of a row might not fit, and returns the first value
   * not done.
   */
  decided(
    values: PartValues,
    from: number,
    alike: number,
    wanted: Uint32Array | null,
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
