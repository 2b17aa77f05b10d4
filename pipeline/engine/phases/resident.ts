/**
 * Slices that fit the budget with what their conversions lead to (pipeline/game/resident-kernels.ts): solved and verified in
 * memory that kernels reach (resident-rounds.ts).
 *
 *   tables of dependencies, read once for each side → best conversion of every position → values and out-counts to begin with,
 *   events by ply → rounds → values, written as a table
 *
 * A conversion that wins decides a position at the ply of the shortest of them. If all conversions lose, they count as one move, lost
 * at the ply of the longest. If the best of them draws, the position cannot be lost, and they count as one move that never is.
 *
 * Verification reads the finished table, and derives every value again by forward moves, as verify.ts does.
 */

import { type Arrays, newArrays } from '../../../operators/core/arrays.js';
import { assert } from '../../../operators/core/errors.js';
import type { Interval } from '../../../operators/core/interval.js';
import {
  MOST_RESIDENT_PLIES,
  type MoveRanks,
  type ResidentColumn,
  type ResidentKernels,
  type ResidentSlice,
  type Side,
  type SliceIndex,
} from '../../game/game.js';
import type { ResidentPart } from '../../game/step-manifests.js';
import { stipulations } from '../../game/stipulation.js';
import { type Metric, preference, type ValueColumn, WIDE_PLIES } from '../../game/value.js';
import type { Table } from '../../tables/table.js';
import type { Context } from '../memory/context.js';
import { memoryOf, PHASE_MEMORY } from '../memory/phase-memory.js';
import { ranksOfCodes } from '../memory/successor-ranks.js';
import { doResidentRounds, type ResidentRounds } from './resident-rounds.js';

/** A slice that may have kernels for memory. */
export interface MayBeResident {
  readonly resident?: ResidentKernels;
}

/** The kernels of a slice, if the slice fits the memory of a partition. */
export function residentKernels({ resident }: MayBeResident, memory: number): ResidentKernels | undefined {
  const share = PHASE_MEMORY.resident.slice * memory;
  return resident !== undefined && resident.bytes <= share ? resident : undefined;
}

/** Solves the slice. All parts are the context's. */
export async function solveResident(context: Context, kernels: ResidentKernels): Promise<ResidentPart> {
  const slice = open(context, kernels);
  try {
    for (const side of [0, 1] as const) {
      const last = await raise(context, kernels, slice, side);
      slice.settle(side, last);
      slice.release();
      context.report(context.slice.size);
    }
    return await doResidentRounds(context, roundsOf(context, slice));
  } finally {
    slice.close();
  }
}

function roundsOf({ slice: { width }, metric }: Context, slice: ResidentSlice): ResidentRounds {
  const events = slice.begin();
  let room: ResidentColumn;
  return {
    events,
    round: (ply) => slice.round(ply),
    openColumn(type, positions) {
      slice.release();
      room = columnIn(slice, positions, type === 'i16');
      const { buffer, byteOffset } = room.bytes;
      return room.wide
        ? new Int16Array(buffer, byteOffset, positions)
        : new Int8Array(buffer, byteOffset, positions);
    },
    fill: (_column, side, part, size) =>
      slice.writeValues(side, part * width, size, room, stipulations[metric].plies),
  };
}

/** Memory for the values of a part. */
function columnIn(slice: ResidentSlice, positions: number, wide: boolean): ResidentColumn {
  const room = slice.column(positions, wide);
  assert(room !== null, 'there is room for the values of a part');
  return room;
}

function open({ metric, slice, tables, budget }: Context, kernels: ResidentKernels): ResidentSlice {
  // A table states its longest win only, and its losses may take longer.
  const isWide = tables.some(({ manifest }) => manifest.valueType === 'i16');
  const plies = isWide ? MOST_RESIDENT_PLIES : WIDE_PLIES + 2;
  const opened = kernels.open(memoryOf('resident', budget).slice.memory, plies);
  opened.setRanks(moveRanks(slice, metric));
  return opened;
}

/** By metric, and whether conversions restart its count: slices are many, and made of these are 257 KiB. */
const known = new Map<string, MoveRanks>();

function moveRanks({ name, dependencies }: SliceIndex, metric: Metric): MoveRanks {
  const restarting = dependencies.map(({ restarts }) => restarts.includes(metric));
  const restarts = restarting[0] ?? false;
  assert(!restarting.includes(!restarts), `all conversions of ${name} restart a count, or none`);
  const key = `${metric} ${restarts}`;
  let ranks = known.get(key);
  if (ranks === undefined) {
    const narrow = ranksOfCodes('i8', metric, restarts, preference);
    const wide = ranksOfCodes('i16', metric, restarts, preference);
    known.set(key, (ranks = { narrow, wide, own: ranksOfCodes('i16', metric, false, preference) }));
  }
  return ranks;
}

/**
 * Reads the tables that conversions of a side lead to. As often as no more of them fit, the best moves are raised by those that are
 * there. Returns the last ones.
 */
async function raise(
  { tables }: Context,
  kernels: ResidentKernels,
  slice: ResidentSlice,
  side: Side,
): Promise<ReadonlyMap<number, ResidentColumn>> {
  const held = new Map<number, ResidentColumn>();
  const batches = newArrays();
  for (const number of kernels.behind(side)) {
    const table = tables[number >> 1];
    const column = () => slice.column(table.slice.size, table.manifest.valueType === 'i16');
    let room = column();
    if (room === null) {
      slice.raise(side, held);
      slice.release();
      held.clear();
      room = column();
    }
    assert(room !== null, 'there is room for every table');
    await readParts(table, (number & 1) as Side, { from: 0, to: table.slice.parts }, room.bytes, batches);
    held.set(number, room);
  }
  return held;
}

/** Reads the values of the parts [from, to) of a side of a table, which are `room.byteLength` bytes. */
async function readParts(
  { slice, values }: Table<SliceIndex>,
  side: Side,
  { from, to }: Interval,
  room: Uint8Array,
  batches: Arrays,
): Promise<void> {
  let read = 0;
  for await (const { length, columns } of values(side, from, to, { arrays: batches })) {
    const codes = (columns[0] as ValueColumn).subarray(0, length);
    room.set(new Uint8Array(codes.buffer, codes.byteOffset, codes.byteLength), read);
    read += codes.byteLength;
  }
  assert(read === room.byteLength, `the table of ${slice.name} has all values`);
}

/** Returns how many moves were looked at; null if any value is wrong. */
export async function verifyResident(
  context: Context,
  table: Table<SliceIndex>,
  kernels: ResidentKernels,
): Promise<number | null> {
  const { slice: index, metric, report } = context;
  const slice = open(context, kernels);
  try {
    const wide = table.manifest.valueType === 'i16';
    const room = columnIn(slice, index.width, wide);
    const batches = newArrays();
    for (const side of [0, 1] as const) {
      for (let part = 0; part < index.parts; part++) {
        const size = index.partSize(part);
        const bytes = room.bytes.subarray(0, wide ? 2 * size : size);
        await readParts(table, side, { from: part, to: part + 1 }, bytes, batches);
        slice.readValues(side, part * index.width, size, room);
      }
    }
    slice.release();
    let moves = 0;
    let wrong = 0;
    for (const side of [0, 1] as const) {
      const found = slice.compare(
        side,
        await raise(context, kernels, slice, side),
        stipulations[metric].plies,
      );
      moves += found.moves;
      wrong += found.wrong;
      slice.release();
      report(index.size);
    }
    return wrong === 0 ? moves : null;
  } finally {
    slice.close();
  }
}
