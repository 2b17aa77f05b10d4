/**
 * Canonical Huffman codes as the format has them: at most 32 bits. Symbols are renumbered by descending length of their
 * code. So longer codes are smaller numbers, and codes of one length are consecutive ones. Symbols without a code come last.
 */
import { assert } from '../../../../operators/core/errors.js';
import { limitedLengths } from '../../../../operators/core/limited-lengths.js';

const LONGEST = 32;

export interface Codes {
  /** By symbol: the bits of its code, 0 if it never occurs; its code; its number in the file. */
  readonly lengths: Uint8Array;
  readonly codes: Uint32Array;
  readonly numbers: Uint16Array;
  /** The symbols by number in the file. */
  readonly symbols: Uint16Array;
  readonly least: number;
  readonly most: number;
  /** By length from `least` to `most`: the number of the first symbol with a code no longer than that. */
  readonly offsets: readonly number[];
}

/** Codes for symbols that occur so often; at least one does. */
export function huffmanCodes(counts: Float64Array): Codes {
  const lengths = limitedLengths(counts, LONGEST);
  const symbols = Uint16Array.from(counts.keys()).sort(
    (a, b) => lengths[b] - lengths[a] || counts[b] - counts[a] || a - b,
  );
  const numbers = new Uint16Array(counts.length);
  for (const [number, symbol] of symbols.entries()) numbers[symbol] = number;
  const coded = symbols.filter((symbol) => lengths[symbol] > 0);
  assert(coded.length > 0, 'some symbol occurs');
  const most = lengths[coded[0]];
  const least = lengths[coded.at(-1)!];
  const codes = new Uint32Array(counts.length);
  let next = 0;
  let before = most;
  for (const symbol of coded) {
    // Where codes get shorter, the next one goes on behind the beginning of the last.
    next /= 2 ** (before - lengths[symbol]);
    before = lengths[symbol];
    codes[symbol] = next++;
  }
  const offsets = Array.from({ length: most - least + 1 }, (_, more) =>
    coded.findIndex((symbol) => lengths[symbol] <= least + more),
  );
  return { lengths, codes, numbers, symbols, least, most, offsets };
}
