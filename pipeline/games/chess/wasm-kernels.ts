/**
 * The kernels of endings without pawns in WebAssembly (see assembly/). An instance
 * belongs to an ending: its index space is written to the linear memory once.
 */

import type { Link } from '../../game/game.js';
import { write } from './board-tables.js';
import { type CaptureTable, capturesOf, takenBy } from './captures.js';
import type { Space } from './index-space.js';
import { kingsCensus } from './kings-census.js';
import type { Changes } from './pawn-changes.js';
import { keyMoves } from './pawn-kernels.js';
import { type RawCensus, wasmCensus } from './wasm-census.js';
import { type ChessMemory, type Instance, instantiate, type KeyKernels } from './wasm-instance.js';
import { type DecidedExports, unconversionsOf } from './wasm-row-conversions.js';

export interface SpaceExports extends ChessMemory {
  configure(men: number, groups: number, composite: number, placements: number, pairsPerPart: number): void;
}

interface Exports extends SpaceExports, DecidedExports {
  readonly census: RawCensus;
  keepsRows(taken: number): number;
  unconvertSets(
    side: number,
    taken: number,
    part: number,
    count: number,
    bias: number,
    room: number,
    asSets: boolean,
  ): number;
}

/** An instance for an ending. */
function instanceFor(space: Space, captures: CaptureTable) {
  const instance = instantiate<Exports>();
  writeSpace(instance.wasm, space);
  writeCaptures(instance.wasm, captures);
  return instance;
}

export function createWasmKernels(space: Space, changes: Changes, maxMoves: number): KeyKernels {
  const captures = capturesOf(space, changes);
  // Made when it is first needed: most slices are but asked for their size.
  let made: Instance<Exports> | undefined;
  const instance = () => (made ??= instanceFor(space, captures));
  const takenIn = ({ side, dependency, sideThere }: Link) =>
    takenBy(space, captures, side, dependency, sideThere);
  return {
    ...unconversionsOf(instance, maxMoves, {
      leads: (link) => takenIn(link) >= 0,
      keepsRows: (wasm, link) => wasm.keepsRows(takenIn(link)) !== 0,
      unconvertOf(wasm, link) {
        const taken = takenIn(link);
        return (...how) => wasm.unconvertSets(link.side, taken, ...how);
      },
    }),
    ...keyMoves({ space, changes }, maxMoves),
    census: space.men === 0 ? kingsCensus : wasmCensus(instance, (wasm) => wasm.census),
  };
}

/** Writes the index space of an ending to an instance. */
export function writeSpace(wasm: SpaceExports, space: Space): void {
  write(wasm, 'PAIR_PART', space.pairPart);
  write(wasm, 'PAIR_BASE', space.pairBase);
  write(wasm, 'KIND', space.kindOf);
  write(wasm, 'SIDE', space.sideOf);
  write(wasm, 'GROUP', space.groupOf);
  write(wasm, 'FIRST', space.groupFirst);
  write(wasm, 'COUNT', space.groupCount);
  write(wasm, 'STRIDE', space.groupStride);
  const { men, groups, composite, placements, pairsPerPart } = space;
  wasm.configure(men, groups.length, composite, placements, pairsPerPart);
}

/** Writes where captures lead. */
export function writeCaptures(wasm: SpaceExports, { byMan }: CaptureTable): void {
  write(
    wasm,
    'WITHOUT_FLIPPED',
    byMan.map(({ flipped }) => Number(flipped)),
  );
  write(
    wasm,
    'WITHOUT_PLACEMENTS',
    byMan.map(({ target }) => target.placements),
  );
  write(
    wasm,
    'WITHOUT_PAIRS',
    byMan.map(({ target }) => target.pairsPerPart),
  );
  write(
    wasm,
    'WITHOUT_GROUPS',
    byMan.map(({ target }) => target.groups.length),
  );
  const count = new Int32Array(64);
  const stride = new Int32Array(64);
  const manHere = new Int32Array(64);
  byMan.forEach(({ target, manThere }, taken) => {
    count.set(target.groupCount, 8 * taken);
    stride.set(target.groupStride, 8 * taken);
    for (let man = 0; man < byMan.length; man++) if (man !== taken) manHere[8 * taken + manThere[man]] = man;
  });
  write(wasm, 'WITHOUT_COUNT', count);
  write(wasm, 'WITHOUT_STRIDE', stride);
  write(wasm, 'WITHOUT_MAN', manHere);
}
