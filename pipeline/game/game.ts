/**
 * The Game contract: all that the pipeline uses of a game. Each part of it has a file in this folder, so
 * that modules import only the parts they need. Positions of a slice are addressed by (side, part, key). `side` is the
 * player to move (0 is the first group of the name, "white"). A *part* is an interval of the slice's index space.
 * `key` < 2^32 is the offset in the part: index = part * width + key, a safe integer.
 *
 * Batch kernels are synchronous, work on typed arrays, allocate nothing and are handed legal positions
 * only (except `census`, which finds them).
 *
 * **Multiplicity.** A move is a move: `moves(p)` emits one row for every legal in-slice move of p, even if symmetry lets two of them reach one
 * index. Out-counts and requests must count the same thing, so for legal positions p and q of a slice, `unmoves(q)` emits p exactly as many times as
 * `moves(p)` emits q. (`unmoves` may also emit illegal indices: the join with the labels drops them.) Where two indices have one position, mirrored
 * (`SliceIndex.repeats`), each of them has all its moves. A move leads to one of the two, always the same, and is taken back from that one. A slice
 * without `unmoves` needs nothing for this. Its moves are written down once, ordered by where they lead, which is their
 * mirror by construction (pipeline/engine/phases/edges.ts).
 */
import type { BoardRules } from './board-rules.js';
import type { SliceCatalogue } from './slice-catalogue.js';
import type { SliceIndex } from './slice-index.js';
import type { SliceKernels } from './slice-kernels.js';

export * from './board-rules.js';
export * from './census.js';
export * from './emission.js';
export * from './index-order.js';
export * from './resident-kernels.js';
export * from './rows.js';
export type * from './side.js';
export * from './slice-catalogue.js';
export * from './slice-index.js';
export * from './slice-kernels.js';

/** A slice: its index and its kernels. */
export interface Slice extends SliceIndex, SliceKernels {}

/** A game: its catalogue of {@link Slice}s, and its rules for people. */
export interface Game<Board = unknown> extends SliceCatalogue<Slice>, BoardRules<Board> {
  readonly sided?: Game<Board> | undefined;
}
