/**
 * Finish: brings labels and events together into the table. For a group of parts that fits the budget, values start from the
 * bits of positions that are not won (broken, or drawn). The events of every ply are written over them. Groups follow each
 * other in index order. One scan of the bits, one of the events, one write of the table.
 *
 * A part that does not fit is done in stretches of rows, each by a scan of the part's bits and events.
 */

import type { Interval } from '../../../operators/core/interval.js';
import { firstAtLeast } from '../../../operators/core/search.js';
import { flow, Kind } from '../../game/events.js';
import type { RowKernels, RowValues, SetColumns, Side, SliceIndex } from '../../game/game.js';
import { labellingOf } from '../../game/labelling.js';
import { bitBytes } from '../../game/labels.js';
import type { EventRun, LabelRuns } from '../../game/manifest.js';
import { eachRepeat } from '../../game/repeats.js';
import type { FinishedPart } from '../../game/step-manifests.js';
import { stipulations } from '../../game/stipulation.js';
import { brokenIn, type ValueColumn } from '../../game/value.js';
import {
  type TableWriter,
  valueTypeFor,
  type WrittenTable,
  writeSides,
  writeValues,
} from '../../tables/writer.js';
import type { Context } from '../memory/context.js';
import { EventRuns } from '../memory/event-runs.js';
import { readPlane } from '../memory/label-planes.js';
import { kernelBytes, memoryOf, STRETCH_UNIT } from '../memory/phase-memory.js';
import { RowReader } from '../memory/rows.js';

type Counts = Omit<FinishedPart, keyof WrittenTable | 'numbers'>;

export interface FinishState {
  readonly labels: LabelRuns;
  readonly events: readonly EventRun[];
  readonly longest: number;
}

export async function finish(context: Context, state: FinishState, rows: RowKernels): Promise<FinishedPart> {
  const { slice, metric, parts, tableStore: store, budget } = context;
  const { numbering } = labellingOf(metric);
  const counts: Counts = {
    positions: [0, 0],
    wins: [0, 0],
    losses: [0, 0],
    longestWin: [null, null],
  };
  const type = valueTypeFor(context.metric, state.longest);
  const events = await EventRuns.open(context, state.events);
  const room = roomFor(context, rows, type);
  const columnBytes = room.positions * BYTES_OF[type];
  const numberBytes = numbering === null ? 0 : room.positions;
  const values = rows.openValues(room.parts * (columnBytes + numberBytes));
  /** The values and the numbers of the parts of a group. */
  const columns = Array.from({ length: room.parts }, () => {
    const { buffer, byteOffset } = values.allocate(columnBytes);
    const Column = type === 'i8' ? Int8Array : Int16Array;
    return new Column(buffer, byteOffset, room.positions);
  });
  const numbers = columns.map(() => {
    if (numbering === null) return null;
    const { buffer, byteOffset } = values.allocate(numberBytes);
    return new Uint8Array(buffer, byteOffset, numberBytes);
  });
  const group: Group = { columns, numbers, values, reader: new RowReader(rows), rows };

  const fill = async (writer: TableWriter, side: Side, ofNumbers: TableWriter | null) => {
    for (let from = parts.from; from < parts.to; from += room.parts) {
      const to = Math.min(from + room.parts, parts.to);
      for (let first = 0; first < slice.partSize(from); first += room.positions) {
        const stretch = { side, parts: { from, to }, first, most: room.positions };
        const column = (part: number) => columns[part - from].subarray(0, lengthIn(slice, part, stretch));
        for (const each of numbers) each?.fill(0);
        await settle(context, state.labels, stretch, values, (part) => {
          counts.positions[side] += values.settle(column(part));
        });
        await writeEvents(context, events, stretch, state.longest, group, counts);
        for (let part = from; part < to; part++) {
          uncountRepeats(slice, { part, first }, column(part), side, counts);
          await writer.append(part, column(part));
          const itsNumbers = numbers[part - from];
          if (itsNumbers !== null)
            await ofNumbers!.append(part, itsNumbers.subarray(0, lengthIn(slice, part, stretch)));
        }
      }
    }
  };

  const env = { ...context, store, batchRows: budget.batchRows };
  if (numbering === null) {
    const written = await writeSides(env, type, (writer, side) => fill(writer, side, null));
    values.close();
    return { ...written, ...counts };
  }
  // Both columns are filled by one scan of the events.
  const written: WrittenTable = { values: [[], []], partDigests: [[], []] };
  const others = await writeSides(env, type, async (writer, side) => {
    const about = {
      slice: slice.name,
      metric,
      side,
      parts,
      partSize: slice.partSize(0),
      attempt: context.attempt,
    };
    const { run, partDigests } = await writeValues(
      store,
      context.prefix,
      { run: 'numbers', type: 'u8', ...about },
      env,
      (ofNumbers) => fill(writer, side, ofNumbers),
    );
    written.values[side] = [run];
    written.partDigests[side] = partDigests;
  });
  values.close();
  return { ...others, ...counts, numbers: written };
}

const BYTES_OF = { i8: 1, i16: 2 } as const;

