/**
 * Verify: derives the whole table again by forward moves and joins, from the table itself and the dependencies' tables.
 * For a block of positions every legal move is emitted as a request (successor | asker), sorted by successor,
 * merge-joined with the tables, and the answers grouped by asker to the best for the mover; that must be the value in
 * the table, for every position. Uses no unmoves, out-counts, labels or order of rounds (Schaeffer et al.
 * 2003 verified their databases by a separate program for the same reason).
 *
 * With DTM and DTC this is a proof given the rules: distances decrease along every line, so no cycle of wrong values
 * can support itself. With WDL it shows consistency only.
 */

import { aggregateMax } from '../../operators/aggregate.js';
import { share } from '../../operators/core/budget.js';
import { createPool } from '../../operators/distribute/pool.js';
import { distribute, releaseSegments } from '../../operators/distribute.js';
import { expand } from '../../operators/expand.js';
import { gather } from '../../operators/gather.js';
import { join } from '../../operators/join.js';
import type { Batch, Cursor, DenseBatch, DenseCursor, RowSource, Rows } from '../../operators/runs/types.js';
import { newArrays } from '../../operators/sort/arrays.js';
import { CENSUS_ROWS, newCensus } from '../census.js';
import { opponent } from '../events.js';
import type { Address, Emission, Side, Slice } from '../game.js';
import { hasBit } from '../labels.js';
import type { Table } from '../table/table.js';
import { backUp, brokenIn, fromPreference, type Metric, preference, type ValueColumn } from '../value.js';
import type { Context } from './context.js';
import { dependencyMajors, dependencyValues, EXPAND_ROWS } from './convert.js';

export interface Mismatch extends Address {
  /** The code in the table, and the one that forward moves give; null: broken. */
  readonly stored: number | null;
  readonly derived: number | null;
}

export interface Verified {
  positions: number;
  requests: number;
  /** The first mismatches in index order, at most `MAX_MISMATCHES`; and how many there are. */
  mismatches: Mismatch[];
  wrong: number;
}

const MAX_MISMATCHES = 10;
const POOL_SHARE = 0.3;
/** A request here: successor's key, and asker's number in the block. */
const ROW_BYTES = 8;
/** Askers taken at a time: few enough that their requests are put in order in the cache, and usually fit the pool. */
const MAX_BLOCK_KEYS = 1 << 14;
const USUAL_MOVES = 32;

/** Verifies the parts of the context's interval, side by side, part by part. */
export async function verify(context: Context, table: Table): Promise<Verified> {
  const { slice, parts, budget, scratch, counters, metric } = context;
  const result: Verified = { positions: 0, requests: 0, mismatches: [], wrong: 0 };
  const majors = dependencyMajors(slice, 2 * slice.parts);
  const values = successorValues(context, table, majors);
  const pool = createPool(budget.memory * POOL_SHARE, { shared: false });
  const env = { budget: share(budget, 0.2), scratch, counters, arrays: newArrays() };

  const poolRows = (budget.memory * POOL_SHARE) / ROW_BYTES;
  const blockKeys = Math.max(256, Math.min(MAX_BLOCK_KEYS, Math.floor(poolRows / USUAL_MOVES)));
  const ranks = new Uint32Array(blockKeys);

  for (const side of [0, 1] as const) {
    for (let part = parts.from; part < parts.to; part++) {
      const stored = await readPart(table, side, part);
      const derived = new Int16Array(stored.length);
      const askers = census(slice, side, part, derived);
      result.positions += askers.legal;

      for (let from = 0; from < askers.keys.length; from += blockKeys) {
        const keys = askers.keys.subarray(from, from + blockKeys);
        const requests = await distribute(
          successors(slice, side, part, keys, majors),
          { majors: majors.at(-1)!, payload: 1, pool },
          env,
        );
        result.requests += requests.rows;
        const sorted = gather([{ segments: requests, pool }], { from: 0, to: majors.at(-1)! }, 1, env);
        const answered = join(sorted, values, answerKernel(slice, metric), {
          rows: EXPAND_ROWS,
          payload: 1,
          counters,
        });
        const best = ranks.subarray(0, keys.length).fill(0);
        await aggregateMax(answered, best);
        await releaseSegments(requests, env);
        for (let i = 0; i < keys.length; i++) derived[keys[i]!] = fromPreference(best[i]!);
      }
      compare(stored, derived, metric, { slice: slice.name, side, part }, result);
      context.report(stored.length);
    }
  }
  return result;
}

const DERIVED_BROKEN = -32768;

async function readPart(table: Table, side: Side, part: number): Promise<ValueColumn> {
  let whole: ValueColumn | undefined;
  const size = table.slice.partSize(part);
  for await (const batch of table.values(side, part, part + 1)) {
    const column = batch.columns[0] as ValueColumn;
    whole ??= column.BYTES_PER_ELEMENT === 1 ? new Int8Array(size) : new Int16Array(size);
    whole.set(column.subarray(0, batch.length), batch.first);
  }
  return whole!;
}

