import { fillCensus } from '../../census.js';
import { type Census, type Emission, type Side, type Slice, Status } from '../../game.js';
import { census } from './census.js';
import { createCensusRow } from './census-row.js';
import { capturesOf } from './conversions.js';
import {
  Kind,
  LINE,
  PAIR_BLACK,
  PAIR_DIAGONAL,
  PAIR_WHITE,
  RAY_START,
  RAYS,
  REFLECTION,
} from './geometry.js';
import { placementRank } from './index-space.js';
import { mostRows } from './most-moves.js';
import { type Uncaptures, uncapturesOf, unconversions } from './unconversions.js';
import { createWasmKernels } from './wasm-kernels.js';
import { pieceRows, rowKernelsOf } from './wasm-rows.js';
import { createWorkspace, load } from './workspace.js';

/** The census of the two bare kings: there is always a move. */
function kingsCensus(side: Side, first: number, length: number, out: Census): void {
  fillCensus(first, length, out, (i) => {
    const pair = first + i;
    const king = side === 0 ? PAIR_WHITE[pair] : PAIR_BLACK[pair];
    const other = side === 0 ? PAIR_BLACK[pair] : PAIR_WHITE[pair];
    const rays = (Kind.king << 6) | king;
    let moves = 0;
    for (let r = RAY_START[rays]; r < RAY_START[rays + 1]; r++) {
      if ((LINE[((RAYS[r] & 63) << 6) | other] & 8) === 0) moves++;
    }
    return { status: Status.open, moves, conversions: 0 };
  });
}

/** The slice of an ending without pawns, given by its canonical name. */
export function createSlice(name: string, createKernels = createWasmKernels): Slice {
  const w = createWorkspace(name);
  const row = createCensusRow();
  const { space } = w;
  const captures = capturesOf(space);
  const maxMoves = mostRows(space);
  // Made when first asked for: most slices are only looked at, or are dependencies themselves.
  let uncaptures: Uncaptures | undefined;
  return {
    name,
    parts: space.parts,
    width: space.width,
    size: space.size,
    dependencies: captures.dependencies,
    maxMoves,
    partSize: (part) => Math.min(space.width, space.size - part * space.width),
    census(side: Side, part: number, first: number, length: number, out: Census): void {
      if (space.men === 0) kingsCensus(side, first, length, out);
      else census(w, row, side, part, first, length, out);
    },
    ...createKernels(space, captures, maxMoves),
    ...rowKernelsOf(space, pieceRows(space)),
    unconversions(
      side: Side,
      dependency: number,
      sideThere: Side,
      part: number,
      keys: Uint32Array,
      from: number,
      to: number,
      bias: number,
      out: Emission,
    ) {
      uncaptures ??= uncapturesOf(space, captures);
      return unconversions(
        uncaptures,
        maxMoves,
        side,
        dependency,
        sideThere,
        part,
        keys,
        from,
        to,
        bias,
        out,
      );
    },
    // The last digits are squares of single men: neighbouring files, and neighbouring ranks, of the last man but one.
    rows: () => [64, 512].filter((row) => row < space.size),
    orbitSizes(part: number, keys: Uint32Array, length: number, out: Uint8Array): void {
      for (let i = 0; i < length; i++) {
        load(w, part, keys[i]);
        const invariant =
          PAIR_DIAGONAL[w.pair] !== 0 && placementRank(space, w.squares, REFLECTION) === w.rank;
        out[i] = invariant ? 4 : 8;
      }
    },
  };
}