/** How many parts are finished together, and how many positions of each: all of them, unless the memory is too small for a whole part. */
function roomFor(
  { slice: { width }, parts, budget }: Context,
  rows: RowKernels,
  type: 'i8' | 'i16',
): { readonly parts: number; readonly positions: number } {
  const memory = kernelBytes(rows.width, memoryOf('finish', budget).values.memory - bitBytes(width));
  const positions = Math.floor(memory / (BYTES_OF[type] + (rows.numbering === null ? 0 : 1)));
  if (positions < width) {
    const whole = Math.floor(positions / STRETCH_UNIT) * STRETCH_UNIT;
    return { parts: 1, positions: Math.min(width, Math.max(STRETCH_UNIT, whole)) };
  }
  return { parts: Math.min(Math.floor(positions / width), parts.to - parts.from), positions: width };
}

/** Positions [first, first + most) of some parts, as far as parts have them. Where there is more than one part, these are all positions. */
interface Stretch {
  readonly side: Side;
  readonly parts: Interval;
  readonly first: number;
  readonly most: number;
}

function lengthIn(
  { partSize }: Pick<SliceIndex, 'partSize'>,
  part: number,
  { first, most }: Stretch,
): number {
  return Math.min(most, partSize(part) - first);
}

/** Reads the bits of positions that are not won in a stretch, and calls `settled` when those of a part are there. */
async function settle(
  context: Context,
  labels: LabelRuns,
  { side, parts, first: from, most }: Stretch,
  values: RowValues,
  settled: (part: number) => void,
): Promise<void> {
  const [begin, end] = [from / 8, bitBytes(from + most)];
  let part = parts.from;
  for await (const { major, first, length, columns } of readPlane(context, labels, 'unwon', side, parts)) {
    if (major > part) settled(part);
    part = major;
    const [low, high] = [Math.max(first, begin), Math.min(first + length, end)];
    if (low >= high) continue;
    values.takeUnwon((columns[0] as Uint8Array).subarray(low - first, high - first), low - begin);
    context.report(8 * (high - low));
  }
  settled(part);
}

/** The parts whose values are put together at once: first the bits of what is not won, then what was labelled at each ply. */
interface Group {
  readonly columns: readonly ValueColumn[];
  /** Null where positions have none. */
  readonly numbers: readonly (Uint8Array | null)[];
  readonly values: RowValues;
  readonly reader: RowReader;
  readonly rows: RowKernels;
}

/** Kernels count indices: each position is counted once. */
function uncountRepeats(
  slice: SliceIndex,
  { part, first }: { readonly part: number; readonly first: number },
  codes: ValueColumn,
  side: Side,
  counts: Counts,
): void {
  const broken = brokenIn(codes);
  eachRepeat(slice, part, first, codes.length, (place) => {
    const code = codes[place];
    if (code === broken) return;
    counts.positions[side]--;
    if (code > 0) counts.wins[side]--;
    else if (code < 0) counts.losses[side]--;
  });
}

async function writeEvents(
  context: Context,
  events: EventRuns,
  stretch: Stretch,
  longest: number,
  { columns, numbers, values, reader, rows: { width, digitBits } }: Group,
  counts: Counts,
): Promise<void> {
  const { plies, scores } = stipulations[context.metric];
  const unitPlies = !plies;
  const { side, parts } = stretch;
  const rowOf = (key: number) => (key / width) * 2 ** digitBits;
  const rows = { from: rowOf(stretch.first), to: rowOf(stretch.first + stretch.most) };
  for (let ply = 0; ply <= longest; ply++) {
    for (const kind of [Kind.win, Kind.loss] as const) {
      const code = kind === Kind.win ? (unitPlies ? 1 : ply) : unitPlies ? -1 : -ply - 1;
      let count = 0;
      for await (const batch of events.cursor(ply, flow(kind, side), parts)) {
        const sets = within(reader.read(batch), rows);
        const number = batch.major - parts.from;
        const written = values.write(columns[number], sets, sets.length, code, numbers[number]);
        // One that is not won is counted by its bit.
        counts.positions[side] += written.broken;
        count += written.positions;
      }
      if (count === 0) continue;
      if (kind === Kind.win) counts.wins[side] += count;
      else counts.losses[side] += count;
      // Where the goal is one side's, every labelled position leads to it.
      const isLength = kind === Kind.win || labellingOf(context.metric).goalOf !== null;
      if (isLength && !unitPlies && !scores)
        counts.longestWin[side] = Math.max(counts.longestWin[side] ?? 0, ply);
    }
  }
}

type Sets = SetColumns & { readonly length: number };

/** The sets whose rows are in the interval, with rows counted from its beginning. */
function within(sets: Sets, { from, to }: Interval): Sets {
  const { minor, low, high, length } = sets;
  if (length === 0 || (from === 0 && minor[length - 1] < to)) return sets;
  const [first, end] = [firstAtLeast(minor, from, 0, length), firstAtLeast(minor, to, 0, length)];
  const rows = minor.slice(first, end);
  for (let i = 0; i < rows.length; i++) rows[i] -= from;
  return { minor: rows, low: low.subarray(first, end), high: high.subarray(first, end), length: rows.length };
}
