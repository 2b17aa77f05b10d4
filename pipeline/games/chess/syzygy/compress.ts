/** Makes of the cells of a subtable what a file holds of it. */
import { type Blocks, cutBlocks } from './blocks.js';
import { ANY_UP_TO, type Coding, settle } from './cells.js';
import { type Codes, huffmanCodes } from './huffman.js';
import { MOST_SYMBOLS, type Pairing, pairUp } from './pairing.js';
import type { Subtable } from './subtable.js';

export interface CompressedSubtable {
  /** The one value that all indices have; null if they have several, which `body` then holds. */
  readonly constant: number | null;
  readonly body: { readonly pairing: Pairing; readonly codes: Codes; readonly blocks: Blocks } | null;
  readonly coding: Coding;
}

/** Pairs that occur less often cost more as symbols than they save. */
const LEAST_COUNT = 8;
/** Blocks of at most 2^6 bytes of WDL, 2^10 bytes of DTZ, as in the published files. */
const MOST_BLOCK_BITS = { wdl: 6, dtz: 10 } as const;

/** A file has `size` indices; `placeOf` gives the index in the subtable of each, -1 of what is no position. */
export function compressSubtable(
  kind: 'wdl' | 'dtz',
  { codes, zeroing }: Subtable,
  coding: Coding,
  size: number,
  placeOf: (index: number) => number,
): CompressedSubtable {
  const { leaves, cellOf } = coding;
  // Of DTZ, readers take 0 for the constant, whatever is written.
  if (leaves.length === 1 && coding.maps === null && (kind === 'wdl' || leaves[0] === 0)) {
    return { constant: leaves[0], body: null, coding };
  }
  const sequence = new Uint16Array(size);
  for (let i = 0; i < size; i++) {
    const at = placeOf(i);
    sequence[i] = at < 0 ? ANY_UP_TO + leaves.length - 1 : cellOf(codes[at], zeroing[at]);
  }
  settle(sequence);
  const pairing = pairUp(sequence, leaves.length, { leastCount: LEAST_COUNT, mostSymbols: MOST_SYMBOLS });
  const counts = countSymbols(pairing);
  const huffman = huffmanCodes(counts);
  const blocks = cutBlocks(pairing, huffman, size, MOST_BLOCK_BITS[kind]);
  return { constant: null, body: { pairing, codes: huffman, blocks }, coding };
}

function countSymbols({ sequence, symbols }: Pairing): Float64Array {
  const counts = new Float64Array(symbols);
  for (const symbol of sequence) counts[symbol]++;
  return counts;
}

/** Bytes that a subtable takes in a file but for the filling between its pieces. */
export function bytesOf({ body }: CompressedSubtable): number {
  if (body === null) return 2;
  const { blocks, pairing, codes } = body;
  return (
    blocks.data.length +
    6 * blocks.sparse.length +
    2 * blocks.lengths.length +
    3 * pairing.symbols +
    2 * codes.offsets.length +
    12
  );
}
