/** Whole sets: what is in them, and what is taken out. */
import { length, loadWords, storeWords } from './set-layout';

/** Whether the words of a pair of kings have any position. */
export function some(set: usize): bool {
  for (let i: usize = 0; i < length; i += 16) if (v128.any_true(loadWords(set + i))) return true;
  return false;
}

/** Takes the positions of a pair in `taken` out of `set`. */
export function subtract(set: usize, taken: usize): void {
  for (let i: usize = 0; i < length; i += 16) {
    storeWords(set + i, v128.andnot(loadWords(set + i), loadWords(taken + i)));
  }
}

/** Leaves in `open` what is still in `wanted`, and puts the rest, which was struck off, in `struck`. */
export function keepStruck(open: usize, wanted: usize, struck: usize): void {
  for (let i: usize = 0; i < length; i += 16) {
    const left = loadWords(wanted + i);
    storeWords(struck + i, v128.andnot(loadWords(open + i), left));
    storeWords(open + i, left);
  }
}

/** Whether the words of a pair are the same in two sets. */
export function same(a: usize, b: usize): bool {
  for (let i: usize = 0; i < length; i += 16) {
    if (v128.any_true(v128.xor(loadWords(a + i), loadWords(b + i)))) return false;
  }
  return true;
}
