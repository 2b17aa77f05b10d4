/**
 * Conversions taken back, for slices that have `unconversions`. Only won and lost positions of dependencies matter, and their
 * predecessors are found without asking.
 *   tables, scanned once → decided positions, by moment → predecessors of each moment, ordered by (side, part, key)
 * A *moment* is (ply, kind) of the events of both sides: these are neighbours (events.ts). Decided positions are few beside their
 * predecessors, which then need ordering by part only.
 *
 * Both are sets of rows (pipeline/game/rows.ts) as far as the kernels of the slice have rows; a key is a set of one.
 *
 * scan of the tables + distribution of decided positions + sort(conversions to them): nothing is joined. Where positions have numbers of
 * solutions, convert-rows.ts does it.
 */
import { type Arrays, newArrays } from '../../../operators/core/arrays.js';
import { distribute, releaseSegments } from '../../../operators/distribute/distribute.js';
import { distinctMajors } from '../../../operators/distribute/groups.js';
import { createPool } from '../../../operators/distribute/pool.js';
import { expand } from '../../../operators/expand.js';
import { gather, gatherByMajor } from '../../../operators/gather.js';
import { borrowRows, newBatch, views } from '../../../operators/runs/rows.js';
import type { Batch, Cursor, RowSource, Rows } from '../../../operators/runs/types.js';
import type { SortEnv } from '../../../operators/sort/env.js';
import { eventNumber, flow, Kind } from '../../game/events.js';
import type { Link, RowConversions, RowKernels, Side, Slice, SliceIndex } from '../../game/game.js';
import { DIGIT_BITS } from '../../game/game.js';
import { labellingOf, type Numbering } from '../../game/labelling.js';
import { firstMajor, majorsIn } from '../../game/majors.js';
import { stipulations } from '../../game/stipulation.js';
import { backUp, type Metric, RULE_PLIES, WIDE_PLIES } from '../../game/value.js';
import type { Table } from '../../tables/table.js';
import type { Context } from '../memory/context.js';
import { shifted } from '../memory/event-runs.js';
import { keyConversions } from '../memory/keys-as-rows.js';
import { memoryOf } from '../memory/phase-memory.js';
import { columnsOf, SET_COLUMNS, setsOf } from '../memory/rows.js';

/** Rows of the batches that are passed on unordered; more if the predecessors of a set are more. */
const ROWS = 1 << 14;

/** The codes of one result are alike, whatever their plies. */
const ALL_PLIES = 0x7fff;

/** Parts of a table with one side to move, so many that their rows are numbered by 32 bits. */
interface Unit {
  readonly dependency: number;
  readonly sideThere: Side;
  /** See `keysThere` of game/slice-index.ts. */
  readonly keysThere: (() => Uint32Array) | undefined;
  readonly from: number;
  readonly to: number;
  readonly rowsOfPart: number;
  /** As in `RowKernels`. */
  readonly digitBits: number;
  /** Whether the count restarts with a conversion to the table. */
  readonly restarts: boolean;
  /** How many plies are alike: `alike` of `RowConversions.decided`. */
  readonly alike: number;
}

type Env = SortEnv & { readonly arrays: Arrays };

/**
 * The events (majors of events, of all parts of the slice) that follow from this context's share of every dependency.
 * It has the same fraction of its positions as `context.parts` has of the parts of the slice. Batches are keys or sets (rows.ts);
 * those of either kind are in order. @param rows those that the rounds label.
 */
export async function* unconvert(context: Context<Slice>, rows: RowKernels): Cursor {
  const { slice, budget, scratch, counters } = context;
  const conversions = slice.rowConversions ?? keyConversions(slice);
  const shares = memoryOf('unconvert', budget);
  const env: Env = { budget: shares.order, scratch, counters, arrays: newArrays() };
  const units = unitsOf(context);
  const pool = createPool(shares.positions.memory, { shared: false });
  const requests = createPool(shares.requests.memory, { shared: false });
  const range = { from: 0, to: momentsOf(context) * units.length };
  const decided = decidedSets(context, conversions, units, env.arrays);
  const segments = await distribute(decided, { majors: range.to, payload: 2, pool }, env);
  try {
    const { majors: present } = distinctMajors([{ segments, pool }], range);
    for (let at = 0; at < present.length; ) {
      const moment = Math.floor(present[at] / units.length);
      const first = at;
      while (at < present.length && present[at] < (moment + 1) * units.length) at++;
      const links = linksOf(conversions, units, present.subarray(first, at), rows.numbering);
      const shift = firstMajor(slice, 2 * moment);
      // Keys and sets apart; rounds that label keys take nothing else.
      for (const payload of [2, 0] as const) {
        const some = links.filter(({ emits }) => (emits === 'sets' ? columnsOf(rows).length : 0) === payload);
        if (some.length === 0) continue;
        const positions = (major: number) =>
          gatherByMajor([{ segments, pool }], { from: major, to: major + 1 }, 2, env);
        const found = predecessors(context, conversions, positions, some, payload, env.arrays);
        yield* shifted(ordered(found, { majors: majorsIn(slice, 2), payload, pool: requests }, env), shift);
      }
    }
  } finally {
    await releaseSegments(segments, env);
  }
}

