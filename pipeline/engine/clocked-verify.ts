/**
 * Verifies a table of dtm50 by forward moves. The ladder of every position is derived from those of its successors,
 * for all clocks at once. It must be the one that the table has. Nothing of the rounds is used: no unmoves, no
 * escapes, no order.
 */

import { zeroesAlways } from '../game/clocked.js';
import { CENSUS_ROWS, newCensus, readStatus } from '../game/fill-census.js';
import { type Side, type Slice, type SliceIndex, Status } from '../game/game.js';
import { newEmission } from '../game/new-emission.js';
import type { DerivedPart } from '../game/step-manifests.js';
import { brokenIn, fromPreference, RULE_PLIES, type ValueColumn } from '../game/value.js';
import { openClocks } from '../tables/clock-runs.js';
import { BROKEN_LADDER, codeAt, DRAWN_LADDER, type Ladders, MATED_LADDER } from '../tables/ladders.js';
import type { Table } from '../tables/table.js';
import { raiseByConversions } from './clocked-conversions.js';
import { derivedLadder } from './clocked-derive.js';
import { mostLadders, requestBytes } from './clocked-memory.js';
import { LAST_ZEROING } from './clocked-rounds.js';
import type { Context } from './context.js';

const MAX_MISMATCHES = 10;

/** A side whose ladders are derived; arrays go by index. */
interface Derivation {
  readonly slice: Slice;
  readonly ladders: Ladders;
  /** Ladders of this side, and of the other one. */
  readonly own: Uint32Array;
  readonly others: Uint32Array;
  readonly conversions: Uint16Array;
  readonly zeroed: number;
  readonly result: DerivedPart;
}

/** All parts of the slice are the context's. @throws UserError if the slice does not fit the memory. */
export async function verifyClocked(context: Context<Slice>, table: Table<SliceIndex>): Promise<DerivedPart> {
  const { slice, tables, tableStore: store, budget, counters, report } = context;
  const memory = requestBytes(slice, budget.memory);
  const { ladders, numbers } = await openClocks(store, table.manifest, counters, mostLadders(budget.memory));
  const sides = [new Uint32Array(slice.size), new Uint32Array(slice.size)] as const;
  const result: DerivedPart = { positions: 0, requests: 0, mismatches: [], wrong: 0 };
  for (const side of [0, 1] as const) {
    for await (const { major, first, length, columns } of numbers(side, 0, slice.parts))
      sides[side].set(columns[0].subarray(0, length), major * slice.width + first);
    await compareValues(slice, table, side, ladders, sides[side], result);
  }
  const conversions = new Uint16Array(slice.size);
  const zeroed = zeroesAlways(slice) ? LAST_ZEROING : RULE_PLIES;
  for (const side of [0, 1] as const) {
    conversions.fill(0);
    result.requests += await raiseByConversions(
      { slice, tables, store, memory, counters },
      side,
      conversions,
    );
    const [own, others] = [sides[side], sides[1 - side]];
    deriveSide({ slice, ladders, own, others, conversions, zeroed, result }, side, report);
  }
  return result;
}

/** Values at clock 0 must be those of the ladders. */
async function compareValues(
  slice: SliceIndex,
  table: Table<SliceIndex>,
  side: Side,
  ladders: Ladders,
  numbers: Uint32Array,
  result: DerivedPart,
): Promise<void> {
  for await (const { major: part, first, length, columns } of table.values(side, 0, slice.parts)) {
    const codes = columns[0] as ValueColumn;
    for (let i = 0; i < length; i++) {
      const ladder = numbers[part * slice.width + first + i];
      const stored = codes[i] === brokenIn(codes) ? null : codes[i];
      const derived = ladder === BROKEN_LADDER ? null : codeAt(ladders, ladder, 0);
      if (stored !== derived)
        mismatch(result, { slice: slice.name, side, part, key: first + i, stored, derived });
    }
  }
}

function mismatch(result: DerivedPart, found: DerivedPart['mismatches'][0]): void {
  result.wrong++;
  if (result.mismatches.length < MAX_MISMATCHES) result.mismatches.push(found);
}

function deriveSide(derivation: Derivation, side: Side, report: (done: number) => void): void {
  const { slice, result } = derivation;
  const census = newCensus(CENSUS_ROWS);
  const status = new Uint8Array(CENSUS_ROWS);
  const keys = new Uint32Array(CENSUS_ROWS);
  const derive = newDeriver(derivation, side);
  for (let part = 0; part < slice.parts; part++) {
    const size = slice.partSize(part);
    for (let first = 0; first < size; first += CENSUS_ROWS) {
      const length = Math.min(CENSUS_ROWS, size - first);
      slice.census(side, part, first, length, census);
      result.positions += census.legal;
      readStatus(census, first, length, status);
      let open = 0;
      for (let i = 0; i < length; i++) {
        if (status[i] === Status.open) keys[open++] = first + i;
        else compare(derivation, { side, part, key: first + i }, END_LADDERS[status[i]]);
      }
      derive(part, keys, open);
    }
    report(size);
  }
}

/** Ladders of positions without moves, by {@link Status}. */
const END_LADDERS = {
  [Status.broken]: BROKEN_LADDER,
  [Status.lost]: MATED_LADDER,
  [Status.drawn]: DRAWN_LADDER,
} as Readonly<Record<number, number>>;

/** Returns what derives the ladders of positions with moves, and compares them. */
function newDeriver(derivation: Derivation, side: Side) {
  const { slice, ladders, others, conversions, zeroed, result } = derivation;
  const rows = Math.max(1 << 13, 2 * slice.maxMoves);
  const out = newEmission(rows);
  const ordered = new Uint32Array(rows);
  const starts = new Uint32Array(CENSUS_ROWS + 1);
  return (part: number, keys: Uint32Array, count: number): void => {
    for (let from = 0; from < count; ) {
      out.length = 0;
      const to = slice.moves(side, part, keys, from, count, 0, out);
      const { major, minor, source, length } = out;
      result.requests += length;
      starts.fill(0, 0, to - from + 1);
      for (let i = 0; i < length; i++) starts[source[i] - from]++;
      let sum = 0;
      for (let i = 0; i <= to - from; i++) starts[i] = sum += starts[i];
      // From the end of each position's moves down, so that `starts` become what they say.
      for (let i = length - 1; i >= 0; i--)
        ordered[--starts[source[i] - from]] = others[major[i] * slice.width + minor[i]];
      for (let i = from; i < to; i++) {
        const at = part * slice.width + keys[i];
        const rank = conversions[at];
        const successors = ordered.subarray(starts[i - from], starts[i - from + 1]);
        const conversion = rank === 0 ? null : fromPreference(rank);
        const derived = derivedLadder(ladders, successors, conversion, zeroed);
        compare(derivation, { side, part, key: keys[i] }, derived);
      }
      from = to;
    }
  };
}

/** Notes a mismatch, by the values at the first clock at which they differ. */
function compare(
  { slice, ladders, own, result }: Derivation,
  where: { readonly side: Side; readonly part: number; readonly key: number },
  derived: number,
): void {
  const stored = own[where.part * slice.width + where.key];
  if (stored === derived) return;
  const code = (ladder: number, clock: number) =>
    ladder === BROKEN_LADDER ? null : codeAt(ladders, ladder, clock);
  let clock = 0;
  while (clock < RULE_PLIES && code(stored, clock) === code(derived, clock)) clock++;
  mismatch(result, {
    slice: slice.name,
    ...where,
    clock,
    stored: code(stored, clock),
    derived: code(derived, clock),
  });
}
