/** The layout of sets (../set-layout.ts) as kernels see it: its tables, and what they need of the board besides. */
import { SIDE, word } from '../../../games/chess/assembly/tables';

/** i32, of each man: the binary logarithm of its weight in a config. */
export const SHIFT: usize = memory.data(8 * 4, 16);

/** Men besides the kings, and the one of them that is in word: -1 if there is none. */
export let men: i32 = 0;
export let wordMan: i32 = -1;
/** Bytes of the words of a pair of kings. */
export let length: usize = 0;
/** u64, by config: the squares that array men occupy, all of them if two coincide. */
export let occupiedSquares: usize = 0;
/** i32, at symmetry * configs + config: where a symmetry takes a config. */
export let images: usize = 0;

export function configure(count: i32, inWord: i32, configs: i32, occupied: usize, image: usize): void {
  men = count;
  wordMan = inWord;
  length = (configs as usize) << 3;
  occupiedSquares = occupied;
  images = image;
}

/** The first byte behind the tables. */
export function heapBase(): usize {
  return __heap_base;
}

export function isArrayMan(man: i32, side: i32): bool {
  return man !== wordMan && word(SIDE, man) === side;
}

/** The square of an array man. */
export function squareIn(config: i32, man: i32): i32 {
  return (config >> word(SHIFT, man)) & 63;
}

/** Two words of a set; sets with a single word for each pair of kings have but one. */
export function loadWords(at: usize): v128 {
  return length < 16 ? v128.load64_zero(at) : v128.load(at);
}

export function storeWords(at: usize, words: v128): void {
  if (length < 16) v128.store64_lane(at, words, 0);
  else v128.store(at, words);
}
