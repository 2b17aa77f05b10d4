/**
 * The kernels of a slice in WebAssembly (assembly/). All slices share an instance, since there are many of them: its tables of a
 * slice are written when the kernels turn to that slice.
 */
import { writeWords } from '../../../operators/core/wasm.js';
import { fillCensus } from '../../game/fill-census.js';
import { type Link, type Slice, Status } from '../../game/game.js';
import { type Changes, sideOfPlace } from './changes.js';
import { LINE } from './geometry.js';
import type { Space } from './index-space.js';
import { shapeOf } from './shape.js';
import { type RawCensus, wasmCensus } from './wasm-census.js';
import {
  type ChessMemory,
  instantiate,
  type KeyKernels,
  moveKernels,
  type RawKernels,
} from './wasm-instance.js';
import { type DecidedExports, unconversionsOf } from './wasm-row-conversions.js';

/** Exports that describe an index space to an instance. */
export interface SpaceExports extends ChessMemory {
  configure(
    groups: number,
    placements: number,
    pairs: number,
    taker: number,
    last: boolean,
    kings: number,
  ): void;
}

interface Exports extends SpaceExports, RawKernels, DecidedExports {
  readonly census: RawCensus;
  keepsRows(side: number, dependency: number, sideThere: number, changes: number): number;
  unconvertSets(
    side: number,
    dependency: number,
    sideThere: number,
    changes: number,
    part: number,
    count: number,
    bias: number,
    room: number,
    asSets: boolean,
  ): number;
}

/** Facts about a slice that the kernels need. */
interface Subject {
  readonly space: Space;
  readonly changes: Changes;
}

function newInstance() {
  const instance = instantiate<Exports>();
  return { ...instance, subject: undefined as Subject | undefined };
}

let shared: ReturnType<typeof newInstance> | undefined;

/** The instance, configured for a slice. */
function instanceFor(subject: Subject): ReturnType<typeof newInstance> {
  shared ??= newInstance();
  if (shared.subject !== subject) {
    tellSpace(shared.wasm, subject.space);
    tellChanges(shared.wasm, subject.changes.all);
    shared.subject = subject;
  }
  return shared;
}

/** How an index has the kings, as assembly/kings.ts numbers it. */
function kingsOf({ pawnGroups, kingRuns }: Space): number {
  return kingRuns ? 2 : pawnGroups > 0 ? 1 : 0;
}

/** Gives an instance an index space. */
export function tellSpace(wasm: SpaceExports, space: Space): void {
  const { groups, groupStride, groupCount, placements, pairsPerPart, hasRows, name } = space;
  writeWords(
    wasm,
    'GROUP_SLOT',
    groups.map(({ side, kind }) => 8 * side + kind),
  );
  writeWords(wasm, 'GROUP_COUNT', groupCount);
  writeWords(wasm, 'GROUP_STRIDE', groupStride);
  writeWords(
    wasm,
    'GROUP_RANK',
    groups.map(({ rank }) => Math.max(0, rank)),
  );
  const { taker } = shapeOf(name);
  wasm.configure(groups.length, placements, pairsPerPart, taker ?? -1, hasRows, kingsOf(space));
}

/** Gives an instance the changes that moves out of a slice make. */
export function tellChanges(wasm: SpaceExports, all: Changes['all']): void {
  const changeOf = new Int32Array(286);
  const rank = new Int32Array(8 * all.length);
  const stride = new Int32Array(8 * all.length);
  const slots = new Int32Array(8 * all.length);
  const count = new Int32Array(8 * all.length);
  for (const [number, change] of all.entries()) {
    changeOf[change.place] = number;
    change.target.groups.forEach((group, g) => {
      rank[8 * number + g] = group.rank;
      stride[8 * number + g] = change.target.groupStride[g];
      slots[8 * number + g] = change.slots[g];
      count[8 * number + g] = group.count;
    });
  }
  writeWords(wasm, 'CHANGE_OF', changeOf);
  writeWords(wasm, 'TO_RANK', rank);
  writeWords(wasm, 'TO_STRIDE', stride);
  writeWords(wasm, 'TO_SLOTS', slots);
  writeWords(wasm, 'TO_COUNT', count);
  writeWords(
    wasm,
    'TO_PLACE',
    all.map(({ place }) => place),
  );
  writeWords(
    wasm,
    'TO_DEPENDENCY',
    all.map(({ dependency }) => dependency),
  );
  writeWords(
    wasm,
    'TO_FLIPPED',
    all.map(({ flipped }) => Number(flipped)),
  );
  writeWords(
    wasm,
    'TO_KINGS',
    all.map(({ target }) => kingsOf(target)),
  );
  writeWords(
    wasm,
    'TO_PLACEMENTS',
    all.map(({ target }) => target.placements),
  );
  writeWords(
    wasm,
    'TO_PAIRS',
    all.map(({ target }) => target.pairsPerPart),
  );
  writeWords(
    wasm,
    'TO_GROUPS',
    all.map(({ target }) => target.groups.length),
  );
}

/** Two lone kings: every position has moves, and is drawn. */
function censusOfKings({ pairs: { white, black } }: Space): Slice['census'] {
  return (side, _part, first, length, out) => {
    fillCensus(first, length, out, (i) => {
      const kings = [white[first + i], black![first + i]];
      const [own, other] = side === 0 ? kings : kings.reverse();
      let moves = 0;
      for (let to = 0; to < 64; to++) if (isStep(own, to) && !isStep(other, to)) moves++;
      return { status: Status.open, moves, conversions: 0 };
    });
  };
}

const isStep = (from: number, to: number) => (LINE[(from << 6) | to] & 8) !== 0;

/** The kernels of a slice but those of its rows. */
export function createKernels(space: Space, changes: Changes, maxMoves: number): KeyKernels {
  const subject = { space, changes };
  const instance = () => instanceFor(subject);
  const { length } = changes.all;
  const leads = ({ side, dependency, sideThere }: Link) =>
    changes.all.some(({ place, dependency: its, flipped }) => {
      return its === dependency && sideOfPlace(place) === side && sideThere === (flipped ? side : 1 - side);
    });
  return {
    census: space.hasRows ? wasmCensus(instance, (wasm) => wasm.census) : censusOfKings(space),
    ...moveKernels(instance, maxMoves),
    ...unconversionsOf(instance, maxMoves, {
      leads,
      keepsRows: (wasm, { side, dependency, sideThere }) =>
        wasm.keepsRows(side, dependency, sideThere, length) !== 0,
      unconvertOf:
        (wasm, { side, dependency, sideThere }) =>
        (...how) =>
          wasm.unconvertSets(side, dependency, sideThere, length, ...how),
    }),
  };
}
