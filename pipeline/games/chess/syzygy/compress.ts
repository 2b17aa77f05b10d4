/** Makes of the raw values of a subtable what a file holds of it. */
import type { Side } from '../../../game/game.js';
import type { Arrangement } from './arrangement.js';
import { type BlockTapes, bytesOfBlocks, cutBlocks, type FileBlocks } from './blocks.js';
import { type Coding, settle } from './cells.js';
import type { FileKind } from './format.js';
import { type Codes, huffmanCodes } from './huffman.js';
import { setIndex } from './indices.js';
import { bytesAt, ioBytes, type Kernels, layOut, symbolsAt } from './kernels.js';
import type { Material } from './material.js';
import { type Dictionary, MOST_SYMBOLS, pairUp } from './pairing.js';
import { newScatter } from './scatter.js';
import type { Subtable } from './subtable.js';
import { bytesOfSymbols, countSymbols, newTape, readTape, type Tape } from './tape.js';
import type { Writer } from './writer.js';

/** The content of a subtable in a file: its cells, and their order. */
export interface Plan {
  readonly kind: FileKind;
  readonly side: Side;
  /** The file of the leading pawn, 0 without pawns. */
  readonly file: number;
  readonly subtable: Subtable;
  readonly coding: Coding;
  readonly arrangement: Arrangement;
  /** Bits of a cell in a sample of the subtable; null if none was compressed. */
  readonly bitsPerCell: number | null;
}

export interface CompressedSubtable {
  /** The one value that all indices have; null if they have several, which `body` then holds. */
  readonly constant: number | null;
  readonly body: { readonly pairing: Dictionary; readonly codes: Codes; readonly blocks: FileBlocks } | null;
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

/** Compresses the subtable of a plan to tapes. The first index of the kernels is that of the subtable. */
export function compressSubtable(
  writer: Writer,
  tapes: BlockTapes,
  material: Material,
  plan: Plan,
): CompressedSubtable {
  const { kind, coding, arrangement, file } = plan;
  if (isConstant(kind, coding)) return { constant: coding.leaves[0], body: null, coding };
  const size = setIndex(writer, 1, material, arrangement)[file];
  const tape = newTape(writer.scratch);
  try {
    readTape(tapes.store, plan.subtable.raw, (raw) => arrange(writer, raw, plan, size, tape));
    const limits = { leastCount: LEAST_COUNT, mostSymbols: MOST_SYMBOLS };
    const pairing = pairUp(writer.pairer, { tape, length: size }, coding.leaves.length, limits);
    const codes = huffmanCodes(countSymbols(writer, pairing));
    const blocks = cutBlocks(writer, pairing, codes, size, MOST_BLOCK_BITS[kind], tapes);
    const { sequence: _, ...dictionary } = pairing;
    return { constant: null, body: { pairing: dictionary, codes, blocks }, coding };
  } finally {
    tape.dispose();
  }
}

/** Writes the symbols of a subtable to the tape, in the order of the second index of the kernels. */
function arrange(
  kernels: Kernels,
  raw: Tape,
  { coding: { cells: cellOf, any, ranks }, file, subtable: { size } }: Plan,
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
