/**
 * Convert: turns the moves that leave the slice into events, by the finished tables. An event is "the position is won at ply
 * n", or "one move of the position is known lost, at ply n". Draws are no events: they only keep a position from being lost,
 * which an out-count that never reaches zero does too.
 * Slices that can take conversions back do so from the decided positions of the tables (unconvert.ts). For the others
 * every move that leaves the slice asks for the value of the position it reaches:
 *   requests (successor | asker) → sorted by successor → merge-joined with the tables → answers (event, asker), sorted.
 * sort(C) for C conversions, scan of the tables. Nothing is looked up at random.
 */

import { newArrays } from '../../operators/core/arrays.js';
import type { Interval } from '../../operators/core/interval.js';
import { orAbort } from '../../operators/core/or-abort.js';
import { distribute, releaseSegments } from '../../operators/distribute/distribute.js';
import { createPool } from '../../operators/distribute/pool.js';
import { expand } from '../../operators/expand.js';
import { gather } from '../../operators/gather.js';
import { join } from '../../operators/join.js';
import { openRun } from '../../operators/runs/reader.js';
import type { Batch, ColumnSpec, Cursor, DenseBatch, DenseCursor, Rows } from '../../operators/runs/types.js';
import { createRun } from '../../operators/runs/writer.js';
import { sort } from '../../operators/sort/sort.js';
import { eventNumber, flow, Kind, plyOf } from '../game/events.js';
import type { Emission, Side, Slice, SliceIndex } from '../game/game.js';
import {
  dependencyMajors,
  firstMajor,
  groupOf,
  majorOf,
  majorsOf,
  partOf,
  sideOfMajor,
} from '../game/majors.js';
import type { Converted, EventRun, PartRun } from '../game/manifest.js';
import type { WorkRun } from '../game/slice-objects.js';
import { backUp, type Metric, type ValueColumn } from '../game/value.js';
import type { Table } from '../tables/table.js';
import { type Context, runName } from './context.js';
import { memoryOf } from './memory.js';
import { areSets, positionsIn, SET_COLUMNS, setsOf } from './rows.js';
import { unconvert } from './unconvert.js';

/** Rows an expand emits before it passes them on. */
export const EXPAND_ROWS = 1 << 14;

export type { Converted };

/** The values of all dependencies as one dense cursor over the majors of {@link dependencyMajors}. */
export function dependencyValues(tables: readonly Table<SliceIndex>[], majors: readonly number[]) {
  return async function* values({ from, to }: Interval): DenseCursor {
    for (let d = 0; d < tables.length; d++) {
      for (const side of [0, 1] as const) {
        const base = majors[2 * d + side];
        const first = Math.max(from, base);
        const last = Math.min(to, majors[2 * d + side + 1]);
        if (first >= last) continue;
        for await (const batch of tables[d].values(side, first - base, last - base)) {
          yield { ...batch, major: batch.major + base };
        }
      }
    }
  };
}

export async function convert(context: Context<Slice>, converting: readonly PartRun[]): Promise<Converted> {
  return context.slice.unconversions === undefined
    ? answerConversions(context, converting)
    : takeConversionsBack(context);
}

/** Keys and sets go to runs of their own. */
async function takeConversionsBack(context: Context<Slice>): Promise<Converted> {
  const { slice } = context;
  const writers = new Map<string, EventWriter>();
  let answers = 0;
  try {
    for await (const batch of unconvert(context)) {
      const name = areSets(batch) ? 'conversion-sets' : 'conversions';
      let writer = writers.get(name);
      if (writer === undefined) {
        writer = await openEvents(context, name, areSets(batch) ? SET_COLUMNS : []);
        writers.set(name, writer);
      }
      answers += areSets(batch) ? positionsIn(setsOf(batch), batch.length) : batch.length;
      await writer.append(batch);
    }
    const events: EventRun[] = [];
    for (const writer of writers.values()) events.push(await writer.close({ from: 0, to: slice.parts }));
    return { events, requests: 0, answers };
  } catch (error) {
    for (const writer of writers.values()) await writer.abort();
    throw error;
  }
}

async function answerConversions(
  context: Context<Slice>,
  converting: readonly PartRun[],
): Promise<Converted> {
  const { slice, parts, budget, counters, scratch, metric } = context;
  const majors = dependencyMajors(slice, 0);
  const memory = memoryOf('convert', budget);
  const env = { budget: memory.order, scratch, counters, arrays: newArrays() };
  const pool = createPool(memory.requests.memory, { shared: false });
  let requests = 0;

  const asked = (rows: number): void => {
    requests += rows;
    context.report(rows);
  };

  const segments = await distribute(
    expand(askers(context, converting), askKernel(slice, majors, asked), {
      rows: EXPAND_ROWS,
      payload: 2,
    }),
    { majors: majors.at(-1)!, payload: 2, pool },
    env,
  );
  try {
    const sorted = gather([{ segments, pool }], { from: 0, to: majors.at(-1)! }, 2, env);
    const answered = join(
      sorted,
      dependencyValues(context.tables, majors),
      answerKernel(slice, metric, majors),
      {
        rows: EXPAND_ROWS,
        payload: 0,
        counters,
      },
    );
    const run = await writeEvents(context, parts, sort(answered, 0, env));
    return { events: [run], requests, answers: run.rows };
  } finally {
    await releaseSegments(segments, env);
  }
}

