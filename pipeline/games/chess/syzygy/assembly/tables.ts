/**
 * The linear memory of the kernels: tables of numbering.ts and geometry.ts, and the indices and the slice that kernels are
 * set to. Behind them is the arena, whose addresses the caller chooses.
 */

import { word } from '../../../assembly/words';

export { putWord, word } from '../../../assembly/words';

/** u8, at symmetry * 64 + square: the image of the square. */
export const SYMMETRY: usize = memory.data(8 * 64, 16);
/** u8: where the mirror image of a board has its men; the a1-h8 diagonal or, with pawns, left to right. */
export const MIRROR: usize = memory.data(64, 16);
/** i32: packed numbers of leading men, as TRIPLE_OF, KINGS_OF of numbering.ts; squares by number. */
export const TRIPLE_OF: usize = memory.data(64 * 64 * 64 * 4, 16);
export const KINGS_OF: usize = memory.data(64 * 64 * 4, 16);
export const TRIPLE_SQUARES: usize = memory.data(31332 * 4, 16);
export const KINGS_SQUARES: usize = memory.data(462 * 4, 16);
/** i32, of a square: the room that it leaves; of a room: the square. */
export const ROOM: usize = memory.data(64 * 4, 16);
export const ROOM_SQUARE: usize = memory.data(48 * 4, 16);
/** i32, at k * 65 + n: C(n, k), k to 5. */
export const BINOMIAL: usize = memory.data(6 * 65 * 4, 16);

/**
 * The indices, i32 each: groups, men of the leading group, whether pawns lead. Then for each of eight groups the
 * first man, how many men, and the first square. The men in the order of the groups. The groups by weight. Then of
 * each file of the leading pawn eight strides (u64), eight sizes, and by rank the first number of the leading pawns.
 */
export const INDICES: usize = memory.data(4 * 1024, 16);
export const INDEX_BYTES: usize = 1024;
export const GROUPS: usize = 0;
export const LEADERS: usize = 4;
export const PAWNS: usize = 8;
export const START: usize = 16;
export const COUNT: usize = 48;
export const LOWEST: usize = 80;
export const ORDER: usize = 112;
export const WEIGHTS: usize = 144;
export const FILES: usize = 192;
export const FILE_BYTES: usize = 128;
export const STRIDES: usize = 0;
export const SIZES: usize = 64;
export const FIRST: usize = 96;

/** The slice that is scanned, i32: of each group how many men, its stride, its first square; the man of the file by its own. */
export const SLICE_COUNT: usize = memory.data(8 * 4, 16);
export const SLICE_STRIDE: usize = memory.data(8 * 4, 16);
export const SLICE_LOWEST: usize = memory.data(8 * 4, 16);
export const SLICE_MAN: usize = memory.data(8 * 4, 16);
/** i32: squares of the kings by pair, of White and of Black in the file. */
export const SLICE_WHITE: usize = memory.data(1806 * 4, 16);
export const SLICE_BLACK: usize = memory.data(1806 * 4, 16);

/** i32: of each bucket the rows in its page, and how many of them were taken; of each file the first bucket. */
export const MOST_BUCKETS = 16384;
export const HELD: usize = memory.data(16384 * 4, 16);
export const TAKEN: usize = memory.data(16384 * 4, 16);
export const FIRST_BUCKET: usize = memory.data(4 * 4, 16);

/** u16: the cell of each raw value (RAW_VALUES). u32, in HISTOGRAM: how often each occurs. */
export const RAW_VALUES = 16384;
export const CELL_OF: usize = memory.data(16384 * 2, 16);
/** u8, by value + 1024: 1 + its outcome. */
export const OUTCOME: usize = memory.data(0x800, 16);
/** u16: the place of each symbol in the order of frequency. */
export const RANK: usize = memory.data(0x800 * 2, 16);
export const HISTOGRAM: usize = memory.data(16384 * 4, 16);

export function binomial(n: i32, k: i32): i32 {
  return word(BINOMIAL, k * 65 + n);
}
