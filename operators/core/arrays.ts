import { newWords } from './pages.js';

/**
 * Arrays that are used again and again. A join or a round orders hundreds of groups of rows of about the same size. Fresh
 * arrays for each would cost the zeroing of their pages and leave garbage that no budget counts.
 */
export interface Arrays {
  /** An array of at least `words` words, its content arbitrary. */
  take(words: number): Uint32Array;
  /** Gives an array back that `take` gave out. */
  give(array: Uint32Array): void;
}

/** @param most bytes of arrays that wait to be used again; those above are dropped. */
export function newArrays(most = Number.POSITIVE_INFINITY): Arrays {
  const free: Uint32Array[] = [];
  return {
    take(words) {
      // The smallest that fits: a later request may need the larger ones.
      let fit = -1;
      free.forEach(({ length }, i) => {
        if (length >= words && (fit < 0 || length < free[fit].length)) fit = i;
      });
      if (fit >= 0) return free.splice(fit, 1)[0];
      // Drop one that is too small: the new, larger one takes its place, so the sum stays what was in use at once.
      free.pop();
      return newWords(words);
    },
    give(array) {
      if (array.length === 0) return;
      const waiting = free.reduce((sum, { byteLength }) => sum + byteLength, array.byteLength);
      if (waiting <= most) free.push(array);
    },
  };
}

/** Rounds a size up, by an eighth at most, so that pieces of about the same size can use each other's arrays. */
export function takeBytes(
  arrays: Arrays,
  bytes: number,
): { readonly array: Uint32Array; readonly bytes: Uint8Array } {
  const words = Math.ceil(Math.max(32, bytes) / 4);
  const step = 2 ** (29 - Math.clz32(words));
  const array = arrays.take(Math.ceil(words / step) * step);
  return { array, bytes: new Uint8Array(array.buffer, 0, bytes) };
}
