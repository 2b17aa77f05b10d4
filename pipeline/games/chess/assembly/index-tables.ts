/**
 * Tables of the index, besides those of tables.ts: the numbers of kings with pawns, and the groups of men. Kinds of men are those of geometry.ts, to 6, a pawn that may be captured en
 * passant. Sets of men are kept by `slot`: side * 8 + kind.
 */
import { PAIR_BLACK, PAIR_OF, PAIR_SYMMETRY, PAIR_WHITE, word } from './tables';

export const PAWN = 5;
export const PASSANT = 6;

/**
 * i32, as geometry.ts has them: for any two squares of kings the symmetries that lead to their pair, as bits; and of each of the 462 pairs the
 * symmetries of the boards that have its indices.
 */
export const PAIR_IMAGES: usize = memory.data(4096 * 4, 16);
export const PAIR_BOARDS: usize = memory.data(462 * 4, 16);

/** i32: for any two squares of kings, at white * 64 + black, the canonical pair or -1, and whether it is mirrored. */
export const FILE_PAIR_OF: usize = memory.data(4096 * 4, 16);
export const FILE_PAIR_SYMMETRY: usize = memory.data(4096 * 4, 16);
/** i32, of each of the 1806 pairs. */
export const FILE_PAIR_WHITE: usize = memory.data(1806 * 4, 16);
export const FILE_PAIR_BLACK: usize = memory.data(1806 * 4, 16);

/**
 * i32, where rows are squares of the black king: for two squares of kings the number of the white king's, or -1 if they touch; and the
 * white king's square by number.
 */
export const KING_OF: usize = memory.data(4096 * 4, 16);
export const KING_SQUARE: usize = memory.data(32 * 4, 16);

/** How an index has the kings: as pairs up to eight symmetries, as pairs up to the mirror image of the files, or the black one as a man. */
export const ALL_PAIRS = 0;
export const FILE_PAIRS = 1;
export const KING_RUNS = 2;

/** For two squares of kings, their number in such an index. */
export function kingsTable(kings: i32): usize {
  return kings === KING_RUNS ? KING_OF : kings === FILE_PAIRS ? FILE_PAIR_OF : PAIR_OF;
}

/** For two squares of kings, the symmetry by which moves lead there. */
export function kingsSymmetry(kings: i32): usize {
  return kings === ALL_PAIRS ? PAIR_SYMMETRY : FILE_PAIR_SYMMETRY;
}

/** All symmetries, as bits, that bring the kings `at` (white * 64 + black) to their number. */
export function imagesOf(kings: i32, at: i32): i32 {
  return kings === ALL_PAIRS ? word(PAIR_IMAGES, at) : 1 << word(FILE_PAIR_SYMMETRY, at);
}

/**
 * The symmetries, as bits, whose images of a board have the same index, by the number of its kings: a move is taken back from an index on these
 * boards alone, for it leads to no other index from them.
 */
export function boardsOf(kings: i32, pair: i32): i32 {
  return kings === ALL_PAIRS ? word(PAIR_BOARDS, pair) : 3;
}

/** By number, the square of the white king; and of the black one, unless it runs. */
export function whiteSquares(kings: i32): usize {
  return kings === KING_RUNS ? KING_SQUARE : kings === FILE_PAIRS ? FILE_PAIR_WHITE : PAIR_WHITE;
}

export function blackSquares(kings: i32): usize {
  return kings === ALL_PAIRS ? PAIR_BLACK : FILE_PAIR_BLACK;
}

/** i32, of each group: slot of its first man, men, weight of its digit, and of pawns the address of their table (places.ts), else 0. */
export const GROUP_SLOT: usize = memory.data(8 * 4, 16);
export const GROUP_COUNT: usize = memory.data(8 * 4, 16);
export const GROUP_STRIDE: usize = memory.data(8 * 4, 16);
export const GROUP_PLACES: usize = memory.data(8 * 4, 16);

/** u64, at side * 64 + square: the squares that a pawn attacks. */
export const PAWN_ATTACKS: usize = memory.data(128 * 8, 16);
