/**
 * Tables of slices with pawns, besides those of ../tables.ts. They are the pairs of kings up to the mirror image of
 * the files, and the groups of men. Kinds of men are those of geometry.ts, to 6, a pawn that may be captured en
 * passant. Sets of men are kept by `slot`: side * 8 + kind.
 */
export const PAWN = 5;
export const PASSANT = 6;

/** i32: for any two squares of kings, at white * 64 + black, the canonical pair or -1, and whether it is mirrored. */
export const FILE_PAIR_OF: usize = memory.data(4096 * 4, 16);
export const FILE_PAIR_SYMMETRY: usize = memory.data(4096 * 4, 16);
/** i32, of each of the 1806 pairs. */
export const FILE_PAIR_WHITE: usize = memory.data(1806 * 4, 16);
export const FILE_PAIR_BLACK: usize = memory.data(1806 * 4, 16);

/** i32, of each group: slot, men, weight of its digit, and of pawns the square of their rank on the a-file, else 0. */
export const GROUP_SLOT: usize = memory.data(8 * 4, 16);
export const GROUP_COUNT: usize = memory.data(8 * 4, 16);
export const GROUP_STRIDE: usize = memory.data(8 * 4, 16);
export const GROUP_RANK: usize = memory.data(8 * 4, 16);

/** u64, at side * 64 + square: the squares that a pawn attacks. */
export const PAWN_ATTACKS: usize = memory.data(128 * 8, 16);
