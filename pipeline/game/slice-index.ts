/** The index of a slice: how many positions it has, and how they are numbered. */

import type { Interval } from '../../operators/core/interval.js';
import type { IndexOrder } from './index-order.js';
import type { Assumption } from './labelling.js';
import type { Side } from './side.js';
import type { Metric } from './value.js';

/** A position as the pipeline addresses it. */
export interface Address {
  readonly slice: string;
  readonly side: Side;
  readonly part: number;
  readonly key: number;
}

/** Which indices of a slice repeat the position of another one. */
export interface Repeats {
  /** Ascending intervals of keys of a part, with bounds that are multiples of 64, in which all of them are. */
  within(part: number): readonly Interval[];
  /** Sets the two words of `out` to a bit for each of the 64 keys from `key` on, a multiple of 64 within such an interval: 1 if it repeats another. */
  ofRow(key: number, out: Uint32Array): void;
}

/** A slice that conversions lead to. */
export interface Dependency {
  readonly slice: string;
  readonly parts: number;
  /**
   * The metrics whose count restarts with every move to that slice; the others count on. All moves to a slice must restart
   * the same metrics, so other moves lead to slices of their own. `wdl` counts nothing and need not be named.
   */
  readonly restarts: readonly Metric[];
  /** The sides to move there after a conversion; both if left out. `unconversions` is asked of no other positions. */
  readonly sidesThere?: readonly Side[];
  /**
   * Makes a bitmap of the keys that conversions may lead to. It is the same for all parts there, and has as many bits
   * as a part has positions. All keys if left out. `unconversions` is asked of no other positions.
   */
  readonly keysThere?: () => Uint32Array;
}

export interface SliceIndex {
  /** Canonical name, e.g. "KRKN". */
  readonly name: string;
  readonly parts: number;
  /** Positions of a part; the last part may be shorter. */
  readonly width: number;
  /** Positions of a side: (parts - 1) * width + partSize(parts - 1). */
  readonly size: number;
  partSize(part: number): number;
  /** Names the numbering of the positions, if the slice may have another as well. A table of another one is refused. */
  readonly numbering?: string;
  /** The relative work of each part; equal if left out. Workers get intervals of parts with equal sums. */
  readonly partWeights?: readonly number[];
  /**
   * Of a slice that is not solved: what all its positions are taken to be worth (labelling.ts). It has no table and no dependencies.
   * Dependencies alone are assumed.
   */
  readonly assumed?: Assumption;
  /** Of a slice that is not solved: its table is made of other data, before the slices that convert to it are solved. Dependencies alone are so. */
  readonly lookedUp?: true;
  /** Slices that conversions lead to, in a fixed order; conversions address them by number. */
  readonly dependencies: readonly Dependency[];
  /**
   * Distances at which positions of the index resemble each other, ascending: what the digits of the index before the last
   * one count. A hint for compression. Games may leave it out.
   */
  periods?(side: Side): readonly number[];
  /**
   * Other orders of the positions, by their numbers in published files. So append only; null where the number means the index
   * itself, as 0 does, or an order that this side does not have. A hint for compression, too.
   */
  orders?(side: Side): readonly (IndexOrder | null)[];

  /**
   * The indices which *repeat* the position of another index of the slice, mirrored. If it is left out, there are none. Such an index has a
   * value like any other, but positions are counted and listed without it, and `locate` returns the other one.
   */
  readonly repeats?: Repeats;

  /** Boards that the position stands for (its orbit under the symmetries), for each of keys[0..length); 0 if it repeats another index's. */
  orbitSizes(part: number, keys: Uint32Array, length: number, out: Uint8Array): void;
}
