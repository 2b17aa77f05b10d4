/**
 * Conversions taken back, for slices that have `unconversions`. Only won and lost positions of dependencies matter, and their
 * predecessors are found without asking.
 *   tables, scanned once → decided positions, by moment → predecessors of each moment, ordered by (side, part, key)
 * A *moment* is (ply, kind) of the events of both sides: these are neighbours (events.ts). Decided positions are few beside their
 * predecessors, which then need ordering by part only.
 *
 * Both are sets of rows (pipeline/game/row-conversions.ts) as far as the kernels of the slice have rows; a key is a set of one.
 * If all tables have few moments, as where counts restart, what comes out is dense. It is collected as sets, part by part, also
 * where the kernel gives keys.
 *
 * scan of the tables + distribution of decided positions + sort(conversions to them): nothing is joined.
 */
import { type Arrays, newArrays } from '../../operators/core/arrays.js';
import { share } from '../../operators/core/budget.js';
import { distribute, releaseSegments } from '../../operators/distribute/distribute.js';
import { distinctMajors } from '../../operators/distribute/groups.js';
import { createPool, type Pool } from '../../operators/distribute/pool.js';
import type { DistributedRows } from '../../operators/distribute/segments.js';
import { expand } from '../../operators/expand.js';
import { gather, gatherByMajor } from '../../operators/gather.js';
import { interleave } from '../../operators/interleave.js';
import { borrowRows, newBatch, views } from '../../operators/runs/rows.js';
import type { Batch, Cursor, RowSource, Rows } from '../../operators/runs/types.js';
import type { SortEnv } from '../../operators/sort/env.js';
import { eventNumber, flow, Kind } from '../game/events.js';
import type { Link, RowConversions, Side, Slice, SliceIndex } from '../game/game.js';
import { firstMajor, majorsIn } from '../game/majors.js';
import { backUp, type Metric, RULE_PLIES, WIDE_PLIES } from '../game/value.js';
import type { Table } from '../tables/table.js';
import type { Context } from './context.js';
import { shifted } from './event-runs.js';
import { keyConversions } from './key-conversions.js';
import { memoryOf } from './memory.js';
import { collectSets } from './part-sets.js';
import { rowsOf, SET_COLUMNS, setsOf } from './rows.js';

/** Rows of the batches that are passed on unordered; more if the predecessors of a set are more. */
const ROWS = 1 << 14;

/** The codes of one result are alike, whatever their plies. */
const ALL_PLIES = 0x7fff;

/** Parts of a table with one side to move, so many that their rows are numbered by 32 bits. */
interface Unit {
  readonly dependency: number;
  readonly sideThere: Side;
  /** See `keysThere` of game/slice-index.ts. */
  readonly keys: Uint32Array | null;
  readonly from: number;
  readonly to: number;
  readonly rowsOfPart: number;
}

/** The decided positions of the tables: majors are (moment, unit), minors rows of the unit. */
interface Decided {
  readonly units: readonly Unit[];
  readonly segments: DistributedRows;
  readonly pool: Pool;
}

/**
 * The events (majors of events, of all parts of the slice) that follow from this context's share of every dependency.
 * It has the same fraction of its positions as `context.parts` has of the parts of the slice. Batches are keys or sets (sets.ts);
 * those of either kind are in order.
 */
export async function* unconvert(context: Context<Slice>): Cursor {
  const { slice, budget, scratch, counters } = context;
  const conversions = slice.rowConversions ?? keyConversions(slice);
  const shares = memoryOf('unconvert', budget);
  const env: SortEnv & { readonly arrays: Arrays } = {
    budget: shares.order,
    scratch,
    counters,
    arrays: newArrays(),
  };
  const units = unitsOf(context);
  const pool = createPool(shares.positions.memory, { shared: false });
  const majors = momentsOf(context) * units.length;
  const rows = decidedSets(context, conversions, units, env.arrays);
  const segments = await distribute(rows, { majors, payload: 2, pool }, env);
  try {
    const pools = [0, 1].map(() => createPool(shares.requests.memory / 2, { shared: false }));
    const collects = takesSets(context) && units.every((unit) => alikeIn(context, unit) !== 0);
    const { majors: present } = distinctMajors([{ segments, pool }], { from: 0, to: majors });
    const decided = { units, segments, pool };
    for (let at = 0; at < present.length; ) {
      const moment = Math.floor(present[at] / units.length);
      const first = at;
      while (at < present.length && present[at] < (moment + 1) * units.length) at++;
      const shift = firstMajor(slice, 2 * moment);
      const emissions: Emissions[] = [];
      for (const [i, emitted] of (['sets', 'keys'] as const).entries()) {
        const links = linksOf(context, conversions, units, present.subarray(first, at), emitted);
        if (links.length === 0) continue;
        const rows = predecessors(context, conversions, decided, links, emitted, env);
        emissions.push({ rows, payload: emitted === 'sets' ? 2 : 0, pool: pools[i] });
      }
      const majors = majorsIn(slice, 2);
      if (collects) yield* shifted(collected(emissions, majors, slice.width, env), shift);
      else for (const each of emissions) yield* shifted(ordered(each, majors, env), shift);
    }
  } finally {
    await releaseSegments(segments, env);
  }
}

