/**
 * Conversions taken back, for slices that have `unconversions`. Only won and lost positions of dependencies matter, and
 * their predecessors are found without asking.
 *   tables, scanned once → decided positions, ordered by moment → predecessors of each moment, ordered by (side, part, key)
 * A *moment* is (ply, kind) of the events of both sides: these are neighbours (events.ts). To order the decided
 * positions by it is cheap, since they are few. Their predecessors, which are many, then need ordering by part only.
 *
 * scan of the tables + sort(decided positions) + sort(conversions to them): nothing is joined.
 */

import { type Arrays, newArrays } from '../../operators/core/arrays.js';
import type { Interval } from '../../operators/core/interval.js';
import { distribute, releaseSegments } from '../../operators/distribute/distribute.js';
import { createPool, type Pool } from '../../operators/distribute/pool.js';
import { expand } from '../../operators/expand.js';
import { gather } from '../../operators/gather.js';
import { newRows, views } from '../../operators/rows.js';
import { Spool } from '../../operators/runs/spool.js';
import type { Batch, Cursor, DenseBatch, RowSource, Rows } from '../../operators/runs/types.js';
import type { SortEnv } from '../../operators/sort/env.js';
import { sort } from '../../operators/sort/sort.js';
import type { Emission, Side, Slice, SliceIndex } from '../contract/game.js';
import { eventNumber, flow, Kind } from '../formats/events.js';
import { firstMajor, majorOf, majorsIn, majorsOf, type Parts } from '../formats/majors.js';
import { backUp, brokenIn, type Metric, type ValueColumn } from '../formats/value.js';
import type { Table } from '../table/table.js';
import type { Context } from './context.js';
import { shifted } from './event-runs.js';
import { memoryOf } from './memory.js';

/** Rows of the batches that are passed on unordered. */
const ROWS = 1 << 14;

/** A table with one side to move, to which conversions lead. */
interface Origin {
  readonly dependency: number;
  readonly side: Side;
  /** The keys that conversions lead to: see `keysThere` of contract/slice-index.ts. */
  readonly keys: Uint32Array | null;
  /** The number of its first part, when the parts of all origins are numbered one after the other. */
  readonly first: number;
}

/**
 * The events (majors of events, of all parts of the slice) that follow from this context's share of every dependency.
 * It has the same fraction of its positions as `context.parts` has of the parts of the slice.
 */
export async function* unconvert(context: Context<Slice>): Cursor {
  const { slice, budget, scratch, counters } = context;
  const { origins, ...all } = originsOf(slice);
  const shares = memoryOf('unconvert', budget);
  const env = { budget: shares.order, scratch, counters, arrays: newArrays() };
  const { memory } = shares.positions;
  const positions = new Spool({ payload: [], memory, scratch, batchRows: budget.batchRows, counters });
  try {
    for await (const batch of sort(decidedPositions(context, origins, all, env.arrays), 0, env)) {
      await positions.append(batch.major, batch.length, batch.minor, []);
    }
    await positions.seal();
    const pool = createPool(shares.requests.memory, { shared: false });
    const end = (positions.majors().at(-1) ?? -1) + 1;
    for (let moment = 0; majorsIn(all, moment) < end; moment++) {
      const range = majorsOf(all, moment, { from: 0, to: all.parts });
      const rows = predecessors(context, origins, positions, range, env.arrays);
      yield* shifted(ordered(rows, majorsIn(slice, 2), pool, env), firstMajor(slice, 2 * moment));
    }
  } finally {
    await positions.dispose();
  }
}

function originsOf({ dependencies }: SliceIndex): { origins: Origin[]; parts: number } {
  const origins: Origin[] = [];
  let parts = 0;
  for (const [dependency, { parts: own, sidesThere, keysThere }] of dependencies.entries()) {
    const keys = keysThere?.() ?? null;
    for (const side of sidesThere ?? ([0, 1] as const)) {
      origins.push({ dependency, side, keys, first: parts });
      parts += own;
    }
  }
  return { origins, parts };
}

