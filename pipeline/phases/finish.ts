/**
 * Finish: brings labels and events together into the table. For a group of parts that fits the budget, values start
 * from the counts (broken, or drawn) and the events of every ply are written over them; groups follow each other in
 * index order. One scan of the counts, one of the events, one write of the table.
 */
import type { Batch, DenseBatch } from '../../operators/runs/types.js';
import { flow, Kind } from '../events.js';
import type { Side } from '../game.js';
import type { EventRun, LabelRuns, PartRun } from '../manifest.js';
import { createTableWriter, valueTypeFor } from '../table/writer.js';
import { brokenCode, brokenIn, type ValueColumn } from '../value.js';
import type { Context } from './context.js';
import { countsOf } from './counts.js';
import { type EventRuns, openEventRuns } from './event-runs.js';
import { memoryOf } from './memory.js';
import { areSets, setsOf } from './sets.js';

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
        const { countPlanes } = state.labels;
        for await (const batch of countsOf(context, state.labels, side, { from, to })) {
          const column = values[batch.major - from]!;
          result.positions[side] +=
            countPlanes === null
              ? fromCounts(batch, column, brokenCode(type))
              : fromPlanes(batch, countPlanes[side], column, brokenCode(type));
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
function fromCounts({ first, length, columns }: DenseBatch, values: ValueColumn, broken: number): number {
  const counts = columns[0] as Uint8Array;
  let without = 0;
  for (let i = 0; i < length; i++) {
    const none = (counts[i]! - 1) >> 31;
    values[first + i] = none & broken;
    without -= none;
  }
  return length - without;
}

/** As `fromCounts`, of counts in planes: the rows of a batch are bytes of words, and a batch may begin at any of them. */
function fromPlanes(
  { first, length, columns }: DenseBatch,
  planes: number,
  values: ValueColumn,
  broken: number,
): number {
  const bytes = columns[0] as Uint8Array;
  let counted = 0;
  for (let i = 0; i < length; i++) {
    const word = Math.floor((first + i) / 8);
    const row = Math.floor(word / planes);
    const from = 64 * row + 8 * ((first + i) % 8);
    // The first plane of a row says what has no count, the others take it back.
    if (word === row * planes) values.fill(broken, from, from + 8);
    for (let set = bytes[i]!; set !== 0; set &= set - 1) {
      const key = from + 31 - Math.clz32(set & -set);
      if (values[key] === 0) continue;
      values[key] = 0;
      counted++;
    }
  }
  return counted;
}

/** What was written over: how many positions, and how many of them had the code of broken ones. */
interface Written {
  readonly positions: number;
  readonly broken: number;
}

function writeKeys(values: ValueColumn, { minor, length }: Batch, code: number): Written {
  const none = brokenIn(values);
  let broken = 0;
  for (let i = 0; i < length; i++) {
    const key = minor[i]!;
    broken += values[key] === none ? 1 : 0;
    values[key] = code;
  }
  return { positions: length, broken };
}

function writeSets(values: ValueColumn, batch: Batch, code: number): Written {
  const { minor, low, high } = setsOf(batch);
  const none = brokenIn(values);
  let broken = 0;
  let positions = 0;
  for (let i = 0; i < 2 * batch.length; i++) {
    const first = (minor[i >> 1]! << 6) + ((i & 1) << 5);
    let set = (i & 1) === 0 ? low[i >> 1]! : high[i >> 1]!;
    for (; set !== 0; set &= set - 1) {
      const key = first + 31 - Math.clz32(set & -set);
      broken += values[key] === none ? 1 : 0;
      values[key] = code;
      positions++;
    }
  }
  return { positions, broken };
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
        const written = areSets(batch) ? writeSets(column, batch, code) : writeKeys(column, batch, code);
        // One that has a count still is counted by that.
        if (kind === Kind.loss) result.positions[side] += written.broken;
        count += written.positions;
      }
      if (count === 0) continue;
      if (kind === Kind.win) {
        result.wins[side] += count;
        if (!unitPlies) result.longestWin[side] = Math.max(result.longestWin[side] ?? 0, ply);
      } else result.losses[side] += count;
    }
  }
}
