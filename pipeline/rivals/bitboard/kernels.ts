/**
 * SetKernels in WebAssembly (assembly/), with the tables of a layout in their linear memory, and room for sets behind them. Arrays that
 * kernels work on must lie there.
 */
import { assert } from '../../../operators/core/errors.js';
import {
  aligned,
  allocatorOf,
  growHeap,
  KernelModule,
  type LinearMemory,
  writeWords,
} from '../../../operators/core/wasm.js';
import { writeBoard } from '../../games/chess/board-tables.js';
import { PAIR_BLACK, PAIR_OF, PAIR_SYMMETRY, PAIR_WHITE } from '../../games/chess/geometry.js';
import { layoutBytes, type SetLayout } from './set-layout.js';
import { type WasmExports, wasmCode } from './wasm-code.js';

export interface SetKernels {
  readonly layout: SetLayout;
  /** Sets are addresses. */
  readonly wasm: LinearMemory & WasmExports;
  /** The words of a pair of kings that are worked on. */
  readonly wanted: Int32Array;
  /** Room of so many bytes, zero. */
  readonly take: (bytes: number) => Uint8Array;
}

/** Tables of the board, with the buffers of the kernels of the game that share their module, at most. */
const BOARD_BYTES = 1 << 19;

const module = new KernelModule<WasmExports>(wasmCode);

const wantedBytes = (men: number) => aligned(8 * 64 ** Math.max(0, men - 1));

/** Bytes of the linear memory besides the room that is taken, of an ending with so many men besides the kings. */
export function kernelBytes(men: number): number {
  return BOARD_BYTES + layoutBytes(men) + wantedBytes(men);
}

/** @param room the most bytes that are taken, in arrays of multiples of 16 bytes. */
export function newKernels(layout: SetLayout, room: number): SetKernels {
  const wasm = module.instance();
  const { men } = layout.space;
  assert(wasm.heapBase() <= BOARD_BYTES, 'tables of the board were foreseen');
  const all = aligned(layoutBytes(men)) + wantedBytes(men) + room;
  growHeap(wasm, all);
  const allocate = allocatorOf(wasm, all);
  const take = (bytes: number) => new Uint8Array(wasm.memory.buffer, allocate(bytes), bytes);
  writeBoard(wasm);
  writeWords(wasm, 'PAIR_WHITE', PAIR_WHITE);
  writeWords(wasm, 'PAIR_BLACK', PAIR_BLACK);
  writeWords(wasm, 'PAIR_OF', PAIR_OF);
  writeWords(wasm, 'PAIR_SYMMETRY', PAIR_SYMMETRY);
  writeLayout(wasm, layout, take);
  return { layout, wasm, wanted: wordsIn(take(8 * layout.configs)), take };
}

/** The halves of words in an array of the linear memory. */
export function wordsIn({ buffer, byteOffset, byteLength }: Uint8Array): Int32Array {
  return new Int32Array(buffer, byteOffset, byteLength >> 2);
}

function writeLayout(wasm: SetKernels['wasm'], layout: SetLayout, take: SetKernels['take']): void {
  const { space, shift, wordMan, configs } = layout;
  const occupied = wordsIn(take(8 * configs));
  occupied.set(layout.occupied);
  const images = wordsIn(take(8 * 4 * configs));
  for (const [symmetry, image] of layout.images.entries()) images.set(image, symmetry * configs);
  writeWords(wasm, 'KIND', space.kindOf);
  writeWords(wasm, 'SIDE', space.sideOf);
  writeWords(wasm, 'SHIFT', shift);
  wasm.configure(space.men, wordMan, configs, occupied.byteOffset, images.byteOffset);
}
