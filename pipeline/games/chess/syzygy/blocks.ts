/**
 * Cuts a compressed sequence into blocks of one size, each holding whole codes of up to 65,536 values, and makes the two
 * indices by which programs that probe find the block of a value.
 */
import type { Codes } from './huffman.js';
import type { Pairing } from './pairing.js';

const MOST_VALUES = 65536;

export interface Blocks {
  /** Bytes of a block: 2 to this power. */
  readonly blockBits: number;
  /** Values of each block; then of blocks that are not there, where the sparse index would point beyond the last. */
  readonly lengths: readonly number[];
  readonly realBlocks: number;
  /** The sparse index has an item for each stretch of 2 to this power values: where the value in its middle is. */
  readonly spanBits: number;
  readonly sparse: readonly { readonly block: number; readonly offset: number }[];
  readonly data: Uint8Array;
}

/** The size of blocks, of at most 2^mostBits bytes, that makes the least of a table of `size` values. */
export function cutBlocks(pairing: Pairing, codes: Codes, size: number, mostBits: number): Blocks {
  let best: Blocks | undefined;
  for (let bits = mostBits; bits >= 3; bits--) {
    const blocks = cut(pairing, codes, size, bits);
    if (best !== undefined && bytesOf(blocks) >= bytesOf(best)) break;
    best = blocks;
  }
  return best!;
}

function bytesOf({ data, sparse, lengths }: Blocks): number {
  return Math.ceil(data.length / 64) * 64 + 6 * sparse.length + 2 * lengths.length;
}

function cut(pairing: Pairing, codes: Codes, size: number, blockBits: number): Blocks {
  const { sequence, lengths: valuesOf, leaves, left, right } = pairing;
  const bitsOf = codes.lengths;
  const shorter = shorterCodes(pairing, codes);
  const room = 8 << blockBits;
  const out = bitWriter(room / 8);
  const lengths: number[] = [];
  let used = 0;
  let values = 0;

  const append = (symbol: number) => {
    out.write(codes.codes[symbol], bitsOf[symbol]);
    used += bitsOf[symbol];
  };
  const close = () => {
    lengths.push(values);
    out.nextBlock();
    used = values = 0;
  };
  const fits = (symbol: number, of: number) =>
    bitsOf[symbol] > 0 && used + bitsOf[symbol] <= room && values + of <= MOST_VALUES;

  for (const symbol of sequence) {
    if (fits(symbol, valuesOf[symbol])) {
      append(symbol);
      values += valuesOf[symbol];
      continue;
    }
    // The last code of a block may stand for more than is wanted: nobody asks for what lies behind the block's values.
    const brief = shorter[symbol];
    if (fits(brief, valuesOf[symbol])) {
      append(brief);
      values += valuesOf[symbol];
      close();
      continue;
    }
    if (symbol >= leaves) {
      const [first, second] = [left[symbol], right[symbol]];
      const briefFirst = shorter[first];
      if (bitsOf[second] > 0 && bitsOf[second] <= bitsOf[symbol] && fits(briefFirst, valuesOf[first])) {
        append(briefFirst);
        values += valuesOf[first];
        close();
        append(second);
        values = valuesOf[second];
        continue;
      }
    }
    close();
    append(symbol);
    values = valuesOf[symbol];
  }
  if (values > 0) close();

  const realBlocks = lengths.length;
  const spanBits = spanOf(size, realBlocks);
  return {
    blockBits,
    realBlocks,
    spanBits,
    sparse: sparseIndex(lengths, size, spanBits),
    lengths,
    data: out.bytes(),
  };
}

/** Of each symbol: that with the shortest code among itself and those whose values begin with its own. */
function shorterCodes({ symbols, leaves, left }: Pairing, { lengths }: Codes): Uint16Array {
  const best = Uint16Array.from({ length: symbols }, (_, symbol) => symbol);
  // Symbols are made of earlier ones: going down, what is best for a symbol is known before it is offered to its left part.
  for (let symbol = symbols - 1; symbol >= leaves; symbol--) {
    const brief = best[symbol];
    const first = left[symbol];
    if (lengths[brief] === 0) continue;
    if (lengths[best[first]] === 0 || lengths[brief] < lengths[best[first]]) best[first] = brief;
  }
  return best;
}

/** About sixteen blocks a stretch, as the published files have. */
function spanOf(size: number, blocks: number): number {
  let bits = Math.floor(Math.log2(Math.max(1, Math.floor(size / blocks)))) + 5;
  while (bits > 1 && 2 ** (bits - 1) > size) bits--;
  return bits;
}

/** Adds imaginary blocks to `lengths` where the middle of the last stretch lies behind all blocks. */
function sparseIndex(lengths: number[], size: number, spanBits: number): { block: number; offset: number }[] {
  const span = 2 ** spanBits;
  const sparse: { block: number; offset: number }[] = [];
  let block = 0;
  let start = 0;
  for (let middle = span / 2; sparse.length < Math.ceil(size / span); middle += span) {
    for (;;) {
      if (block === lengths.length) lengths.push(MOST_VALUES);
      if (start + lengths[block] > middle) break;
      start += lengths[block++];
    }
    sparse.push({ block, offset: middle - start });
  }
  return sparse;
}

/** Writes bits, the most significant first, into blocks of so many bytes. */
function bitWriter(blockBytes: number) {
  let buffer = new Uint8Array(1 << 16);
  let blocks = 0;
  let bit = 0;
  return {
    write(code: number, length: number) {
      if (bit + length > buffer.length * 8) {
        const longer = new Uint8Array(buffer.length * 2);
        longer.set(buffer);
        buffer = longer;
      }
      for (let i = length - 1; i >= 0; i--, bit++) {
        if ((code >>> i) & 1) buffer[bit >> 3] |= 0x80 >> (bit & 7);
      }
    },
    nextBlock() {
      bit = ++blocks * blockBytes * 8;
    },
    bytes: (): Uint8Array => {
      const size = blocks * blockBytes;
      if (size <= buffer.length) return buffer.subarray(0, size);
      const all = new Uint8Array(size);
      all.set(buffer);
      return all;
    },
  };
}
