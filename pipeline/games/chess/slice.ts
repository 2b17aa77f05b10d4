import type { Slice } from '../../game/game.js';
import { changesOf, mostMovesOf, mostPawnRows, mostRows } from './changes.js';
import { PAIR_DIAGONAL, REFLECTION } from './geometry.js';
import { numberingOf, placeMen, placementRank, type Space, spaceOf } from './index-space.js';
import { createKernels } from './kernels.js';
import { rowMovesOf } from './wasm-row-moves.js';
import { rowKernelsOf } from './wasm-rows.js';

/** The slice of this canonical name. */
export function createSlice(name: string): Slice {
  const space = spaceOf(name);
  const changes = changesOf(name);
  const numbering = numberingOf(space);
  const { parts, width, size } = space;
  const hasPawns = space.pawnGroups > 0;
  const maxMoves = hasPawns ? mostPawnRows(space) : mostRows(space);
  return {
    name,
    ...(numbering === undefined ? {} : { numbering }),
    parts,
    width,
    size,
    dependencies: changes.dependencies,
    maxMoves,
    ...(hasPawns ? { mostLegalMoves: Math.max(mostMovesOf(space, 0), mostMovesOf(space, 1)) } : {}),
    partSize: (part) => Math.min(width, size - part * width),
    ...createKernels(space, changes, maxMoves),
    ...(space.hasRows ? { rowKernels: rowKernelsOf(space), rowMoves: rowMovesOf(space, changes) } : {}),
    rows: () => rowsAlike(space),
    orbitSizes(part: number, keys: Uint32Array, length: number, out: Uint8Array): void {
      // With pawns, no board is its own mirror image: no king stands on the middle of the files.
      if (hasPawns) out.fill(2, 0, length);
      else for (let i = 0; i < length; i++) out[i] = isOwnReflection(space, part, keys[i]) ? 4 : 8;
    },
  };
}

/** The last digits are squares of single men: neighbouring files, and neighbouring ranks, of the last man but one; before them, sets of files. */
function rowsAlike({ pawnGroups, placements, size }: Space): number[] {
  const rows = pawnGroups > 0 ? [8, 64, 512, placements] : [64, 512];
  return [...new Set(rows)].filter((row) => row < size).sort((a, b) => a - b);
}

const squares = new Uint8Array(8);

function isOwnReflection(space: Space, part: number, key: number): boolean {
  const { pairsPerPart, placements } = space;
  const pairInPart = Math.floor(key / placements);
  if (PAIR_DIAGONAL[part * pairsPerPart + pairInPart] === 0) return false;
  const rank = key - pairInPart * placements;
  placeMen(space, rank, squares);
  return placementRank(space, squares, REFLECTION) === rank;
}