function unitsOf({ slice, tables }: Context): Unit[] {
  const units: Unit[] = [];
  for (const [dependency, { parts, sidesThere, keysThere }] of slice.dependencies.entries()) {
    const keys = keysThere?.() ?? null;
    const rowsOfPart = Math.ceil(tables[dependency].slice.width / 64);
    const most = Math.floor(2 ** 32 / rowsOfPart);
    for (const sideThere of sidesThere ?? ([0, 1] as const)) {
      for (let from = 0; from < parts; from += most) {
        units.push({ dependency, sideThere, keys, from, to: Math.min(parts, from + most), rowsOfPart });
      }
    }
  }
  return units;
}

/** Moments are below this: plies of wide values are at most as many as the rounds of the table. */
function momentsOf({ tables }: Context): number {
  const most = tables.reduce((plies, { manifest }) => Math.max(plies, manifest.rounds), WIDE_PLIES);
  return 2 * (most + 2);
}

/** The event, of a side, that follows from a value: half of the number that events.ts gives it. */
function momentOf(value: number, metric: Metric, restarts: boolean): number {
  const code = backUp(value, metric, restarts);
  const event = code > 0 ? eventNumber(code, flow(Kind.win, 0)) : eventNumber(-code - 1, flow(Kind.loss, 0));
  return event / 2;
}

/** How many plies are alike in a unit: `alike` of `RowConversions.decided`. */
function alikeIn({ slice, metric }: Context, { dependency }: Unit): number {
  const restarts = slice.dependencies[dependency].restarts.includes(metric);
  if (!restarts && metric !== 'wdl') return 0;
  return metric === 'dtz' ? RULE_PLIES : ALL_PLIES;
}

/** Whether the rounds take sets. */
function takesSets({ slice, strategy }: Context<Slice>): boolean {
  return rowsOf(slice, strategy).width > 1;
}

