/**
 * Slices that are solved in memory, by the kernels of assembly/resident.ts. The linear memory of an instance has, for the positions of the
 * slice, their states, bests and frontiers, and behind these columns of values: of the slice, or of tables that conversions lead to.
 */

import { assert } from '../../../operators/core/errors.js';
import { aligned, growTo } from '../../../operators/core/wasm.js';
import {
  MOST_RESIDENT_PLIES,
  type MoveRanks,
  type ResidentColumn,
  type ResidentKernels,
  type ResidentSlice,
  type Side,
} from '../../game/game.js';
import type { Frame, Half } from './halves.js';
import { describeSpace, describeTargets, type Exports, instantiate } from './wasm-instance.js';

const FLOWS = 4;
/** Indices have 32 bits. */
const MOST_POSITIONS = 2 ** 31;

/**
 * The instance that was used last, for the next slice: the memory of a second one would exist beside it until garbage collection. A large
 * instance is held weakly, so that a process that has stopped solving does not keep its memory.
 */
let spare: Pick<WeakRef<Exports>, 'deref'> | undefined;
const KEPT = 16 << 20;
/** The ranks that were last copied to the memory of an instance. */
const loadedRanks = new WeakMap<Exports, MoveRanks>();

/** Bytes of states, bests and frontiers of both sides. */
function bytesOf(size: number): number {
  return 4 * aligned(2 * size) + 2 * FLOWS * aligned(8 * Math.ceil(size / 64));
}

/** Bytes of the columns of all tables that conversions of a side lead to, and of the largest. */
function columnBytes({ arrivals }: Half): { all: number; most: number } {
  const sizes = new Map([...arrivals.values()].map(({ to, space }) => [to, space?.size ?? 1]));
  const bytes = [...sizes.values()].map((size) => aligned(2 * size));
  return { all: bytes.reduce((sum, each) => sum + each, 0), most: Math.max(0, ...bytes) };
}

/** @param size positions of a side. */
export function createResidentKernels(frame: Frame, size: number): ResidentKernels {
  const columns = () => ([0, 1] as const).map((side) => columnBytes(frame.half(side)));
  /** Values are read and written as columns of a part. */
  const bytesWith = (column: number) => bytesOf(size) + Math.max(column, aligned(2 * frame.width));
  let least: number | undefined;
  return {
    get bytes() {
      least ??= bytesWith(Math.max(...columns().map(({ most }) => most)));
      return least;
    },
    behind: (side) => [...new Set([...frame.half(side).arrivals.values()].map(({ to }) => to))],
    forget() {
      spare = undefined;
    },
    open(memory, plies) {
      const all = bytesWith(Math.max(...columns().map((side) => side.all)));
      return openSlice(frame, size, Math.min(memory, all), plies);
    },
  };
}

function openSlice(frame: Frame, size: number, memory: number, plies: number): ResidentSlice {
  assert(size <= MOST_POSITIONS, 'what lies in memory has indices of 32 bits');
  const wasm = describedInstance(frame);
  const { take, hasRoom, release } = layOut(wasm, size, memory, plies);
  const labelled = new Uint32Array(wasm.memory.buffer, wasm.LABELLED.value, 2 * FLOWS);
  const useColumns = columnSetter(wasm, frame);

  return {
    column(positions, wide) {
      const length = wide ? 2 * positions : positions;
      if (!hasRoom(length)) return null;
      return { bytes: new Uint8Array(wasm.memory.buffer, take(length), length), wide };
    },
    release,
    setRanks: (given) => loadRanks(wasm, given),
    raise(side, columns) {
      useColumns(side, columns);
      wasm.raiseAll(side, size);
    },
    settle(side, columns) {
      useColumns(side, columns);
      wasm.settleAll(side, size, plies);
    },
    begin() {
      release();
      wasm.takeRequests();
      const found = new Uint8Array(plies);
      for (let flow = 0; flow < FLOWS; flow++)
        eventsOf(wasm, flow, plies).forEach((count, ply) => {
          if (count > 0) found[ply] = 1;
        });
      return [...found.keys()].filter((ply) => found[ply] === 1);
    },
    round(ply) {
      assert(ply < MOST_RESIDENT_PLIES, 'values in memory have few plies');
      wasm.round(ply, plies, size);
      const [won0, won1, lost0, lost1] = labelled.subarray(FLOWS * (ply & 1), FLOWS * (ply & 1) + FLOWS);
      return { won: won0 + won1, lost: lost0 + lost1, requests: wasm.takeRequests() };
    },
    writeValues: (side, first, positions, { bytes: { byteOffset }, wide }, plies) =>
      wasm.writeValues(side, first, positions, wide, plies, byteOffset),
    readValues: (side, first, positions, { bytes: { byteOffset }, wide }) =>
      wasm.readValues(side, first, positions, wide, byteOffset),
    compare(side, columns, plies) {
      useColumns(side, columns);
      wasm.takeRequests();
      const wrong = wasm.compareAll(side, size, plies);
      return { wrong, moves: wasm.takeRequests() };
    },
    close() {
      spare = wasm.memory.buffer.byteLength <= KEPT ? { deref: () => wasm } : new WeakRef(wasm);
    },
  };
}

