/**
 * Another order of the positions of a slice with a given player to move. Published files have that in which the values
 * compress best; all else has the order of the index.
 */
export interface IndexOrder {
  /** So many positions that follow each other, from a multiple of this number on, change places among themselves only. */
  readonly span: number;
  /** As `SliceIndex.periods`, in this order. */
  readonly periods: readonly number[];
  /** Where the position of an index is in this order. */
  placeOf(index: number): number;
}