/** This context's share of a table. */
async function* shareOf({ slice, parts }: Context, table: Table<SliceIndex>, side: Side, arrays: Arrays) {
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

/** The decided positions of this context's share, scanned. */
async function* decidedSets(
  context: Context<Slice>,
  conversions: RowConversions,
  units: readonly Unit[],
  arrays: Arrays,
): RowSource {
  const { metric, tables, slice } = context;
  const { rows: out, giveBack } = borrowRows(ROWS, SET_COLUMNS.length, arrays);
  const [low, high] = out.payload as [Uint32Array, Uint32Array];
  const codes = new Int32Array(out.minor.length);
  const found = { length: 0, code: codes, minor: out.minor, low, high };
  try {
    for (let u = 0; u < units.length; u++) {
      const { dependency, sideThere, keys, from: firstPart, to: endPart, rowsOfPart } = units[u];
      const restarts = slice.dependencies[dependency].restarts.includes(metric);
      const alike = alikeIn(context, units[u]);
      for await (const { major: part, first, length, columns } of shareOf(
        context,
        tables[dependency],
        sideThere,
        arrays,
      )) {
        if (part < firstPart || part >= endPart) continue;
        const values = { codes: columns[0] as Int8Array | Int16Array, first, length };
        const base = (part - firstPart) * rowsOfPart;
        for (let from = 0; from < length; ) {
          const start = found.length;
          from = conversions.decided(values, from, alike, keys, found);
          for (let i = start; i < found.length; i++) {
            out.major[i] = momentOf(codes[i], metric, restarts) * units.length + u;
            out.minor[i] += base;
          }
          if (from === length) break;
          out.length = found.length;
          yield out;
          found.length = 0;
        }
      }
    }
    out.length = found.length;
    if (out.length > 0) yield out;
  } finally {
    giveBack();
  }
}

/** A major of decided positions whose conversions by a side are taken back. */
interface Linked {
  readonly major: number;
  readonly unit: Unit;
  readonly link: Link;
}

function linksOf(
  context: Context<Slice>,
  conversions: RowConversions,
  units: readonly Unit[],
  majors: Uint32Array,
  emitted: 'sets' | 'keys',
): Linked[] {
  const links: Linked[] = [];
  for (const side of [0, 1] as const) {
    for (const major of majors) {
      const unit = units[major % units.length];
      const link = { side, dependency: unit.dependency, sideThere: unit.sideThere };
      const emits = conversions.emits(link);
      if (emits === null || (takesSets(context) ? emits : 'keys') !== emitted) continue;
      links.push({ major, unit, link });
    }
  }
  return links;
}

/** Rows of the predecessors of decided positions; majors of sides. */
async function* predecessors(
  { slice, report }: Context<Slice>,
  conversions: RowConversions,
  { segments, pool }: Decided,
  links: readonly Linked[],
  emitted: 'sets' | 'keys',
  env: SortEnv & { readonly arrays: Arrays },
): RowSource {
  const rows = Math.max(ROWS, 64 * slice.maxMoves);
  const payload = emitted === 'sets' ? SET_COLUMNS.length : 0;
  for (const { major, unit, link } of links) {
    const positions = gatherByMajor([{ segments, pool }], { from: major, to: major + 1 }, 2, env);
    const bias = firstMajor(slice, link.side);
    const kernel = (batch: Batch, from: number, out: Rows): number => {
      const range = { from, to: batch.length };
      const [low, high] = out.payload as [Uint32Array?, Uint32Array?];
      const emission =
        low === undefined || high === undefined
          ? { length: out.length, major: out.major, minor: out.minor }
          : { length: out.length, major: out.major, minor: out.minor, low, high };
      const done = conversions.unconversions(link, batch.major, setsOf(batch), range, bias, emission);
      out.length = emission.length;
      return done;
    };
    for await (const out of expand(partsIn(unit, positions), kernel, { rows, payload, arrays: env.arrays })) {
      report(out.length);
      yield out;
    }
  }
}

/** The sets of a unit, part by part: majors are parts. Takes the minors of the batches over. */
async function* partsIn({ from: firstPart, rowsOfPart }: Unit, batches: AsyncIterable<Batch>): Cursor {
  for await (const { length, minor, payload } of batches) {
    for (let from = 0; from < length; ) {
      const number = Math.floor(minor[from] / rowsOfPart);
      const base = number * rowsOfPart;
      const end = base + rowsOfPart;
      let to = from;
      for (; to < length && minor[to] >= base && minor[to] < end; to++) minor[to] -= base;
      yield newBatch(firstPart + number, to - from, minor.subarray(from, to), views(payload, from, to));
      from = to;
    }
  }
}

/** The form of conversions taken back, and the memory to distribute them. */
interface Emissions {
  readonly rows: RowSource;
  readonly payload: 0 | 2;
  readonly pool: Pool;
}

/** The rows of each major in order. */
async function* ordered(
  { rows, payload, pool }: Emissions,
  majors: number,
  env: SortEnv,
): AsyncGenerator<Batch> {
  const segments = await distribute(rows, { majors, payload, pool }, env);
  try {
    yield* gather([{ segments, pool }], { from: 0, to: majors }, payload, env);
  } finally {
    await releaseSegments(segments, env);
  }
}

/** The rows of each major, of all emissions, as sets in order. */
async function* collected(
  emissions: readonly Emissions[],
  majors: number,
  width: number,
  env: SortEnv,
): AsyncGenerator<Batch> {
  const segments: DistributedRows[] = [];
  const own = { ...env, budget: share(env.budget, 1 / 2) };
  try {
    for (const { rows, payload, pool } of emissions) {
      segments.push(await distribute(rows, { majors, payload, pool }, own));
    }
    const inputs = emissions.map(({ payload, pool }, i) =>
      gatherByMajor([{ segments: segments[i], pool }], { from: 0, to: majors }, payload, own),
    );
    yield* collectSets(interleave(inputs), width);
  } finally {
    for (const each of segments) await releaseSegments(each, env);
  }
}