/** An instance that has the positions and conversions of a slice. */
function describedInstance(frame: Frame): Exports {
  const wasm = spare?.deref() ?? instantiate();
  spare = undefined;
  for (const side of [0, 1] as const) {
    const at = wasm.SPACES.value + side * wasm.TARGET.value;
    describeSpace(wasm, at, 0, frame.half(side).space, null);
    describeTargets(wasm, frame.half(side), false);
  }
  return wasm;
}

/** The memory of an instance that columns are taken from. */
interface ColumnRoom {
  hasRoom(length: number): boolean;
  /** Returns the address of so many bytes. */
  take(length: number): number;
  /** Gives all columns back. */
  release(): void;
}

/** Places states, bests, frontiers and counts of events, all zero. The rest of the memory is for columns. */
function layOut(wasm: Exports, size: number, memory: number, plies: number): ColumnRoom {
  // All is described, so no table is made any more.
  let next = wasm.allocated();
  const end = next + memory + FLOWS * aligned(4 * plies);
  growTo(wasm, end);
  const { buffer } = wasm.memory;
  const words = (at: number, length: number) => new Uint32Array(buffer, at, length);

  function take(length: number): number {
    const at = next;
    next += aligned(length);
    assert(next <= end, 'a slice takes no more memory than it says');
    return at;
  }

  const own = next;
  const rows = Math.ceil(size / 64);
  words(wasm.STATES.value, 2).set([take(2 * size), take(2 * size)]);
  words(wasm.BESTS.value, 2).set([take(2 * size), take(2 * size)]);
  words(wasm.FRONTIERS.value, 2 * FLOWS).set(Array.from({ length: 2 * FLOWS }, () => take(8 * rows)));
  words(wasm.EVENTS.value, FLOWS).set(Array.from({ length: FLOWS }, () => take(4 * plies)));
  new Uint8Array(buffer, own, next - own).fill(0);
  words(wasm.LABELLED.value, 2 * FLOWS).fill(0);
  const firstColumn = next;
  return {
    hasRoom: (length) => next + aligned(length) <= end,
    take,
    release() {
      next = firstColumn;
    },
  };
}

/** Returns the function that gives the kernels the conversions of a side, and the columns of the tables that are in memory. */
function columnSetter(wasm: Exports, frame: Frame) {
  // Of both sides, `describedInstance` has described this one last.
  let described: Side = 1;
  return (side: Side, columns: ReadonlyMap<number, ResidentColumn>): void => {
    if (described !== side) describeTargets(wasm, frame.half(side), false);
    described = side;
    const { buffer } = wasm.memory;
    const values = new Uint32Array(buffer, wasm.VALUES.value, wasm.MOST_BIASES.value).fill(0);
    const wide = new Uint8Array(buffer, wasm.WIDE.value, wasm.MOST_BIASES.value);
    for (const [table, column] of columns) {
      values[table] = column.bytes.byteOffset;
      wide[table] = column.wide ? 1 : 0;
    }
  };
}

function loadRanks(wasm: Exports, given: MoveRanks): void {
  if (loadedRanks.get(wasm) === given) return;
  loadedRanks.set(wasm, given);
  const ranks = (at: number, of: Uint16Array) => new Uint16Array(wasm.memory.buffer, at, of.length).set(of);
  ranks(wasm.NARROW_RANKS.value, given.narrow);
  ranks(wasm.WIDE_RANKS.value, given.wide);
  ranks(wasm.OWN_RANKS.value, given.own);
}

/** How many positions of a flow were labelled in each ply. */
function eventsOf(wasm: Exports, flow: number, plies: number): Uint32Array {
  const { buffer } = wasm.memory;
  const [at] = new Uint32Array(buffer, wasm.EVENTS.value + 4 * flow, 1);
  return new Uint32Array(buffer, at, plies);
}
