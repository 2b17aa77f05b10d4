/** Makes of the raw values of a subtable what a file holds of it. */
import type { Arrangement } from './arrangement.js';
import { bytesOfBlocks, cutBlocks, type FileBlocks } from './blocks.js';
import { type Coding, settle } from './cells.js';
import { type Codes, huffmanCodes } from './huffman.js';
import { setIndex } from './indices.js';
import { bytesAt, ioBytes, type Kernels, layOut, symbolsAt } from './kernels.js';
import type { Material } from './material.js';
import { MOST_SYMBOLS, type Pairing, pairUp } from './pairing.js';
import { newScatter } from './scatter.js';
import type { Subtable } from './subtable.js';
import { bytesOfSymbols, countSymbols, newTape, type Tape } from './tape.js';

export interface CompressedSubtable {
  /** The one value that all indices have; null if they have several, which `body` then holds. */
  readonly constant: number | null;
  readonly body: { readonly pairing: Pairing; readonly codes: Codes; readonly blocks: FileBlocks } | null;
  readonly coding: Coding;
}

/** Pairs that occur less often cost more as symbols than they save. */
const LEAST_COUNT = 8;
/** Blocks of at most 2^6 bytes of WDL, 2^10 bytes of DTZ, as in the published files. */
const MOST_BLOCK_BITS = { wdl: 6, dtz: 10 } as const;

/** Whether all indices have the same value, so that no body is needed. */
export function isConstant(kind: 'wdl' | 'dtz', { leaves, maps }: Coding): boolean {
  // In DTZ files, readers take 0 for the constant, whatever is written.
  return leaves.length === 1 && maps === null && (kind === 'wdl' || leaves[0] === 0);
}

/** The first index of the kernels is that of the subtable. */
export function compressSubtable(
  kernels: Kernels,
  kind: 'wdl' | 'dtz',
  subtable: Subtable,
  coding: Coding,
  order: { readonly material: Material; readonly arrangement: Arrangement; readonly file: number },
): CompressedSubtable {
  if (isConstant(kind, coding)) return { constant: coding.leaves[0], body: null, coding };
  const size = setIndex(kernels, 1, order.material, order.arrangement)[order.file];
  const tape = newTape(kernels.scratch);
  try {
    arrange(kernels, subtable, coding, order.file, size, tape);
    const limits = { leastCount: LEAST_COUNT, mostSymbols: MOST_SYMBOLS };
    const pairing = pairUp(kernels, { tape, length: size }, coding.leaves.length, limits);
    const codes = huffmanCodes(countSymbols(kernels, pairing));
    const blocks = cutBlocks(kernels, pairing, codes, size, MOST_BLOCK_BITS[kind]);
    return { constant: null, body: { pairing, codes, blocks }, coding };
  } finally {
    tape.dispose();
  }
}

/** Writes the symbols of a subtable to the tape, in the order of the second index of the kernels. */
function arrange(
  kernels: Kernels,
  { raw, size }: Subtable,
  { cells: cellOf, any, ranks }: Coding,
  file: number,
  sizeOfFile: number,
  tape: Tape,
): void {
  const { wasm } = kernels;
  const io = ioBytes(kernels);
  symbolsAt(kernels, wasm.CELL_OF.value, cellOf.length).set(cellOf);
  // Only the subtable of this file is there: those before it have no blocks.
  const sizes = Array.from({ length: file + 1 }, (_, i) => (i === file ? sizeOfFile : 0));
  const scatter = newScatter(kernels, sizes, io);
  try {
    for (let from = 0; from < size; from += io / 2) {
      const count = Math.min(io / 2, size - from);
      raw.read(2 * from, bytesAt(kernels, scatter.space, 2 * count));
      wasm.placeCells(file, BigInt(from), scatter.space, count, any);
    }
    scatter.seal();
    const allocate = layOut(kernels);
    const block = 2 ** scatter.bits;
    const rows = allocate(io);
    const buffers = allocate(4 * block);
    let next = 0;
    const cells = (at: number): number => {
      if (next === scatter.blocks[file]) return 0;
      const count = Math.min(block, sizeOfFile - next * block);
      symbolsAt(kernels, at, count).fill(any);
      scatter.read(file, next++, rows, (read) => wasm.gatherCells(rows, read, at));
      return count;
    };
    const buffer = { at: buffers, room: block };
    settle(kernels, ranks, buffer, cells, (symbols) => tape.append(bytesOfSymbols(symbols)));
  } finally {
    scatter.dispose();
  }
}

/** Bytes that a subtable takes in a file but for the filling between its pieces. */
export function bytesOf({ body }: CompressedSubtable): number {
  if (body === null) return 2;
  const { blocks, pairing, codes } = body;
  return bytesOfBlocks(blocks) + 3 * pairing.symbols + 2 * codes.offsets.length + 12;
}

/** Frees what the subtable has in scratch. */
export function dispose({ body }: CompressedSubtable): void {
  body?.blocks.lengths.dispose();
  body?.blocks.data.dispose();
}