function unitsOf({ slice, tables, metric }: Context): Unit[] {
  const units: Unit[] = [];
  const { plies, rule50 } = stipulations[metric];
  const digitBits = labellingOf(metric).numbering === null ? 0 : DIGIT_BITS;
  for (const [dependency, there] of slice.dependencies.entries()) {
    const { keysThere } = there;
    const rowsOfPart = Math.ceil(tables[dependency].slice.width / 64);
    const most = Math.floor(2 ** (32 - digitBits) / rowsOfPart);
    const restarts = there.restarts.includes(metric);
    const alike = !restarts && plies ? 0 : rule50 === 'cursed' ? RULE_PLIES : ALL_PLIES;
    for (const sideThere of there.sidesThere ?? ([0, 1] as const)) {
      for (let from = 0; from < there.parts; from += most) {
        const to = Math.min(there.parts, from + most);
        units.push({ dependency, sideThere, keysThere, from, to, rowsOfPart, digitBits, restarts, alike });
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

/** This context's share of a table. */
async function* shareOf(context: Context, table: Table<SliceIndex>, side: Side, arrays: Arrays) {
  const { slice, parts } = context;
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

/** The decided positions of this context's share, scanned: majors are (moment, unit), minors rows of the unit. */
async function* decidedSets(
  context: Context<Slice>,
  conversions: RowConversions,
  units: readonly Unit[],
  arrays: Arrays,
): RowSource {
  const { metric, tables } = context;
  const { numbering } = labellingOf(metric);
  const { rows: out, giveBack } = borrowRows(ROWS, SET_COLUMNS.length, arrays);
  const code = new Int32Array(out.minor.length);
  const found = { ...setsOf(out), length: 0, code };
  let keys: Uint32Array | null = null;
  let made: Unit['keysThere'];
  try {
    for (const [
      u,
      { dependency, sideThere, keysThere, from: firstPart, to: endPart, ...unit },
    ] of units.entries()) {
      // One bitmap at a time: units of a dependency follow each other.
      if (keysThere !== made) keys = keysThere?.() ?? null;
      made = keysThere;
      const share = shareOf(context, tables[dependency], sideThere, arrays);
      for await (const { major: part, first, length, columns } of share) {
        if (part < firstPart || part >= endPart) continue;
        const values = { codes: columns[0] as Int8Array | Int16Array, first, length };
        const base = (part - firstPart) * unit.rowsOfPart * 2 ** unit.digitBits;
        for (let from = 0; from < length; ) {
          const start = found.length;
          from = conversions.decided(values, from, unit.alike, keys, numbering, found);
          for (let i = start; i < found.length; i++) {
            out.major[i] = momentOf(code[i], metric, unit.restarts) * units.length + u;
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

/** A major of decided positions whose conversions by a side are taken back, and the form of these. */
interface Linked {
  readonly major: number;
  readonly unit: Unit;
  readonly link: Link;
  readonly emits: 'sets' | 'keys';
}

function linksOf(
  conversions: RowConversions,
  units: readonly Unit[],
  majors: Uint32Array,
  numbering: Numbering | null,
): Linked[] {
  const links: Linked[] = [];
  for (const side of [0, 1] as const) {
    for (const major of majors) {
      const unit = units[major % units.length];
      const link = { side, dependency: unit.dependency, sideThere: unit.sideThere, numbering };
      const emits = conversions.emits(link);
      if (emits !== null) links.push({ major, unit, link, emits });
    }
  }
  return links;
}

/** Rows of the predecessors of decided positions; majors of sides. */
async function* predecessors(
  { slice, report }: Context<Slice>,
  conversions: RowConversions,
  positions: (major: number) => AsyncIterable<Batch>,
  links: readonly Linked[],
  payload: 0 | 2,
  arrays: Arrays,
): RowSource {
  const rows = Math.max(ROWS, 64 * slice.maxMoves);
  for (const { major, unit, link } of links) {
    const bias = firstMajor(slice, link.side);
    const kernel = (batch: Batch, from: number, out: Rows): number => {
      const range = { from, to: batch.length };
      const keys = { length: out.length, major: out.major, minor: out.minor };
      const emission = payload === 0 ? keys : { ...keys, ...setsOf(out) };
      const done = conversions.unconversions(link, batch.major, setsOf(batch), range, bias, emission);
      out.length = emission.length;
      return done;
    };
    for await (const out of expand(partsIn(unit, positions(major)), kernel, { rows, payload, arrays })) {
      report(out.length);
      yield out;
    }
  }
}

/** The sets of a unit, part by part: majors are parts. Takes the minors of the batches over. */
async function* partsIn(
  { from: firstPart, rowsOfPart: rows, digitBits }: Unit,
  batches: AsyncIterable<Batch>,
): Cursor {
  const rowsOfPart = rows * 2 ** digitBits;
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

/** The rows in order. */
async function* ordered(rows: RowSource, options: Parameters<typeof distribute>[1], env: SortEnv): Cursor {
  const { majors, payload, pool } = options;
  const segments = await distribute(rows, options, env);
  try {
    yield* gather([{ segments, pool }], { from: 0, to: majors }, payload, env);
  } finally {
    await releaseSegments(segments, env);
  }
}