/** Fills `derived` with broken, drawn and lost-now; returns the keys of positions with moves. */
function census(slice: Slice, side: Side, part: number, derived: Int16Array) {
  const out = newCensus(CENSUS_ROWS);
  const keys = new Uint32Array(derived.length);
  let n = 0;
  let legal = 0;
  for (let first = 0; first < derived.length; first += CENSUS_ROWS) {
    const length = Math.min(CENSUS_ROWS, derived.length - first);
    slice.census(side, part, first, length, out);
    legal += out.legal;
    for (let i = 0; i < length; i++) {
      derived[first + i] = out.counts[i] === 0 ? DERIVED_BROKEN : 0;
      if (hasBit(out.open, i)) keys[n++] = first + i;
    }
    for (let i = 0; i < out.lost; i++) derived[out.lostKeys[i]!] = -1;
  }
  return { keys: keys.subarray(0, n), legal };
}

/** Own table at majors side * parts + part, then the dependencies. */
function successorValues(context: Context, table: Table, majors: readonly number[]) {
  const { slice } = context;
  const dependencies = dependencyValues(context.tables, majors);
  return async function* values({ from, to }: { from: number; to: number }): DenseCursor {
    for (const side of [0, 1] as const) {
      const base = side * slice.parts;
      const first = Math.max(from, base);
      const last = Math.min(to, base + slice.parts);
      if (first >= last) continue;
      for await (const batch of table.values(side, first - base, last - base)) {
        yield { ...batch, major: batch.major + base };
      }
    }
    yield* dependencies({ from, to });
  };
}

/** Requests (successor | asker's number) for all legal moves of the positions `keys`. */
async function* successors(
  slice: Slice,
  side: Side,
  part: number,
  keys: Uint32Array,
  majors: readonly number[],
): RowSource {
  const bias = Uint32Array.from(majors);
  const rowSource = new Uint32Array(EXPAND_ROWS);
  const kernel = (conversions: boolean) => (batch: Batch, from: number, out: Rows) => {
    const target: Emission = { length: out.length, major: out.major, minor: out.minor, source: rowSource };
    const done = conversions
      ? slice.conversions(side, part, batch.minor, from, batch.length, bias, target)
      : slice.moves(side, part, batch.minor, from, batch.length, opponent(side) * slice.parts, target);
    const asker = out.payload[0]!;
    for (let i = out.length; i < target.length; i++) asker[i] = rowSource[i]!;
    out.length = target.length;
    return done;
  };
  async function* source(): Cursor {
    if (keys.length > 0) yield { major: part, length: keys.length, minor: keys, payload: [] };
  }
  yield* expand(source(), kernel(false), { rows: EXPAND_ROWS, payload: 1 });
  if (slice.dependencies.length > 0) {
    yield* expand(source(), kernel(true), { rows: EXPAND_ROWS, payload: 1 });
  }
}

function answerKernel(slice: Slice, metric: Metric) {
  const own = 2 * slice.parts;
  return (requests: Batch, from: number, to: number, dense: DenseBatch, out: Rows): number => {
    const codes = dense.columns[0] as ValueColumn;
    const broken = brokenIn(codes);
    const asker = requests.payload[0] as Uint32Array;
    const conversion = requests.major >= own;
    const rank = out.payload[0]!;
    const { length: room } = out.minor;
    let n = out.length;
    let i = from;
    for (; i < to && n < room; i++) {
      const code = codes[requests.minor[i]! - dense.first]!;
      out.major[n] = 0;
      out.minor[n] = asker[i]!;
      // A successor marked broken is an error of its own, found when it is the position in question.
      rank[n] = preference(code === broken ? 0 : backUp(code, metric, conversion));
      n++;
    }
    out.length = n;
    return i;
  };
}

function compare(
  stored: ValueColumn,
  derived: Int16Array,
  metric: Metric,
  where: { slice: string; side: Side; part: number },
  result: Verified,
): void {
  const broken = brokenIn(stored);
  for (let key = 0; key < stored.length; key++) {
    const is = stored[key]!;
    const wants = derived[key]!;
    const same =
      is === broken || wants === DERIVED_BROKEN
        ? is === broken && wants === DERIVED_BROKEN
        : metric === 'wdl'
          ? Math.sign(is) === Math.sign(wants)
          : is === wants;
    if (same) continue;
    result.wrong++;
    if (result.mismatches.length >= MAX_MISMATCHES) continue;
    result.mismatches.push({
      ...where,
      key,
      stored: is === broken ? null : is,
      derived: wants === DERIVED_BROKEN ? null : wants,
    });
  }
}
