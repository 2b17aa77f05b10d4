/**
 * Finish: brings labels and events together into the table. For a group of parts that fits the budget, values start from the
 * bits of positions that are not won (broken, or drawn). The events of every ply are written over them. Groups follow each
 * other in index order. One scan of the bits, one of the events, one write of the table.
 */

import type { Interval } from '../../operators/core/interval.js';
import { flow, Kind } from '../game/events.js';
import type { RowKernels, RowValues, Side, SliceIndex } from '../game/game.js';
import type { EventRun, LabelRuns } from '../game/manifest.js';
import { eachRepeat } from '../game/repeats.js';
import type { FinishedPart } from '../game/step-manifests.js';
import { brokenIn, type ValueColumn } from '../game/value.js';
import { valueTypeFor, type WrittenTable, writeSides } from '../tables/writer.js';
import type { Context } from './context.js';
import { EventRuns } from './event-runs.js';
import { readPlane } from './label-planes.js';
import { kernelBytes, memoryOf } from './memory.js';
import { RowReader } from './rows.js';

type Counts = Omit<FinishedPart, keyof WrittenTable>;

export interface FinishState {
  readonly labels: LabelRuns;
  readonly events: readonly EventRun[];
  readonly longest: number;
}

export async function finish(context: Context, state: FinishState, rows: RowKernels): Promise<FinishedPart> {
  const { slice, parts, tableStore: store, budget } = context;
  const counts: Counts = {
    positions: [0, 0],
    wins: [0, 0],
    losses: [0, 0],
    longestWin: [null, null],
  };
  const type = valueTypeFor(context.metric, state.longest);
  const bytesPerPart = slice.width * (type === 'i8' ? 1 : 2);
  const memory = kernelBytes(rows.width, memoryOf('finish', budget).values.memory);
  const groupParts = Math.max(1, Math.min(Math.floor(memory / bytesPerPart), parts.to - parts.from));
  const events = await EventRuns.open(context, state.events);
  const values = rows.openValues(groupParts * bytesPerPart);
  /** The values of the parts of a group. */
  const columns = Array.from({ length: groupParts }, () => {
    const { buffer, byteOffset } = values.allocate(bytesPerPart);
    const Column = type === 'i8' ? Int8Array : Int16Array;
    return new Column(buffer, byteOffset, slice.width);
  });
  const group: Group = { columns, values, reader: new RowReader(rows) };

  const env = { ...context, store, batchRows: budget.batchRows };
  const written = await writeSides(env, type, async (writer, side) => {
    for (let from = parts.from; from < parts.to; from += groupParts) {
      const to = Math.min(from + groupParts, parts.to);
      const column = (part: number) => columns[part - from].subarray(0, slice.partSize(part));
      let part = from;
      for await (const { major, first, length, columns } of readPlane(context, state.labels, 'unwon', side, {
        from,
        to,
      })) {
        if (major > part) {
          counts.positions[side] += values.settle(column(part));
          part = major;
        }
        values.takeUnwon((columns[0] as Uint8Array).subarray(0, length), first);
        context.report(8 * length);
      }
      counts.positions[side] += values.settle(column(part));
      await writeEvents(
        context,
        events,
        { side, parts: { from, to }, longest: state.longest },
        group,
        counts,
      );
      for (let part = from; part < to; part++) {
        uncountRepeats(slice, part, column(part), side, counts);
        await writer.append(part, column(part));
      }
    }
  });
  values.close();
  return { ...written, ...counts };
}

/** The parts whose values are put together at once: first the bits of what is not won, then what was labelled at each ply. */
interface Group {
  readonly columns: readonly ValueColumn[];
  readonly values: RowValues;
  readonly reader: RowReader;
}

/** Kernels count indices: each position is counted once. */
function uncountRepeats(
  slice: SliceIndex,
  part: number,
  codes: ValueColumn,
  side: Side,
  counts: Counts,
): void {
  const broken = brokenIn(codes);
  eachRepeat(slice, part, 0, codes.length, (key) => {
    const code = codes[key];
    if (code === broken) return;
    counts.positions[side]--;
    if (code > 0) counts.wins[side]--;
    else if (code < 0) counts.losses[side]--;
  });
}

async function writeEvents(
  context: Context,
  events: EventRuns,
  { side, parts, longest }: { readonly side: Side; readonly parts: Interval; readonly longest: number },
  { columns, values, reader }: Group,
  counts: Counts,
): Promise<void> {
  const unitPlies = context.metric === 'wdl';
  for (let ply = 0; ply <= longest; ply++) {
    for (const kind of [Kind.win, Kind.loss] as const) {
      const code = kind === Kind.win ? (unitPlies ? 1 : ply) : unitPlies ? -1 : -ply - 1;
      let count = 0;
      for await (const batch of events.cursor(ply, flow(kind, side), parts)) {
        const sets = reader.read(batch);
        const written = values.write(columns[batch.major - parts.from], sets, sets.length, code);
        // One that is not won is counted by its bit.
        counts.positions[side] += written.broken;
        count += written.positions;
      }
      if (count === 0) continue;
      if (kind === Kind.win) {
        counts.wins[side] += count;
        if (!unitPlies && context.metric !== 'score')
          counts.longestWin[side] = Math.max(counts.longestWin[side] ?? 0, ply);
      } else counts.losses[side] += count;
    }
  }
}
