/** The state of positions before anything is solved, as kernels report it. */

/**
 * The result of `census` for an interval of indices, in the form of the label planes (pipeline/game/labels.ts).
 * `fill-census.ts` writes and reads it a position at a time.
 */
export interface Census {
  /** The legal moves of each index, with multiplicity; 0 if broken or lost, DRAWN if drawn. */
  readonly counts: Uint8Array;
  /** How many of these leave the slice, by index; 0 if broken, lost or drawn. Null if not wanted. */
  readonly conversions: Uint8Array | null;
  /** A bit of each index, the lowest of a byte first: whether it has legal moves. The last byte is filled up with 0. */
  readonly open: Uint8Array;
  /** Keys of the positions that are lost, ascending: the first `lost` of them. */
  readonly lostKeys: Uint32Array;
  lost: number;
  /** How many positions are legal, and how many drawn. */
  legal: number;
  drawn: number;
}

/** The state of an index before anything is solved. */
export const Status = {
  /** No legal position, or not the canonical representative of one. */
  broken: 0,
  /** Has legal moves. */
  open: 1,
  /** No legal moves, and the side to move has lost (checkmate). */
  lost: 2,
  /** No legal moves, and the game is drawn (stalemate). */
  drawn: 3,
} as const;
