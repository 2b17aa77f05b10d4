import type { Slice } from '../../game/game.js';
import { PAIR_DIAGONAL, REFLECTION } from './geometry.js';
import { placeMen, placementRank, type Space, spaceOf } from './index-space.js';
import { mostRows } from './most-moves.js';
import { type Changes, changesOf } from './pawn-changes.js';
import { createWasmKernels } from './wasm-kernels.js';
import { rowMovesOf } from './wasm-row-moves.js';
import { pieceRows, rowKernelsOf } from './wasm-rows.js';

/** The kernels by rows, if the index has rows. */
function rowsOf(space: Space, changes: Changes): Pick<Slice, 'rowKernels' | 'rowMoves'> {
  const kernels = rowKernelsOf(space, pieceRows(space));
  return kernels.rowKernels === undefined ? {} : { ...kernels, rowMoves: rowMovesOf(space, changes) };
}

/** The slice of an ending without pawns, given by its canonical name. */
export function createSlice(name: string): Slice {
  const space = spaceOf(name);
  const changes = changesOf(name);
  const maxMoves = mostRows(space);
  return {
    name,
    parts: space.parts,
    width: space.width,
    size: space.size,
    dependencies: changes.dependencies,
    maxMoves,
    partSize: (part) => Math.min(space.width, space.size - part * space.width),
    ...createWasmKernels(space, changes, maxMoves),
    ...rowsOf(space, changes),
    // The last digits are squares of single men: neighbouring files, and neighbouring ranks, of the last man but one.
    rows: () => [64, 512].filter((row) => row < space.size),
    orbitSizes(part: number, keys: Uint32Array, length: number, out: Uint8Array): void {
      for (let i = 0; i < length; i++) {
        const pairInPart = Math.floor(keys[i] / space.placements);
        const invariant =
          PAIR_DIAGONAL[part * space.pairsPerPart + pairInPart] !== 0 &&
          isOwnReflection(space, keys[i] - pairInPart * space.placements);
        out[i] = invariant ? 4 : 8;
      }
    },
  };
}

const squares = new Uint8Array(8);

function isOwnReflection(space: Space, rank: number): boolean {
  placeMen(space, rank, squares);
  return placementRank(space, squares, REFLECTION) === rank;
}
