/** Tables of the board that all kernels of chess have in their linear memory (assembly/). */
import { type Exported, type LinearMemory, writeWords } from '../../../operators/core/wasm.js';
import { BETWEEN_HIGH, BETWEEN_LOW, RAY_START, RAYS } from './geometry.js';

export type BoardTable = 'BETWEEN' | 'MOBILITY';

export function writeBoard(wasm: LinearMemory & Exported<BoardTable>): void {
  // A set of squares is two words, the low one first.
  const between = new Int32Array(2 * 4096);
  for (let line = 0; line < 4096; line++) {
    between[2 * line] = BETWEEN_LOW[line];
    between[2 * line + 1] = BETWEEN_HIGH[line];
  }
  writeWords(wasm, 'BETWEEN', between);
  const mobility = new Int32Array(2 * 5 * 64);
  for (let man = 0; man < 5 * 64; man++) {
    for (let r = RAY_START[man]; r < RAY_START[man + 1]; r++) addSquare(mobility, man, RAYS[r] & 63);
  }
  writeWords(wasm, 'MOBILITY', mobility);
}

/** Adds a square to the i-th of some sets. */
export function addSquare(sets: Int32Array, i: number, square: number): void {
  sets[2 * i + (square >> 5)] |= 1 << (square & 31);
}
