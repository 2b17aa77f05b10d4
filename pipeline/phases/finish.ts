/**
 * Finish: brings labels and events together into the table. For a group of parts that fits the budget, values start
 * from the counts (broken, or drawn) and the events of every ply are written over them; groups follow each other in
 * index order. One scan of the counts, one of the events, one write of the table.
 */
import { flow, Kind } from '../events.js';
import type { Side } from '../game.js';
import type { EventRun, LabelRuns, PartRun } from '../manifest.js';
import { createTableWriter, valueTypeFor } from '../table/writer.js';
import { brokenCode, type ValueColumn } from '../value.js';
import type { Context } from './context.js';
import { type EventRuns, openEventRuns } from './event-runs.js';
import { openPlane } from './label-planes.js';

export interface Finished {
  values: [PartRun[], PartRun[]];
  /** SHA-256 of each part's values, in part order. */
  partDigests: [string[], string[]];
  positions: [number, number];
  wins: [number, number];
  losses: [number, number];
  longestWin: [number | null, number | null];
}

export interface FinishState {
  readonly labels: LabelRuns;
  readonly events: readonly EventRun[];
  readonly longest: number;
}

export async function finish(context: Context, state: FinishState): Promise<Finished> {
  const { slice, parts, store, budget, counters } = context;
  const result: Finished = {
    values: [[], []],
    partDigests: [[], []],
    positions: [0, 0],
    wins: [0, 0],
    losses: [0, 0],
    longestWin: [null, null],
  };
  const type = valueTypeFor(context.metric, state.longest);
  const bytesPerPart = slice.width * (type === 'i8' ? 1 : 2);
  const groupParts = Math.max(1, Math.floor((budget.memory * 0.4) / bytesPerPart));
  const events = await openEventRuns(context, state.events);
  const values = Array.from({ length: Math.min(groupParts, parts.to - parts.from) }, () =>
    type === 'i8' ? new Int8Array(slice.width) : new Int16Array(slice.width),
  );

  for (const side of [0, 1] as const) {
    const counts = openPlane(context, 'counts', state.labels.counts[side], { bytes: budget.memory * 0.2 });
    const writer = await createTableWriter(
      store,
      context.prefix,
      { slice: slice.name, metric: context.metric, side, type, parts, attempt: context.attempt },
      { batchRows: budget.batchRows, counters },
    );
    try {
      for (let from = parts.from; from < parts.to; from += groupParts) {
        const to = Math.min(from + groupParts, parts.to);
        for (let part = from; part < to; part++) {
          const bytes = await counts.load(part);
          fromCounts(bytes, values[part - from]!, brokenCode(type));
          context.report(bytes.length);
        }
        await writeEvents(context, events, state.longest, side, { from, to }, values, result);
        for (let part = from; part < to; part++) {
          const column = values[part - from]!.subarray(0, slice.partSize(part));
          result.positions[side] += countLegal(column, brokenCode(type));
          await writer.append(part, column);
        }
      }
      const { run, partDigests } = await writer.close();
      result.values[side] = [run];
      result.partDigests[side] = partDigests;
    } catch (error) {
      await writer.abort();
      throw error;
    } finally {
      await counts.dispose();
    }
  }
  return result;
}

/** Positions with a count are drawn unless an event says more; the others are broken unless one does. */
function fromCounts(counts: Uint8Array, values: ValueColumn, broken: number): void {
  for (let i = 0; i < counts.length; i++) values[i] = counts[i] === 0 ? broken : 0;
}

function countLegal(values: ValueColumn, broken: number): number {
  let legal = 0;
  for (let i = 0; i < values.length; i++) legal += values[i] === broken ? 0 : 1;
  return legal;
}

async function writeEvents(
  context: Context,
  events: EventRuns,
  longest: number,
  side: Side,
  group: { from: number; to: number },
  values: ValueColumn[],
  result: Finished,
): Promise<void> {
  const unitPlies = context.metric === 'wdl';
  for (let ply = 0; ply <= longest; ply++) {
    for (const kind of [Kind.win, Kind.loss] as const) {
      const code = kind === Kind.win ? (unitPlies ? 1 : ply) : unitPlies ? -1 : -ply - 1;
      let count = 0;
      for await (const batch of events.cursor(ply, flow(kind, side), group)) {
        const column = values[batch.major - group.from]!;
        for (let i = 0; i < batch.length; i++) column[batch.minor[i]!] = code;
        count += batch.length;
      }
      if (count === 0) continue;
      if (kind === Kind.win) {
        result.wins[side] += count;
        if (!unitPlies) result.longestWin[side] = Math.max(result.longestWin[side] ?? 0, ply);
      } else result.losses[side] += count;
    }
  }
}
