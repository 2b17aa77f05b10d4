import type { Interval } from '../../../operators/core/interval.js';
import type { Slice } from '../../game/game.js';
import type { Repeats } from '../../game/slice-index.js';
import { type Changes, changesOf, mostMovesOf, mostPawnRows, mostRows, slicesByRanks } from './changes.js';
import { REFLECT, REFLECTION } from './geometry.js';
import {
  hasImages,
  hasTwins,
  numberingOf,
  placeMen,
  placementRank,
  type Space,
  spaceOf,
} from './index-space.js';
import { createKernels } from './kernels.js';
import { namingOf, shapeOf } from './shape.js';
import { rowMovesOf } from './wasm-row-moves.js';
import { rowKernelsOf } from './wasm-rows.js';

/** The slice of this canonical name. */
export function createSlice(name: string): Slice {
  return newSlice(spaceOf(name), changesOf([shapeOf(name)], slicesByRanks(namingOf(name))));
}

/** The slice of an index space. @param changes that moves out of it make. */
export function newSlice(space: Space, changes: Changes): Slice {
  const numbering = numberingOf(space);
  const { name, parts, width, size } = space;
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
    periods: () => periodsOf(space),
    ...(space.hasRows && !hasPawns ? { repeats: newRepeats(space) } : {}),
    orbitSizes(part: number, keys: Uint32Array, length: number, out: Uint8Array): void {
      // With pawns, no board is its own mirror image: no king stands on the middle of the files.
      if (hasPawns) out.fill(2, 0, length);
      else measureOrbits(space, part, keys, length, out);
    },
  };
}

/** The last digits are squares of single men: neighbouring files, and neighbouring ranks, of the last man but one; before them, sets of files. */
function periodsOf({ pawnGroups, placements, size }: Space): number[] {
  const rows = pawnGroups > 0 ? [8, 64, 512, placements] : [64, 512];
  return [...new Set(rows)].filter((row) => row < size).sort((a, b) => a - b);
}

/** Among the keys with kings on the long diagonal. */
function newRepeats(space: Space): Repeats {
  const { pairsPerPart, pairs, placements } = space;
  const byRows = !hasTwins(space);
  const known = new Map<number, readonly Interval[]>();
  return {
    within(part) {
      let found = known.get(part);
      if (found === undefined) {
        const first = part * pairsPerPart;
        const count = Math.min(pairsPerPart, pairs.white.length - first);
        found = Array.from({ length: count }, (_, pair) => pair)
          .filter((pair) => hasImages(space, first + pair))
          .map((pair) => ({ from: pair * placements, to: (pair + 1) * placements }));
        known.set(part, found);
      }
      return found;
    },
    ofRow(key, out) {
      const rank = key % placements;
      out[0] = out[1] = 0;
      if (byRows) {
        const beyond = reflectedRank(space, rank) - rank;
        if (beyond < 0) out.fill(0xffff_ffff);
        else if (beyond === 0) out.set(ABOVE_DIAGONAL);
        return;
      }
      for (let i = 0; i < 64; i++)
        if (reflectedRank(space, rank + i) < rank + i) out[i >> 5] |= 1 << (i & 31);
    },
  };
}

/** The squares whose mirror image comes before them, as the halves of a set. */
const ABOVE_DIAGONAL = new Uint32Array(2);
for (let square = 0; square < 64; square++)
  if (REFLECT[square] < square) ABOVE_DIAGONAL[square >> 5] |= 1 << (square & 31);

const squares = new Uint8Array(8);

/** Of two indices that mirror images have, the lesser stands for both. A position that is its own mirror image has half as many boards. */
function measureOrbits(space: Space, part: number, keys: Uint32Array, length: number, out: Uint8Array): void {
  const { pairsPerPart, placements, hasRows } = space;
  const byRows = hasRows && !hasTwins(space);
  let row = -1;
  let beyond = 0;
  // The pair of the last key: its first key, and whether mirror images have the same kings.
  let base = Number.POSITIVE_INFINITY;
  let isShared = false;
  for (let i = 0; i < length; i++) {
    const key = keys[i];
    if (key < base || key >= base + placements) {
      const pairInPart = Math.floor(key / placements);
      base = pairInPart * placements;
      isShared = hasImages(space, part * pairsPerPart + pairInPart);
    }
    out[i] = 8;
    if (!isShared) continue;
    const rank = key - base;
    // The last digit is a square: those before it are compared once a row, with the last man on a1.
    if (!byRows) beyond = reflectedRank(space, rank) - rank;
    else if (key >> 6 !== row) {
      row = key >> 6;
      beyond = reflectedRank(space, rank & ~63) - (rank & ~63);
    }
    const far = byRows && beyond === 0 ? REFLECT[rank & 63] - (rank & 63) : beyond;
    if (far <= 0) out[i] = far === 0 ? 4 : 0;
  }
}

/** The rank of the mirror image; infinite if like men are not in order, which no position has. */
function reflectedRank(space: Space, rank: number): number {
  placeMen(space, rank, squares);
  if (hasTwins(space) && placementRank(space, squares, 0) !== rank) return Number.POSITIVE_INFINITY;
  return placementRank(space, squares, REFLECTION);
}
