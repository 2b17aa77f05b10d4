/**
 * The kernels of endings without pawns in TypeScript, and slices that have them.
 *
 * Kernels have the parameters of the contract (game/emission.ts says why).
 */
import type { Slice } from '../../../../../pipeline/game/game.js';
import { type Space, spaceOf } from '../../../../../pipeline/games/chess/index-space.js';
import type { KeyKernels } from '../../../../../pipeline/games/chess/kernels.js';
import { createSlice } from '../../../../../pipeline/games/chess/slice.js';
import { type CaptureTable, capturesOf, takenBy } from './captures.js';
import { census } from './census.js';
import { conversions } from './conversions.js';
import { moves } from './moves.js';
import { type Uncaptures, uncapturesOf, unconversions } from './unconversions.js';
import { unmoves, unmovesBeyond, unmovesWithin } from './unmoves.js';
import { createWorkspace } from './workspace.js';

/** The slice of an ending with plain kernels. */
export function plainSlice(name: string): Slice {
  const slice = createSlice(name);
  const space = spaceOf(name);
  return { ...slice, ...plainKernels(space, capturesOf(space), slice.maxMoves) };
}

function plainKernels(
  space: Space,
  captures: CaptureTable,
  maxMoves: number,
): Omit<KeyKernels, 'rowConversions'> {
  const w = createWorkspace(space.name);
  // Made when first asked for: they have workspaces of their own.
  let uncaptures: Uncaptures | undefined;
  return {
    census: (side, part, first, length, out) => census(w, side, part, first, length, out),
    moves: (side, part, keys, from, to, bias, out) =>
      moves(w, maxMoves, side, part, keys, from, to, bias, out),
    unmoves: (side, part, keys, from, to, bias, out) =>
      unmoves(w, maxMoves, side, part, keys, from, to, bias, out),
    local: {
      unmovesWithin: (side, part, keys, from, to, out) =>
        unmovesWithin(w, maxMoves, side, part, keys, from, to, out),
      unmovesBeyond: (side, part, keys, from, to, bias, out) =>
        unmovesBeyond(w, maxMoves, side, part, keys, from, to, bias, out),
    },
    conversions: (side, part, keys, from, to, conversionBias, out) =>
      conversions(w, captures, maxMoves, side, part, keys, from, to, conversionBias, out),
    unconversions(side, dependency, sideThere, part, keys, from, to, bias, out) {
      const taken = takenBy(space, captures, side, dependency, sideThere);
      if (taken < 0) return to;
      uncaptures ??= uncapturesOf(space, captures);
      return unconversions(uncaptures, taken, maxMoves, part, keys, from, to, bias, out);
    },
  };
}
