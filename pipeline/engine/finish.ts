/**
 * Finish: brings labels and events together into the table. For a group of parts that fits the budget, values start from the
 * bits of positions that are not won (broken, or drawn). The events of every ply are written over them. Groups follow each
 * other in index order. One scan of the bits, one of the events, one write of the table.
 */

import type { Interval } from '../../operators/core/interval.js';
import { flow, Kind } from '../game/events.js';
import { MOST_KERNEL_BYTES, type RowKernels, type Side } from '../game/game.js';
import type { EventRun, LabelRuns } from '../game/manifest.js';
import type { FinishedPart } from '../game/step-manifests.js';
import { valueTypeFor, type WrittenTable, writeSides } from '../tables/writer.js';
import type { Context } from './context.js';
import { type EventRuns, openEventRuns } from './event-runs.js';
import { type GroupValues, openGroupValues } from './group-values.js';
import { memoryOf } from './memory.js';
import { readPlane } from './read-plane.js';

type Counts = Omit<FinishedPart, keyof WrittenTable>;

export interface FinishState {
  readonly labels: LabelRuns;
  readonly events: readonly EventRun[];
  readonly longest: number;
}

/** @param kernels by rows, if the slice has any. */
export async function finish(
  context: Context,
  state: FinishState,
  kernels: RowKernels | undefined,
): Promise<FinishedPart> {
  const { slice, parts, tableStore: store, budget } = context;
  const counts: Counts = {
    positions: [0, 0],
    wins: [0, 0],
    losses: [0, 0],
    longestWin: [null, null],
  };
  const type = valueTypeFor(context.metric, state.longest);
  const bytesPerPart = slice.width * (type === 'i8' ? 1 : 2);
  const rows = state.labels.countPlanes === null ? undefined : kernels;
  const { memory } = memoryOf('finish', budget).values;
  const held = rows === undefined ? memory : Math.min(memory, MOST_KERNEL_BYTES);
  const groupParts = Math.max(1, Math.floor(held / bytesPerPart));
  const events = await openEventRuns(context, state.events);
  const values = openGroupValues(slice, Math.min(groupParts, parts.to - parts.from), type, rows);

  const env = { ...context, store, batchRows: budget.batchRows };
  const written = await writeSides(env, type, async (writer, side) => {
    for (let from = parts.from; from < parts.to; from += groupParts) {
      const to = Math.min(from + groupParts, parts.to);
      let part = from;
      const settle = () => values.settle(part - from, slice.partSize(part));
      for await (const batch of readPlane(context, state.labels, 'unwon', side, { from, to })) {
        if (batch.major > part) {
          counts.positions[side] += settle();
          part = batch.major;
        }
        values.takeUnwon(part - from, batch);
        context.report(8 * batch.length);
      }
      counts.positions[side] += settle();
      const group = { side, group: { from, to }, longest: state.longest };
      await writeEvents(context, events, group, values, counts);
      for (let part = from; part < to; part++) {
        await writer.append(part, values.values(part - from, slice.partSize(part)));
      }
    }
  });
  values.close();
  return { ...written, ...counts };
}

async function writeEvents(
  context: Context,
  events: EventRuns,
  { side, group, longest }: { readonly side: Side; readonly group: Interval; readonly longest: number },
  values: GroupValues,
  counts: Counts,
): Promise<void> {
  const unitPlies = context.metric === 'wdl';
  for (let ply = 0; ply <= longest; ply++) {
    for (const kind of [Kind.win, Kind.loss] as const) {
      const code = kind === Kind.win ? (unitPlies ? 1 : ply) : unitPlies ? -1 : -ply - 1;
      let count = 0;
      for await (const batch of events.cursor(ply, flow(kind, side), group)) {
        const written = values.write(batch.major - group.from, batch, code);
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
