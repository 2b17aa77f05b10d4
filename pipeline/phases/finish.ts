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
import { countsOf } from './counts.js';
import { type EventRuns, openEventRuns } from './event-runs.js';
import { memoryOf } from './memory.js';

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
  const { slice, parts, tableStore, budget, counters } = context;
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
  const groupParts = Math.max(1, Math.floor(memoryOf('finish', budget).values.memory / bytesPerPart));
  const events = await openEventRuns(context, state.events);
  const values = Array.from({ length: Math.min(groupParts, parts.to - parts.from) }, () =>
    type === 'i8' ? new Int8Array(slice.width) : new Int16Array(slice.width),
  );

  for (const side of [0, 1] as const) {
    const writer = await createTableWriter(
      tableStore,
      context.prefix,
      { slice: slice.name, metric: context.metric, side, type, parts, attempt: context.attempt },
      { batchRows: budget.batchRows, counters },
    );
    try {
      for (let from = parts.from; from < parts.to; from += groupParts) {
        const to = Math.min(from + groupParts, parts.to);
        for await (const batch of countsOf(context, state.labels.counts[side], { from, to })) {
          const column = values[batch.major - from]!.subarray(batch.first);
          const counts = batch.columns[0] as Uint8Array;
          result.positions[side] += fromCounts(counts, batch.length, column, brokenCode(type));
          context.report(batch.length);
        }
        await writeEvents(context, events, state.longest, side, { from, to }, values, result);
        for (let part = from; part < to; part++) {
          await writer.append(part, values[part - from]!.subarray(0, slice.partSize(part)));
        }
      }
      const { run, partDigests } = await writer.close();
      result.values[side] = [run];
      result.partDigests[side] = partDigests;
    } catch (error) {
      await writer.abort();
      throw error;
    }
  }
  return result;
}

/**
 * Positions with a count are drawn unless an event says more; the others are broken unless one does. Returns how many
 * have a count. There is no branch: which it is cannot be foreseen.
 */
function fromCounts(counts: Uint8Array, length: number, values: ValueColumn, broken: number): number {
  let without = 0;
  for (let i = 0; i < length; i++) {
    const none = (counts[i]! - 1) >> 31;
    values[i] = none & broken;
    without -= none;
  }
  return length - without;
}

/** How many of the keys have the code of broken positions. */
function brokenAmong(values: ValueColumn, keys: Uint32Array, length: number): number {
  const broken = values.BYTES_PER_ELEMENT === 1 ? brokenCode('i8') : brokenCode('i16');
  let count = 0;
  for (let i = 0; i < length; i++) count += values[keys[i]!] === broken ? 1 : 0;
  return count;
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
        // One that has a count still is counted by that.
        if (kind === Kind.loss) result.positions[side] += brokenAmong(column, batch.minor, batch.length);
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
