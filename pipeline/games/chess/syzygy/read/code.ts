/**
 * Decodes what pairing.ts and huffman.ts made: canonical Huffman codes of at most 32 bits (longer codes are smaller
 * numbers). Their symbols stand for one value or for two symbols.
 */
import { firstAtLeast } from '../../../../../operators/core/search.js';
import { MOST_BLOCK_VALUES } from '../format.js';

export interface Code {
  readonly least: number;
  /** By length of code from `least` on: the least code, moved to the top of 32 bits; the number of its symbol. */
  readonly bases: Float64Array;
  readonly offsets: Uint16Array;
  /** By symbol: its two symbols, or its value and {@link NO_SYMBOL}; how many values it stands for. */
  readonly left: Uint16Array;
  readonly right: Uint16Array;
  readonly lengths: Uint16Array;
}

/** In place of a right symbol: the left one is a value. */
export const NO_SYMBOL = 0xfff;
/** Bytes that must follow a block, for codes are read four bytes at a time and one more. */
export const BEHIND = 5;
/** Values that a symbol stands for. */
const LONGEST = 256;
/** Numbers of symbols have 12 bits. */
const SYMBOLS = 1 << 12;

/** Null if the symbols are not made of symbols and values. */
export function newCode(
  least: number,
  offsets: Uint16Array,
  left: Uint16Array,
  right: Uint16Array,
): Code | null {
  if (left.length > SYMBOLS) return null;
  const lengths = symbolLengths(left, right);
  if (lengths === null || offsets.length === 0 || least < 1 || least + offsets.length > 33) return null;
  const bases = new Float64Array(offsets.length);
  for (let i = offsets.length - 2, base = 0; i >= 0; i--) {
    base = (base + offsets[i] - offsets[i + 1]) / 2;
    bases[i] = base * 2 ** (32 - least - i);
  }
  return { least, bases, offsets, left, right, lengths };
}

function symbolLengths(left: Uint16Array, right: Uint16Array): Uint16Array | null {
  const lengths = new Uint16Array(left.length);
  /** Symbols on the way from the one asked about down to values: a symbol that comes again is part of itself. */
  const open = new Uint8Array(left.length);
  const lengthOf = (symbol: number): number => {
    if (symbol >= left.length || open[symbol] === 1) return Number.POSITIVE_INFINITY;
    if (lengths[symbol] > 0) return lengths[symbol];
    if (right[symbol] === NO_SYMBOL) return (lengths[symbol] = 1);
    open[symbol] = 1;
    let length = lengthOf(left[symbol]);
    // A symbol that is too long stays so: to look at the rest would take twice the time for every symbol on the way.
    if (length <= LONGEST) length += lengthOf(right[symbol]);
    open[symbol] = 0;
    if (length <= LONGEST) lengths[symbol] = length;
    return length;
  };
  for (let symbol = 0; symbol < left.length; symbol++) {
    if (lengthOf(symbol) > LONGEST) return null;
  }
  return lengths;
}

/**
 * Decodes the symbols of a block into `ends`: of each, how many values the block has up to its end, times 4096, and the symbol. Stops
 * at `most` values, at the last bit, or at what is no symbol; returns how many symbols there were.
 * @param block has {@link BEHIND} more bytes than `bytes`.
 * @param ends has room for `most` of them: each stands for a value at least.
 */
function readSymbols(
  { least, bases, offsets, lengths }: Code,
  block: Uint8Array,
  bytes: number,
  most: number,
  ends: Uint32Array,
): number {
  const lastBit = bytes * 8;
  let count = 0;
  let values = 0;
  for (let bit = 0; bit < lastBit && values < most; ) {
    const at = bit >> 3;
    const skip = bit & 7;
    const four = (block[at] << 24) | (block[at + 1] << 16) | (block[at + 2] << 8) | block[at + 3];
    const ahead = ((four << skip) | (block[at + 4] >> (8 - skip))) >>> 0;
    let i = 0;
    while (ahead < bases[i]) i++;
    const length = least + i;
    const symbol = offsets[i] + ((ahead - bases[i]) >>> (32 - length));
    if (symbol >= lengths.length) break;
    bit += length;
    values += lengths[symbol];
    ends[count++] = values * SYMBOLS + symbol;
  }
  return count;
}

const scratch = new Uint32Array(MOST_BLOCK_VALUES);

/** The symbols of a block that lookups search: what {@link readSymbols} writes. */
export type BlockSymbols = Uint32Array;

/** @param values of the block. Parameters as of {@link readSymbols}. */
export function symbolsOf(code: Code, block: Uint8Array, bytes: number, values: number): BlockSymbols {
  return scratch.slice(0, readSymbols(code, block, bytes, values, scratch));
}

/** The value at a place in a block; -1 if the block has fewer. */
export function valueIn({ left, right, lengths }: Code, symbols: BlockSymbols, place: number): number {
  const found = firstAtLeast(symbols, (place + 1) * SYMBOLS, 0, symbols.length);
  if (found === symbols.length) return -1;
  let symbol = symbols[found] & (SYMBOLS - 1);
  let rest = place - (Math.floor(symbols[found] / SYMBOLS) - lengths[symbol]);
  while (right[symbol] !== NO_SYMBOL) {
    const before = lengths[left[symbol]];
    if (rest < before) symbol = left[symbol];
    else {
      rest -= before;
      symbol = right[symbol];
    }
  }
  return left[symbol];
}

/** Decodes blocks one after another. */
export interface BlockDecoder {
  /** Writes the first `count` values of a block into `out` from `at` on; false if the block has fewer. */
  decode(block: Uint8Array, bytes: number, count: number, out: Uint16Array, at: number): boolean;
}

export function newBlockDecoder(code: Code): BlockDecoder {
  const { left, right, lengths } = code;
  /** The values of all symbols, one after another, and where those of each begin. */
  const starts = new Uint32Array(lengths.length + 1);
  for (const [symbol, length] of lengths.entries()) starts[symbol + 1] = starts[symbol] + length;
  const values = new Uint16Array(starts[lengths.length]);
  const write = (symbol: number, at: number): void => {
    if (right[symbol] === NO_SYMBOL) values[at] = left[symbol];
    else {
      write(left[symbol], at);
      write(right[symbol], at + lengths[left[symbol]]);
    }
  };
  for (let symbol = 0; symbol < lengths.length; symbol++) write(symbol, starts[symbol]);
  return {
    decode(block, bytes, count, out, at) {
      const symbols = readSymbols(code, block, bytes, count, scratch);
      let to = at;
      const end = at + count;
      for (let i = 0; i < symbols; i++) {
        const symbol = scratch[i] & (SYMBOLS - 1);
        const stop = Math.min(starts[symbol + 1], starts[symbol] + end - to);
        for (let from = starts[symbol]; from < stop; ) out[to++] = values[from++];
      }
      return to === end;
    },
  };
}
