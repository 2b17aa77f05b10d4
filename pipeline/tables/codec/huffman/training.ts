/** The frequencies of run lengths over many files, and the code made from them. */
import { limitedLengths } from '../../../../operators/core/limited-lengths.js';
import type { Training } from '../codec.js';
import { LONGEST_WORD } from './canonical.js';
import { newRunFormer } from './run-former.js';
import { ALPHABET, ESCAPE, MISS, symbolOf } from './symbols.js';

/** The payload is a byte a symbol, the length of its word. Lengths that were never seen are escaped. */
export function newHuffmanTraining(): Training {
  const frequencies = new Float64Array(ALPHABET);
  frequencies[MISS] = 1;
  frequencies[ESCAPE] = 1;
  return {
    file({ dominant }) {
      let previous = -1;
      let beforePrevious = -1;
      return newRunFormer(dominant, (value, length) => {
        if (beforePrevious >= 0 && value !== beforePrevious) frequencies[MISS]++;
        frequencies[symbolOf(length)]++;
        beforePrevious = previous;
        previous = value;
      });
    },
    payload: () => limitedLengths(frequencies, LONGEST_WORD),
  };
}
