/**
 * The kernels of endings without pawns in TypeScript.
 *
 * Many parameters: kernels have those of the contract (contract/emission.ts says why).
 */
import type { MoveKernel, PartKernels, Slice } from '../../contract/game.js';
import { census } from './census.js';
import { type CaptureTable, conversions, takenBy } from './conversions.js';
import type { Space } from './index-space.js';
import { moves } from './moves.js';
import { type Uncaptures, uncapturesOf, unconversions } from './unconversions.js';
import { unmoves, unmovesBeyond, unmovesWithin } from './unmoves.js';
import { createWorkspace } from './workspace.js';

/** The kernels of a slice that make moves or take them back. */
export interface MoveKernels {
  readonly moves: MoveKernel;
  readonly unmoves: MoveKernel;
  readonly local: PartKernels;
  readonly conversions: Slice['conversions'];
}

/** All kernels of a slice but those that it may do without. */
export interface RequiredKernels extends MoveKernels {
  readonly census: Slice['census'];
}

/** The kernels of slices without pawns. */
export interface PieceKernels extends RequiredKernels, Pick<Slice, 'rowConversions'> {
  readonly unconversions: NonNullable<Slice['unconversions']>;
}

/** The kernels in TypeScript: what those in WebAssembly are tested and measured against. */
export function createPlainKernels(space: Space, captures: CaptureTable, maxMoves: number): PieceKernels {
  const { name } = space;
  const w = createWorkspace(name);
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
