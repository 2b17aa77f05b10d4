/**
 * Values for Syzygy's files from solved tables, each read from its beginning to its end. Whether a move that zeroes the
 * counter is worth as much as the position is looked up in memory: as many parts of the dependencies as fit at a time, by a scan of
 * the slice for each lot of them.
 */
import type { DenseCursor } from '../../../../operators/runs/types.js';
import type { Emission, Ending, Game, Side, Slice } from '../../../game.js';
import { brokenIn, type ValueColumn } from '../../../value.js';
import { sideOf, type View, viewsOf } from '../../../views.js';
import { spaceOf } from '../index-space.js';
import { outcomeBefore, outcomeOf } from './outcome.js';
import { Flag, type Placement, type ValueSource } from './subtable.js';

/** What is needed of a table (pipeline/table/table.ts). */
export interface SliceValues {
  readonly slice: Slice;
  /** Values of the parts [from, to) in order; columns[0] holds the codes of pipeline/value.ts. */
  values(side: Side, from: number, to: number): DenseCursor;
}

export interface TableSourceOptions {
  readonly game: Game;
  /** White the stronger side, as files are named. */
  readonly ending: Ending;
  /** Finds the table of a slice under the metric `dtz`: of the ending, and of all that its slices convert to. */
  readonly open: (slice: string) => Promise<SliceValues>;
  /** Bytes of outcomes held at once, unless a single part of a dependency has more. */
  readonly memory: number;
  /** Called between batches. */
  readonly pause?: () => Promise<void>;
}

export function tableSource({ game, ending, open, memory, pause }: TableSourceOptions): ValueSource {
  const sideIn = (view: View, side: Side) => sideOf(game, game.colours[side], view.flipped);
  return {
    async place(side, into) {
      for (const view of viewsOf(game, ending)) {
        const table = await open(view.slice);
        const own = sideIn(view, side);
        into.view(view);
        for await (const batch of table.values(own, 0, table.slice.parts)) {
          into.values(batch.major, batch.first, batch.columns[0] as ValueColumn, batch.length);
          await pause?.();
        }
        const { dependencies } = table.slice;
        const tables = await Promise.all(dependencies.map(({ slice }) => open(slice)));
        for (const lot of lotsOf(tables, memory)) {
          const loaded = await load(table.slice, tables, lot, pause);
          await placeFlags(table, own, loaded, into, pause);
        }
      }
    },
  };
}

/** Positions that are expanded at once. */
const ROWS = 1 << 14;
/** Added to the majors of positions in dependencies that are not loaded. */
const ELSEWHERE = 2 ** 31;

/** Parts of a dependency, of a side to move there. */
interface Parts {
  readonly number: number;
  readonly side: Side;
  readonly from: number;
  readonly to: number;
}

/** All parts of all tables, in lots of at most so many positions, or of one part. */
function lotsOf(tables: readonly SliceValues[], most: number): Parts[][] {
  const lots: Parts[][] = [];
  let room = 0;
  for (const [number, { slice }] of tables.entries()) {
    for (const side of [0, 1] as const) {
      for (let from = 0; from < slice.parts; ) {
        if (room < slice.width) {
          lots.push([]);
          room = Math.max(most, slice.width);
        }
        const to = Math.min(slice.parts, from + Math.floor(room / slice.width));
        lots.at(-1)!.push({ number, side, from, to });
        room -= (to - from) * slice.width;
        from = to;
      }
    }
  }
  return lots;
}

interface Loaded {
  /** For the mover of the position before, what a move to each position is worth. */
  readonly outcomes: Uint8Array;
  /** Added to the parts of each dependency, by side to move there, to make majors of them. */
  readonly bias: readonly number[];
  /** By major: where its outcomes begin, -1 if they are not here; which flags moves to it may set; its width. */
  readonly starts: Float64Array;
  readonly flags: Uint8Array;
}

async function load(
  slice: Slice,
  tables: readonly SliceValues[],
  lot: readonly Parts[],
  pause: TableSourceOptions['pause'],
): Promise<Loaded> {
  const bias = new Array<number>(2 * tables.length).fill(ELSEWHERE);
  const size = lot.reduce((sum, { number, from, to }) => sum + (to - from) * tables[number].slice.width, 0);
  const outcomes = new Uint8Array(size);
  const majors = lot.reduce((sum, { number }) => sum + tables[number].slice.parts, 0);
  const starts = new Float64Array(majors).fill(-1);
  const flags = new Uint8Array(majors);
  const men = spaceOf(slice.name).men;
  let major = 0;
  let start = 0;
  for (const { number, side, from, to } of lot) {
    const there = tables[number];
    bias[2 * number + side] = major;
    const isCapture = spaceOf(there.slice.name).men < men;
    flags.fill(Flag.zeroing | (isCapture ? Flag.capture : 0), major, major + there.slice.parts);
    for (let part = from; part < to; part++) starts[major + part] = start + (part - from) * there.slice.width;
    for await (const batch of there.values(side, from, to)) {
      const codes = batch.columns[0] as ValueColumn;
      const at = starts[major + batch.major] + batch.first;
      for (let i = 0; i < batch.length; i++) outcomes[at + i] = outcomeBefore(codes[i]);
      await pause?.();
    }
    major += there.slice.parts;
    start += (to - from) * there.slice.width;
  }
  return { outcomes, bias, starts, flags };
}

/** Places the flags of moves to the positions that are loaded. */
async function placeFlags(
  { slice, values }: SliceValues,
  side: Side,
  { outcomes, bias, starts, flags: flagsOf }: Loaded,
  into: Placement,
  pause: TableSourceOptions['pause'],
): Promise<void> {
  const capacity = Math.max(ROWS, slice.maxMoves);
  const column = () => new Uint32Array(capacity);
  const out: Emission = { length: 0, major: column(), minor: column(), source: column() };
  const keys = new Uint32Array(ROWS);
  const own = new Uint8Array(ROWS);
  const flags = new Uint8Array(ROWS);
  const expand = (part: number, count: number) => {
    flags.fill(0, 0, count);
    for (let from = 0; from < count; ) {
      out.length = 0;
      from = slice.conversions(side, part, keys, from, count, bias, out);
      for (let row = 0; row < out.length; row++) {
        const major = out.major[row];
        if (major >= ELSEWHERE || starts[major] < 0) continue;
        const source = out.source[row];
        if (outcomes[starts[major] + out.minor[row]] === own[source]) flags[source] |= flagsOf[major];
      }
    }
    let kept = 0;
    for (let i = 0; i < count; i++) {
      if (flags[i] === 0) continue;
      keys[kept] = keys[i];
      flags[kept++] = flags[i];
    }
    into.flags(part, keys, flags, kept);
  };
  for await (const batch of values(side, 0, slice.parts)) {
    const codes = batch.columns[0] as ValueColumn;
    const broken = brokenIn(codes);
    let count = 0;
    for (let i = 0; i < batch.length; i++) {
      if (codes[i] === broken) continue;
      own[count] = outcomeOf(codes[i]);
      keys[count++] = batch.first + i;
      if (count < ROWS) continue;
      expand(batch.major, count);
      count = 0;
    }
    expand(batch.major, count);
    await pause?.();
  }
}
