/**
 * Kernels for a slice that lies in memory with all that its conversions lead to. Where labels, values and frontiers of a slice fit
 * the budget, nothing has to be ordered. A move is followed at once to the position that it leads to. Positions go by their
 * indices. Both kinds of kernels make the same moves.
 */
import type { Side } from './side.js';

/** Plies that no slice in memory takes; a greater number differs from all values. */
export const MOST_RESIDENT_PLIES = 0x3fff;

/** A slice may have these kernels beside kernels by keys. */
export interface ResidentKernels {
  /** The least memory that the slice needs. */
  readonly bytes: number;
  /** Tables that the conversions of a side lead to: 2 * dependency + side to move there. */
  behind(side: Side): readonly number[];
  /**
   * @param memory that may be used: with more than `bytes`, more tables are held at once.
   * @param plies more than any event has. The memory is kept for the next slice after `close`.
   */
  open(memory: number, plies: number): ResidentSlice;
  /** Frees the memory that was kept for the next slice. */
  forget(): void;
}

/** Codes of a table (pipeline/game/value.ts), by index, in memory that kernels reach. */
export interface ResidentColumn {
  readonly bytes: Uint8Array;
  readonly wide: boolean;
}

/** The worth of moves: by code as an unsigned number of 8 or 16 bits, `preference` of the value for the side that moves there. */
export interface MoveRanks {
  readonly narrow: Uint16Array;
  readonly wide: Uint16Array;
  /** For moves within the slice, by codes of 16 bits. */
  readonly own: Uint16Array;
}

/** How many positions a round labelled. */
export interface ResidentRound {
  readonly won: number;
  readonly lost: number;
  /** Predecessors that were looked at. */
  readonly requests: number;
}

export interface ResidentSlice {
  /** Memory that kernels reach, until the next `release`; null if nothing is left. There is room for any table and side. */
  column(positions: number, wide: boolean): ResidentColumn | null;
  /** Gives up all columns. */
  release(): void;
  /** Must be set before any move is followed. */
  setRanks(ranks: MoveRanks): void;
  /** Raises the best moves of a side by its conversions to the tables given, by number of `behind`. */
  raise(side: Side, columns: ReadonlyMap<number, ResidentColumn>): void;
  /**
   * As `raise`, with the last tables of a side: then it is known which of its positions are won or lost by conversions, and when.
   */
  settle(side: Side, columns: ReadonlyMap<number, ResidentColumn>): void;
  /** Makes ready for rounds, and gives up all columns. Returns the plies that have an event, ascending. */
  begin(): number[];
  /** A ply may be left out if the round before it labelled nothing. */
  round(ply: number): ResidentRound;
  /** Writes values of a side as codes, from the index `first` on. @param plies whether codes hold plies. */
  writeValues(side: Side, first: number, positions: number, to: ResidentColumn, plies: boolean): void;
  /** Reads values of a side. All are read before any is compared. */
  readValues(side: Side, first: number, positions: number, from: ResidentColumn): void;
  /**
   * Raises the best moves of a side by its conversions to the tables given and by its moves in the slice. Returns how many positions
   * have another value, and how many moves there were to all that was given.
   */
  compare(
    side: Side,
    columns: ReadonlyMap<number, ResidentColumn>,
    plies: boolean,
  ): { readonly wrong: number; readonly moves: number };
  close(): void;
}
