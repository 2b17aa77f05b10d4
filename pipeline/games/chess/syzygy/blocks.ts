/**
 * Cuts a compressed sequence into blocks of one size, each with whole codes of up to 65,536 values. Makes the two
 * indices by which programs that probe find the block of a value.
 */
import type { Store } from '../../../../operators/storage/store.js';
import { MOST_BLOCK_VALUES } from './format.js';
import type { Codes } from './huffman.js';
import { ioBytes, type Kernels } from './kernels.js';
import type { Pairing } from './pairing.js';
import { bytesOfSymbols, eachPiece, readTape, type SavedTape, saveTapes, type Tape } from './tape.js';

export interface FileBlocks {
  /** Bytes of a block: 2 to this power. */
  readonly blockBits: number;
  /** Values of each block, in two bytes. */
  readonly lengths: SavedTape;
  readonly realBlocks: number;
  /** Blocks that are not there, where the sparse index would point beyond the last. */
  readonly imaginary: number;
  /** The sparse index has an item for each stretch of 2 to this power values: where the value in its middle is. */
  readonly spanBits: number;
  readonly sparse: number;
  readonly data: SavedTape;
}

/** Where blocks go: saved tapes of these names. */
export interface BlockTapes {
  readonly store: Store;
  readonly lengths: string;
  readonly data: string;
}

/** The blocks, of at most 2^mostBits bytes, that make the least of a table of `size` values. */
export function cutBlocks(
  kernels: Kernels,
  pairing: Pairing,
  codes: Codes,
  size: number,
  mostBits: number,
  { store, lengths: lengthsName, data: dataName }: BlockTapes,
): FileBlocks {
  const shorter = shorterCodes(pairing, codes);
  let best: Plan | undefined;
  for (let bits = mostBits; bits >= 3; bits--) {
    let blocks = 0;
    cut(kernels, pairing, codes, shorter, bits, { write() {}, close: () => blocks++ });
    const plan = planOf(bits, blocks, size);
    if (best !== undefined && plan.bytes >= best.bytes) break;
    best = plan;
  }
  const { blockBits } = best!;
  const [lengths, data] = saveTapes(store, [lengthsName, dataName], ([lengthsTape, dataTape]) => {
    const out = blockWriter(kernels, 1 << blockBits, lengthsTape, dataTape);
    cut(kernels, pairing, codes, shorter, blockBits, out);
    out.end();
  });
  return { ...best!, lengths, data };
}

/** How so many blocks are laid out. */
function planOf(blockBits: number, realBlocks: number, size: number) {
  const spanBits = spanOf(size, realBlocks);
  const span = 2 ** spanBits;
  const sparse = Math.ceil(size / span);
  const last = span / 2 + span * (sparse - 1);
  const imaginary = last < size ? 0 : Math.floor((last - size) / MOST_BLOCK_VALUES) + 1;
  const data = Math.ceil((realBlocks * 2 ** blockBits) / 64) * 64;
  const bytes = data + bytesOfIndices({ realBlocks, imaginary, sparse });
  return { blockBits, realBlocks, spanBits, sparse, imaginary, bytes };
}
type Plan = ReturnType<typeof planOf>;

/** Bytes of both indices in a file. */
export function bytesOfIndices(blocks: Pick<FileBlocks, 'realBlocks' | 'imaginary' | 'sparse'>): number {
  return 6 * blocks.sparse + 2 * (blocks.realBlocks + blocks.imaginary);
}

/** Bytes of blocks and indices in a file. */
export function bytesOfBlocks(blocks: FileBlocks): number {
  return blocks.realBlocks * 2 ** blocks.blockBits + bytesOfIndices(blocks);
}

/** Where codes go. */
interface Cutting {
  write(code: number, length: number): void;
  /** The block ends, and has so many values. */
  close(values: number): void;
}

