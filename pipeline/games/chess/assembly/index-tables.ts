/**
 * Tables of the index, besides those of tables.ts: the numbers of kings with pawns, and the groups of men. Kinds of men are those of
 * geometry.ts, to 6, a pawn that may be captured en passant. Sets of men are kept by `slot`: side * 8 + kind.
 */
import { word } from './tables';

export const PAWN = 5;
export const PASSANT = 6;

/** How an index has the kings: as pairs up to eight symmetries (0), as pairs up to the mirror image of the files (1), or the black one as a man (2). */
export const ALL_PAIRS = 0;
export const KING_RUNS = 2;
const MOST_PAIRS = 1806;

/** i32, for each such index, at white * 64 + black: the number of the kings or -1, and the symmetries that bring them there, as bits. */
export const KINGS_OF: usize = memory.data(3 * 4096 * 4, 16);
export const KINGS_IMAGES: usize = memory.data(3 * 4096 * 4, 16);
/** i32, for each such index, by number of the kings: their squares (none of the black one, if it is a man) and, as bits, `boardsOf`. */
export const KINGS_WHITE: usize = memory.data(3 * 1806 * 4, 16);
export const KINGS_BLACK: usize = memory.data(3 * 1806 * 4, 16);
export const KINGS_BOARDS: usize = memory.data(3 * 1806 * 4, 16);

/** The number of the kings `at` (white * 64 + black), -1 if they touch. */
export function kingsOf(kings: i32, at: i32): i32 {
  return word(KINGS_OF, (kings << 12) | at);
}

/** All symmetries, as bits, that bring them to their number: moves lead there by the lowest. */
export function imagesOf(kings: i32, at: i32): i32 {
  return word(KINGS_IMAGES, (kings << 12) | at);
}

export function whiteOf(kings: i32, number: i32): i32 {
  return word(KINGS_WHITE, kings * MOST_PAIRS + number);
}

export function blackOf(kings: i32, number: i32): i32 {
  return word(KINGS_BLACK, kings * MOST_PAIRS + number);
}

/**
 * The symmetries, as bits, whose images of a board have the same index, by the number of its kings: a move is taken back from an index on these
 * boards alone, for it leads to no other index from them.
 */
export function boardsOf(kings: i32, number: i32): i32 {
  return word(KINGS_BOARDS, kings * MOST_PAIRS + number);
}

/** i32, of each group: slot of its first man, men, weight of its digit, and of pawns the address of their table (places.ts), else 0. */
export const GROUP_SLOT: usize = memory.data(8 * 4, 16);
export const GROUP_COUNT: usize = memory.data(8 * 4, 16);
export const GROUP_STRIDE: usize = memory.data(8 * 4, 16);
export const GROUP_PLACES: usize = memory.data(8 * 4, 16);

/** u64, at side * 64 + square: the squares that a pawn attacks. */
export const PAWN_ATTACKS: usize = memory.data(128 * 8, 16);
