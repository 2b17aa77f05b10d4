/**
 * Decodes what pairing.ts and huffman.ts made: canonical Huffman codes of at most 32 bits (longer codes are smaller
 * numbers). Their symbols stand for one value or for two symbols.
 */

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

/** Null if the symbols are not made of symbols and values. */
export function newCode(
  least: number,
  offsets: Uint16Array,
  left: Uint16Array,
  right: Uint16Array,
): Code | null {
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

/** Shows the symbols of a block, {@link BEHIND} bytes longer than `bytes`, until `take` returns false or its bits end. */
function eachSymbol(
  { least, bases, offsets, lengths }: Code,
  block: Uint8Array,
  bytes: number,
  take: (symbol: number) => boolean,
): void {
  const end = bytes * 8;
  for (let bit = 0; bit < end; ) {
    const at = bit >> 3;
    const skip = bit & 7;
    const four = (block[at] << 24) | (block[at + 1] << 16) | (block[at + 2] << 8) | block[at + 3];
    const ahead = ((four << skip) | (block[at + 4] >> (8 - skip))) >>> 0;
    let i = 0;
    while (ahead < bases[i]) i++;
    const length = least + i;
    const symbol = offsets[i] + Math.floor((ahead - bases[i]) / 2 ** (32 - length));
    bit += length;
    if (symbol >= lengths.length || !take(symbol)) return;
  }
}

/** The value at a place in a block; -1 if the block has fewer. */
export function valueIn(code: Code, block: Uint8Array, bytes: number, place: number): number {
  const { left, right, lengths } = code;
  let found = -1;
  let rest = place;
  eachSymbol(code, block, bytes, (first) => {
    if (rest >= lengths[first]) {
      rest -= lengths[first];
      return true;
    }
    let symbol = first;
    while (right[symbol] !== NO_SYMBOL) {
      const before = lengths[left[symbol]];
      if (rest < before) symbol = left[symbol];
      else {
        rest -= before;
        symbol = right[symbol];
      }
    }
    found = left[symbol];
    return false;
  });
  return found;
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
      let to = at;
      const end = at + count;
      eachSymbol(code, block, bytes, (symbol) => {
        const stop = Math.min(starts[symbol + 1], starts[symbol] + end - to);
        for (let from = starts[symbol]; from < stop; ) out[to++] = values[from++];
        return to < end;
      });
      return to === end;
    },
  };
}
