/**
 * Convert: turns the moves that leave the slice into events, by the finished tables. An event is "the position is won at ply
 * n", or "one move of the position is known lost, at ply n". Draws are no events: they only keep a position from being lost,
 * which an out-count that never reaches zero does too.
 * Where positions have numbers of solutions, only the best of these moves count: convert-rows.ts finds them by rows.
 * Slices that can take conversions back do so from the decided positions of the tables (unconvert.ts). For the others (games of users, and
 * slices of checkers that do not fit memory) every move that leaves the slice requests the value of the position it reaches:
 *   requests (successor | asker) → sorted by successor → merge-joined with the tables → answers (event, asker), sorted.
 * sort(C) for C conversions, scan of the tables. Nothing is looked up at random.
 */

import { newArrays } from '../../../operators/core/arrays.js';
import { assert } from '../../../operators/core/errors.js';
import type { Interval } from '../../../operators/core/interval.js';
import { distribute, releaseSegments } from '../../../operators/distribute/distribute.js';
import { createPool } from '../../../operators/distribute/pool.js';
import { expand } from '../../../operators/expand.js';
import { gather } from '../../../operators/gather.js';
import { join } from '../../../operators/join.js';
import { openRun } from '../../../operators/runs/reader.js';
import type { Batch, Cursor, DenseBatch, DenseCursor, Rows } from '../../../operators/runs/types.js';
import { sort } from '../../../operators/sort/sort.js';
import { eventNumber, flow, Kind } from '../../game/events.js';
import type { Side, Slice, SliceIndex } from '../../game/game.js';
import { labellingOf } from '../../game/labelling.js';
import { dependencyMajors, firstMajor, majorOf, majorsOf } from '../../game/majors.js';
import type { Converted, PartRun } from '../../game/manifest.js';
import { backUp, type Metric, type ValueColumn } from '../../game/value.js';
import type { Table } from '../../tables/table.js';
import { type Context, EXPAND_ROWS } from '../memory/context.js';
import { writeEvents } from '../memory/event-runs.js';
import { memoryOf } from '../memory/phase-memory.js';
import { moveKernel, putAskers, rowsOf } from '../memory/rows.js';
import { conversionsByRows } from './convert-rows.js';
import { unconvert } from './unconvert.js';

export type { Converted };

export async function convert(context: Context<Slice>, converting: readonly PartRun[]): Promise<Converted> {
  const { slice, strategy, parts } = context;
  const rows = rowsOf(slice, strategy, context.metric);
  const asked = { requests: 0 };
  const { rowMoves, unconversions } = slice;
  const addsNumbers = labellingOf(context.metric).numbering === 'solutions' && slice.dependencies.length > 0;
  assert(!addsNumbers || rowMoves !== undefined, 'slices whose solutions are counted have moves by rows');
  const { runs, numbers, positions } =
    addsNumbers && rowMoves !== undefined
      ? await writeEvents(context, rows, parts, conversionsByRows(context, rowMoves))
      : unconversions === undefined
        ? await writeEvents(context, rows, parts, answers(context, converting, asked))
        : await writeEvents(context, rows, { from: 0, to: slice.parts }, unconvert(context, rows));
  return { events: runs, numbers, requests: asked.requests, answers: positions };
}

/** The events of this context's parts that follow from the values of all positions that they convert to. */
async function* answers(
  context: Context<Slice>,
  converting: readonly PartRun[],
  asked: { requests: number },
): Cursor {
  const { slice, budget, counters, scratch, metric, tables } = context;
  const majors = dependencyMajors(slice, 0);
  const range = { from: 0, to: majors.at(-1)! };
  const memory = memoryOf('convert', budget);
  const env = { budget: memory.order, scratch, counters, arrays: newArrays() };
  const pool = createPool(memory.requests.memory, { shared: false });
  const bias = Uint32Array.from(majors);
  // Requests (successor | asker's major, asker's key).
  const ask = moveKernel(
    slice,
    (side, part, keys, from, to, out) => {
      const before = out.length;
      const next = slice.conversions(side, part, keys, from, to, bias, out);
      asked.requests += out.length - before;
      context.report(out.length - before);
      return next;
    },
    putAskers,
  );
  const requests = expand(askers(context, converting), ask, { rows: EXPAND_ROWS, payload: 2 });
  const segments = await distribute(requests, { majors: range.to, payload: 2, pool }, env);
  try {
    const answered = join(
      gather([{ segments, pool }], range, 2, env),
      (some) => valuesThere(tables, majors, some),
      answerKernel(slice, metric, majors),
      { rows: EXPAND_ROWS, payload: 0, counters },
    );
    yield* sort(answered, 0, env);
  } finally {
    await releaseSegments(segments, env);
  }
}

/** The values of all dependencies as one dense cursor over the majors of {@link dependencyMajors}. */
async function* valuesThere(
  tables: readonly Table<SliceIndex>[],
  majors: readonly number[],
  { from, to }: Interval,
): DenseCursor {
  for (let d = 0; d < tables.length; d++) {
    for (const side of [0, 1] as const) {
      const base = majors[2 * d + side];
      const first = Math.max(from, base);
      const last = Math.min(to, majors[2 * d + side + 1]);
      if (first >= last) continue;
      for await (const batch of tables[d].values(side, first - base, last - base))
        yield { ...batch, major: batch.major + base };
    }
  }
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
