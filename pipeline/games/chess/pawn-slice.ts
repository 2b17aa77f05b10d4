import type { Slice } from '../../game/game.js';
import { spaceOf } from './index-space.js';
import { mostMovesOf, mostPawnRows } from './most-moves.js';
import { changesOf } from './pawn-changes.js';
import { createPawnKernels } from './pawn-kernels.js';
import { shapeOf } from './shape.js';
import { rowMovesOf } from './wasm-row-moves.js';
import { pawnRows, rowKernelsOf } from './wasm-rows.js';

/** The slice of an ending with pawns, given by its canonical name. */
export function createPawnSlice(name: string): Slice {
  const space = spaceOf(name);
  const changes = changesOf(name);
  const maxMoves = mostPawnRows(space);
  const rows = rowKernelsOf(space, pawnRows(space));
  const hasRowMoves = rows.rowKernels !== undefined && shapeOf(name).taker === null;
  const mostLegalMoves = Math.max(mostMovesOf(space, 0), mostMovesOf(space, 1));
  const { parts, width, size, placements } = space;
  return {
    name,
    parts,
    width,
    size,
    dependencies: changes.dependencies,
    maxMoves,
    mostLegalMoves,
    partSize: (part) => Math.min(width, size - part * width),
    ...createPawnKernels(space, changes, maxMoves),
    ...rows,
    ...(hasRowMoves ? { rowMoves: rowMovesOf(space, changes) } : {}),
    rows: () => [...new Set([8, 64, 512, placements])].filter((row) => row < size).sort((a, b) => a - b),
    // No board is its own mirror image: no king stands on the middle of the files.
    orbitSizes: (_part, _keys, length, out) => {
      out.fill(2, 0, length);
    },
  };
}