/** The decided positions of this context's share, as rows whose groups are moments; scans the tables. */
async function* decidedPositions(
  context: Context,
  origins: readonly Origin[],
  all: Parts,
  arrays: Arrays,
): RowSource {
  const { metric, tables, slice } = context;
  const out = newRows(ROWS, 0);
  for (const origin of origins) {
    const { dependency, side } = origin;
    const restarts = slice.dependencies[dependency].restarts.includes(metric);
    for await (const values of shareOf(context, tables[dependency], side, arrays)) {
      for (let from = 0; from < values.length; ) {
        from = appendDecided(values, from, { metric, restarts, origin, all }, out);
        if (from === values.length) break;
        yield out;
        out.length = 0;
      }
    }
  }
  if (out.length > 0) yield out;
}

/** This context's share of a table. */
export async function* shareOf(
  { slice, parts }: Context,
  table: Table<SliceIndex>,
  side: Side,
  arrays: Arrays,
) {
  const { size, width } = table.slice;
  const begin = Math.floor((size * parts.from) / slice.parts);
  const end = Math.floor((size * parts.to) / slice.parts);
  const [from, to] = [Math.floor(begin / width), Math.ceil(end / width)];
  for await (const batch of table.values(side, from, to, { arrays })) {
    const base = batch.major * width + batch.first;
    const from = Math.max(0, begin - base);
    const to = Math.min(batch.length, end - base);
    if (from >= to) continue;
    const columns = views(batch.columns, from, to);
    yield { major: batch.major, first: batch.first + from, length: to - from, columns };
  }
}

/** How the values of an origin are read. */
interface Scan {
  readonly metric: Metric;
  /** Whether the count restarts with the conversion. */
  readonly restarts: boolean;
  readonly origin: Origin;
  readonly all: Parts;
}

/** Appends the decided positions among values[from..length) until `out` is full; returns the first not looked at. */
function appendDecided(
  values: DenseBatch,
  from: number,
  { metric, restarts, origin, all }: Scan,
  out: Rows,
): number {
  const part = origin.first + values.major;
  const { keys } = origin;
  const codes = values.columns[0] as ValueColumn;
  const broken = brokenIn(codes);
  const room = out.minor.length;
  let n = out.length;
  let i = from;
  for (; i < values.length && n < room; i++) {
    const value = codes[i];
    if (value === 0 || value === broken) continue;
    const key = values.first + i;
    if (keys !== null && ((keys[key >>> 5] >>> (key & 31)) & 1) === 0) continue;
    const code = backUp(value, metric, restarts);
    const event =
      code > 0 ? eventNumber(code, flow(Kind.win, 0)) : eventNumber(-code - 1, flow(Kind.loss, 0));
    out.major[n] = majorOf(all, event / 2, part);
    out.minor[n] = key;
    n++;
  }
  out.length = n;
  return i;
}

/** Rows (majors of sides, key) of the predecessors of the positions in `range`. */
async function* predecessors(
  { slice, report }: Context<Slice>,
  origins: readonly Origin[],
  positions: Spool,
  range: Interval,
  arrays: Arrays,
): RowSource {
  for (const side of [0, 1] as const) {
    const kernel = unconversionKernel(slice, side, origins, range.from);
    for await (const rows of expand(positions.cursor(range), kernel, { rows: ROWS, payload: 0, arrays })) {
      report(rows.length);
      yield rows;
    }
  }
}

function unconversionKernel(slice: Slice, side: Side, origins: readonly Origin[], base: number) {
  const source = new Uint32Array(0);
  return (batch: Batch, from: number, out: Rows): number => {
    const number = batch.major - base;
    const origin = origins.findLast(({ first }) => first <= number)!;
    const emission: Emission = { length: out.length, major: out.major, minor: out.minor, source };
    const done = slice.unconversions!(
      side,
      origin.dependency,
      origin.side,
      number - origin.first,
      batch.minor,
      from,
      batch.length,
      firstMajor(slice, side),
      emission,
    );
    out.length = emission.length;
    return done;
  };
}

async function* ordered(rows: RowSource, majors: number, pool: Pool, env: SortEnv): AsyncGenerator<Batch> {
  const segments = await distribute(rows, { majors, payload: 0, pool }, env);
  try {
    yield* gather([{ segments, pool }], { from: 0, to: majors }, 0, env);
  } finally {
    await releaseSegments(segments, env);
  }
}