function cut(
  kernels: Kernels,
  { sequence, lengths: valuesOf, leaves, left, right }: Pairing,
  codes: Codes,
  shorter: Uint16Array,
  blockBits: number,
  out: Cutting,
): void {
  const bitsOf = codes.lengths;
  const room = 8 << blockBits;
  let used = 0;
  let values = 0;

  const append = (symbol: number, of: number) => {
    out.write(codes.codes[symbol], bitsOf[symbol]);
    used += bitsOf[symbol];
    values += of;
  };
  const close = () => {
    out.close(values);
    used = values = 0;
  };
  const fits = (symbol: number, of: number) =>
    bitsOf[symbol] > 0 && used + bitsOf[symbol] <= room && values + of <= MOST_BLOCK_VALUES;

  /** The symbol does not fit the block whole. */
  function endWith(symbol: number): void {
    // The last code of a block may stand for more than is wanted: nobody asks for what lies behind the block's values.
    const brief = shorter[symbol];
    if (fits(brief, valuesOf[symbol])) {
      append(brief, valuesOf[symbol]);
      close();
      return;
    }
    if (symbol >= leaves) {
      const [first, second] = [left[symbol], right[symbol]];
      const briefFirst = shorter[first];
      if (bitsOf[second] > 0 && bitsOf[second] <= bitsOf[symbol] && fits(briefFirst, valuesOf[first])) {
        append(briefFirst, valuesOf[first]);
        close();
        append(second, valuesOf[second]);
        return;
      }
    }
    close();
    append(symbol, valuesOf[symbol]);
  }

  eachPiece(kernels, sequence, (piece) => {
    for (let i = 0; i < piece.length; i++) {
      const symbol = piece[i];
      if (fits(symbol, valuesOf[symbol])) append(symbol, valuesOf[symbol]);
      else endWith(symbol);
    }
  });
  if (values > 0) close();
}

/** By symbol: the one with the shortest code among itself and those whose values begin with its own. */
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

/** Shows the items of the sparse index: a block, and the number of a value in it. */
export function eachSparse(
  kernels: Kernels,
  tapes: Store,
  blocks: FileBlocks,
  show: (block: number, offset: number) => void,
): void {
  const span = 2 ** blocks.spanBits;
  let middle = span / 2;
  let block = 0;
  let start = 0;
  let shown = 0;
  eachLength(kernels, tapes, blocks, (length) => {
    for (; shown < blocks.sparse && start + length > middle; middle += span, shown++)
      show(block, middle - start);
    start += length;
    block++;
  });
}

/** Shows how many values each block has, those that are not there last. */
export function eachLength(
  kernels: Kernels,
  tapes: Store,
  { lengths, realBlocks, imaginary }: FileBlocks,
  show: (values: number) => void,
): void {
  readTape(tapes, lengths, (tape) =>
    eachPiece(kernels, { tape, length: realBlocks }, (piece) => {
      for (let i = 0; i < piece.length; i++) show(piece[i] + 1);
    }),
  );
  for (let i = 0; i < imaginary; i++) show(MOST_BLOCK_VALUES);
}

/** Writes codes, the most significant bit first, into blocks of so many bytes, and lengths of blocks, less one. */
function blockWriter(
  kernels: Kernels,
  blockBytes: number,
  lengths: Tape,
  data: Tape,
): Cutting & { end(): void } {
  const buffer = new Uint8Array(Math.max(ioBytes(kernels), blockBytes));
  const counts = new Uint16Array(ioBytes(kernels) / 2);
  let block = 0;
  let blocks = 0;
  let bit = 0;
  const flush = () => {
    data.append(buffer.subarray(0, block));
    lengths.append(bytesOfSymbols(counts.subarray(0, blocks)));
    buffer.fill(0);
    block = blocks = 0;
  };
  return {
    write(code, length) {
      let left = length;
      while (left > 0) {
        const free = 8 - (bit & 7);
        const taken = Math.min(free, left);
        left -= taken;
        buffer[block + (bit >> 3)] |= ((code >>> left) & ((1 << taken) - 1)) << (free - taken);
        bit += taken;
      }
    },
    close(values) {
      counts[blocks++] = values - 1;
      block += blockBytes;
      bit = 0;
      if (block + blockBytes > buffer.length || blocks === counts.length) flush();
    },
    end: flush,
  };
}
