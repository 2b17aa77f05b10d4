/** Canonical prefix codes: the lengths of the words say it all. Words of a length ascend with their symbols. */
import { firstBits } from '../bits.js';

/** No word is longer: that is what Schaeffer et al. 2003 (section 3.3) chose, and a window shows 25 bits. */
export const LONGEST_WORD = 20;

/** Words of up to this many bits are decoded by one look into a table. */
const DIRECT = 8;

/** The word of each symbol, in its low bits; 0 where the length is 0. */
export function canonicalWords(lengths: Uint8Array): Uint32Array {
  const next = firstWords(lengths);
  return Uint32Array.from(lengths, (length) => (length === 0 ? 0 : next[length]++));
}

/** Whether a prefix code with these lengths exists, and none is too long. */
export function isPrefixCode(lengths: Uint8Array): boolean {
  let room = 2 ** LONGEST_WORD;
  for (const length of lengths) {
    if (length > LONGEST_WORD) return false;
    if (length > 0) room -= 2 ** (LONGEST_WORD - length);
  }
  return room >= 0;
}

function firstWords(lengths: Uint8Array): Uint32Array {
  const counts = new Uint32Array(LONGEST_WORD + 1);
  for (const length of lengths) if (length > 0) counts[length]++;
  const first = new Uint32Array(LONGEST_WORD + 2);
  for (let length = 1; length <= LONGEST_WORD; length++)
    first[length + 1] = (first[length] + counts[length]) * 2;
  return first;
}

export interface DecodeTable {
  /** By the first eight bits of a window: symbol · 32 + length, 0 if the word is longer. */
  readonly direct: Uint32Array;
  /** Per length: where its words end, left-aligned in 20 bits; and its first word's place in `symbols` less the word. */
  readonly ends: Uint32Array;
  readonly offsets: Int32Array;
  readonly symbols: Uint32Array;
}

export function newDecodeTable(lengths: Uint8Array): DecodeTable {
  const first = firstWords(lengths);
  const words = canonicalWords(lengths);
  const direct = new Uint32Array(1 << DIRECT);
  const ends = new Uint32Array(LONGEST_WORD + 1);
  const offsets = new Int32Array(LONGEST_WORD + 1);
  const symbols: number[] = [];
  for (let length = 1; length <= LONGEST_WORD; length++) {
    offsets[length] = symbols.length - first[length];
    ends[length] = first[length] << (LONGEST_WORD - length);
    for (let symbol = 0; symbol < lengths.length; symbol++) {
      if (lengths[symbol] !== length) continue;
      symbols.push(symbol);
      ends[length] = (words[symbol] + 1) << (LONGEST_WORD - length);
      if (length > DIRECT) continue;
      const from = words[symbol] << (DIRECT - length);
      direct.fill(symbol * 32 + length, from, from + (1 << (DIRECT - length)));
    }
  }
  return { direct, ends, offsets, symbols: Uint32Array.from(symbols) };
}

/** The word a window (see `peekBits`) begins with, as symbol · 32 + length; 0 if there is none. */
export function decodeWord(table: DecodeTable, window: number): number {
  return table.direct[window >>> (32 - DIRECT)] || decodeLongWord(table, firstBits(window, LONGEST_WORD));
}

function decodeLongWord({ ends, offsets, symbols }: DecodeTable, bits: number): number {
  for (let length = DIRECT + 1; length <= LONGEST_WORD; length++) {
    if (bits < ends[length])
      return symbols[(bits >>> (LONGEST_WORD - length)) + offsets[length]] * 32 + length;
  }
  return 0;
}
