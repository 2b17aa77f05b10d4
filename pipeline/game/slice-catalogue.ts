/** The catalogue of a game: which slices there are, what their endings are called, and what their tables may hold. */

import type { Colour } from './side.js';
import type { SliceIndex } from './slice-index.js';
import type { Metric } from './value.js';

/** The slices that the name of an ending stands for. */
export interface Ending {
  /** The name as people write it: the canonical name, or that with its sides exchanged. */
  readonly name: string;
  /** Canonical names of the slices it is: one, or all slices of a class of positions, in a fixed order. */
  readonly slices: readonly string[];
  /** The names of the sides were exchanged: side 0 of the slices has the colour of side 1. */
  readonly flipped: boolean;
  /**
   * The name with its sides exchanged; the same name if both sides are the same. In such a slice the positions of one side to
   * move are those of the other with the colours exchanged. So counting both would count them twice.
   */
  readonly exchanged: string;
  /** Of an ending with two tables for some of its positions: the names of the endings in which each position has one. */
  readonly bounds?: readonly [string, string];
  /** What its values take for granted beside the rules, in words: "the unknown is won for White, pawns become Q only". */
  readonly assumes?: string;
  /** All pieces on the board; kings are pieces. */
  readonly pieces: number;
  /** The name of the class that it belongs to: its own, unless it is one of several slices of a class. */
  readonly class: string;
}

/** `Slice`: the part of a slice's interface that the caller needs. */
export interface SliceCatalogue<Slice = SliceIndex> {
  readonly name: string;
  /** The colours of side 0 and side 1, in the names of slices. */
  readonly colours: readonly [Colour, Colour];
  /** Metrics that its tables may hold; the first unless another is asked for. */
  readonly metrics: readonly [Metric, ...Metric[]];
  /** Whether (part, key) is the same placement of men with either side to move, so that passing keeps the address. */
  readonly sidesShareIndex?: boolean;
  /** Reads the name of an ending as people write it ("knkr"). Throws UserError for names that are no ending. */
  ending(text: string): Ending;
  /** Whether a proof of the game's value is thought to need an ending: reports count these endings by themselves. */
  plausible?(ending: string): boolean;
  /** All slices of a game that is solved as a whole, which need not be named. */
  readonly whole?: Ending;
  /** All endings of at most so many pieces (kings are pieces), smaller ones first. Throws UserError if too many. */
  endingsUpTo(pieces: number): readonly Ending[];
  slice(name: string): Slice;
  /**
   * The same game for metrics whose goal is one side's: in its slices the first side has the first colour. `slice` of either game finds the
   * slices of both by their names. A game without such metrics leaves it out.
   */
  readonly sided?: SliceCatalogue<Slice> | undefined;
  /** The meaning of a slice's name beyond the pieces, in words ("white pawn on rank 6"); null if there is none. */
  sliceWords?(name: string): string | null;
}
