import type { Slice } from '../../game.js';
import { Kind, MOBILITY } from './geometry.js';
import { type Space, spaceOf } from './index-space.js';
import { changesOf, MOST_PAWN_MOVES } from './pawn-changes.js';
import { createPawnKernels } from './pawn-kernels.js';

/** Most moves of a man on an empty board. */
function most(kind: number): number {
  if (kind >= Kind.pawn) return MOST_PAWN_MOVES;
  return Math.max(...MOBILITY.subarray(kind * 64, kind * 64 + 64));
}

/** A side's men can move no further than on an empty board. */
function mostMoves({ groups }: Space): number {
  const ofSide = (side: number) =>
    groups.reduce((sum, group) => sum + (group.side === side ? group.count * most(group.kind) : 0), 0);
  return Math.max(ofSide(0), ofSide(1)) + most(Kind.king);
}

/** The slice of an ending with pawns, given by its canonical name. */
export function createPawnSlice(name: string): Slice {
  const space = spaceOf(name);
  const changes = changesOf(name);
  const maxMoves = mostMoves(space);
  const { parts, width, size, placements } = space;
  return {
    name,
    parts,
    width,
    size,
    dependencies: changes.dependencies,
    maxMoves,
    partSize: (part) => Math.min(width, size - part * width),
    ...createPawnKernels(space, changes, maxMoves),
    rows: () => [...new Set([8, 64, 512, placements])].filter((row) => row < size).sort((a, b) => a - b),
    // No board is its own mirror image: no king stands on the middle of the files.
    orbitSizes: (_part, _keys, length, out) => {
      out.fill(2, 0, length);
    },
  };
}