/** A slice by its index; games whose kernels take conversions back by rows have events as sets, too. */
type Converting = Context<SliceIndex & Pick<Slice, 'rowConversions'>>;

/** Writes events of `parts` (majors of events) as a run of this context. */
export async function writeEvents(context: Converting, parts: Interval, events: Cursor): Promise<EventRun> {
  const writer = await openEvents(context, 'conversions', []);
  return orAbort(writer, async () => {
    for await (const batch of events) await writer.append(batch);
    return writer.close(parts);
  });
}

type EventWriter = Awaited<ReturnType<typeof openEvents>>;

/** A run of events to be written; `columns`: those of sets, none of keys. */
async function openEvents(context: Converting, what: WorkRun, columns: readonly ColumnSpec[]) {
  const { slice, store, counters } = context;
  const name = runName(context, what);
  const spec = { kind: 'events', dense: false, columns, strict: false, meta: { slice: slice.name } };
  const writer = await createRun(store, name, spec, { batchRows: eventBatchRows(context), counters });
  let last = 0;
  return {
    append({ major, length, minor, payload }: Batch): Promise<void> {
      last = plyOf(groupOf(slice, major));
      return writer.append(major, length, minor, payload);
    },
    async close(parts: Interval): Promise<EventRun> {
      const { crc, rows } = await writer.close();
      return { name, crc, ...parts, first: 1, last, rows };
    },
    abort: () => writer.abort(),
  };
}

/**
 * The rounds hold a record batch of every run that has events of their parts. There is at most one of each interval,
 * or one of keys and one of sets.
 */
function eventBatchRows({ slice, parts, budget }: Converting): number {
  const intervals = Math.ceil(slice.parts / (parts.to - parts.from));
  const bytes = slice.rowConversions === undefined ? 4 : 4 + 4 * (1 + SET_COLUMNS.length);
  const rows = Math.floor(memoryOf('rounds', budget).conversions.memory / (bytes * intervals));
  return Math.max(1, Math.min(budget.batchRows, rows));
}

/** Positions of the interval that have conversions; majors of sides. */
async function* askers(context: Context, converting: readonly PartRun[]): Cursor {
  const { slice, parts, store, counters } = context;
  for (const side of [0, 1]) {
    for (const run of converting) {
      const from = Math.max(parts.from, run.from);
      const to = Math.min(parts.to, run.to);
      if (from >= to) continue;
      const reader = await openRun(store, run, { counters, expect: { kind: 'keys' } });
      yield* reader.cursor(majorsOf(slice, side, { from, to }));
    }
  }
}

/** Emits (successor | asker's major, asker's key). */
function askKernel(slice: Slice, majors: readonly number[], count: (rows: number) => void) {
  const bias = Uint32Array.from(majors);
  const source = new Uint32Array(EXPAND_ROWS);
  return (batch: Batch, from: number, out: Rows): number => {
    const emission: Emission = { length: out.length, major: out.major, minor: out.minor, source };
    const side = sideOfMajor(slice, batch.major);
    const part = partOf(slice, batch.major);
    const next = slice.conversions(side, part, batch.minor, from, batch.length, bias, emission);
    const [askerMajor, askerKey] = out.payload as [Uint32Array, Uint32Array];
    for (let i = out.length; i < emission.length; i++) {
      askerMajor[i] = batch.major;
      askerKey[i] = batch.minor[source[i]];
    }
    count(emission.length - out.length);
    out.length = emission.length;
    return next;
  };
}

/** Turns a request and its successor's value into an event of the asker. */
function answerKernel(slice: SliceIndex, metric: Metric, majors: readonly number[]) {
  const { dependencies } = slice;
  const second = firstMajor(slice, 1);
  return (requests: Batch, from: number, to: number, dense: DenseBatch, out: Rows): number => {
    const codes = dense.columns[0] as ValueColumn;
    const [askerMajor, askerKey] = requests.payload as [Uint32Array, Uint32Array];
    const { length: room } = out.minor;
    const dependency = dependencies[majors.findLastIndex((first) => first <= requests.major) >> 1];
    const restarts = dependency.restarts.includes(metric);
    let n = out.length;
    let i = from;
    for (; i < to && n < room; i++) {
      const code = backUp(codes[requests.minor[i] - dense.first], metric, restarts);
      if (code === 0) continue;
      const major = askerMajor[i];
      const side = (major < second ? 0 : 1) as Side;
      const ply = code > 0 ? code : -code - 1;
      const event = eventNumber(ply, flow(code > 0 ? Kind.win : Kind.loss, side));
      out.major[n] = majorOf(slice, event, side === 0 ? major : major - second);
      out.minor[n] = askerKey[i];
      n++;
    }
    out.length = n;
    return i;
  };
}
