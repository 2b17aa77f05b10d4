/**
 * Values for Syzygy's files from solved tables, each read from its beginning to its end. Whether a capture is worth
 * as much as the position is looked up in memory. It holds as many parts of the smaller endings as fit at a time. The
 * slice is scanned once for each lot of them. Whether a quiet move wins at once follows from the few positions where
 * it can lead, by their unmoves.
 */
import type { DenseCursor } from '../../../../operators/runs/types.js';
import type { Ending, Game, Side, Slice } from '../../../game/game.js';
import { newEmission } from '../../../game/run-kernel.js';
import { brokenIn, type ValueColumn } from '../../../game/value.js';
import { sideOf, type View, viewsOf } from '../../../game/views.js';
import { spaceOf } from '../index-space.js';
import { outcomeBefore, outcomeOf, RULE } from './outcome.js';
import { Flag, type Placement, type ValueSource } from './subtable.js';

/** The needed part of a table (pipeline/tables/table.ts). */
export interface SliceValues {
  readonly slice: Slice;
  /** Values of the parts [from, to) in order; columns[0] holds the codes of pipeline/game/value.ts. */
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
        const captures = await capturesOf(table.slice, open);
        for (const lot of lotsOf(captures, memory)) {
          await placeCaptures(table, own, await load(table.slice, lot, pause), into, pause);
        }
        await placeQuiet(table, own, into, pause);
      }
    },
  };
}

/** Positions that are expanded at once. */
const ROWS = 1 << 14;
/** Added to the majors of positions in dependencies that are not loaded. */
const ELSEWHERE = 2 ** 31;

/** A dependency that captures lead to. */
interface Capture {
  readonly number: number;
  readonly there: SliceValues;
  readonly sides: readonly Side[];
}

async function capturesOf(
  { name, dependencies }: Slice,
  open: TableSourceOptions['open'],
): Promise<Capture[]> {
  const men = spaceOf(name).men;
  const found: Capture[] = [];
  for (const [number, { slice, sidesThere }] of dependencies.entries()) {
    const there = await open(slice);
    if (spaceOf(there.slice.name).men < men) found.push({ number, there, sides: sidesThere ?? [0, 1] });
  }
  return found;
}

/** Parts of a dependency, of a side to move there. */
interface Parts {
  readonly number: number;
  readonly there: SliceValues;
  readonly side: Side;
  readonly from: number;
  readonly to: number;
}

/** All parts of all tables, in lots of at most so many positions, or of one part. */
function lotsOf(captures: readonly Capture[], most: number): Parts[][] {
  const lots: Parts[][] = [];
  let room = 0;
  for (const { number, there, sides } of captures) {
    const { slice } = there;
    for (const side of sides) {
      for (let from = 0; from < slice.parts; ) {
        if (room < slice.width) {
          lots.push([]);
          room = Math.max(most, slice.width);
        }
        const to = Math.min(slice.parts, from + Math.floor(room / slice.width));
        lots.at(-1)!.push({ number, there, side, from, to });
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
  /** By major: where its outcomes begin, -1 if they are not here. */
  readonly starts: Float64Array;
}

async function load(
  { dependencies }: Slice,
  lot: readonly Parts[],
  pause: TableSourceOptions['pause'],
): Promise<Loaded> {
  const bias = new Array<number>(2 * dependencies.length).fill(ELSEWHERE);
  const size = lot.reduce((sum, { there, from, to }) => sum + (to - from) * there.slice.width, 0);
  const outcomes = new Uint8Array(size);
  const majors = lot.reduce((sum, { there }) => sum + there.slice.parts, 0);
  const starts = new Float64Array(majors).fill(-1);
  let major = 0;
  let start = 0;
  for (const { number, there, side, from, to } of lot) {
    const { parts, width } = there.slice;
    bias[2 * number + side] = major;
    for (let part = from; part < to; part++) starts[major + part] = start + (part - from) * width;
    for await (const batch of there.values(side, from, to)) {
      const codes = batch.columns[0] as ValueColumn;
      const at = starts[major + batch.major] + batch.first;
      for (let i = 0; i < batch.length; i++) outcomes[at + i] = outcomeBefore(codes[i]);
      await pause?.();
    }
    major += parts;
    start += (to - from) * width;
  }
  return { outcomes, bias, starts };
}

/** Flags positions where a capture that leads to what is loaded is worth as much. */
async function placeCaptures(
  { slice, values }: SliceValues,
  side: Side,
  { outcomes, bias, starts }: Loaded,
  into: Placement,
  pause: TableSourceOptions['pause'],
): Promise<void> {
  const out = newEmission(Math.max(ROWS, slice.maxMoves));
  const keys = new Uint32Array(ROWS);
  const own = new Uint8Array(ROWS);
  const isFlagged = new Uint8Array(ROWS);
  const flags = new Uint8Array(ROWS).fill(Flag.capture);
  const expand = (part: number, count: number) => {
    isFlagged.fill(0, 0, count);
    for (let from = 0; from < count; ) {
      out.length = 0;
      from = slice.conversions(side, part, keys, from, count, bias, out);
      for (let row = 0; row < out.length; row++) {
        const major = out.major[row];
        if (major >= ELSEWHERE || starts[major] < 0) continue;
        const source = out.source[row];
        if (outcomes[starts[major] + out.minor[row]] === own[source]) isFlagged[source] = 1;
      }
    }
    let kept = 0;
    for (let i = 0; i < count; i++) if (isFlagged[i] === 1) keys[kept++] = keys[i];
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

/** Codes of positions that a quiet move wins to: mated, and lost in so many plies that the win before them is cursed. */
const LOST_NOW = -1;
const LOST_BY_RULE = -RULE - 1;

/** Flags positions where a quiet move wins in as many plies as a zeroing move would. */
async function placeQuiet(
  { slice, values }: SliceValues,
  side: Side,
  into: Placement,
  pause: TableSourceOptions['pause'],
): Promise<void> {
  const after: Side = side === 0 ? 1 : 0;
  const out = newEmission(Math.max(ROWS, slice.maxMoves));
  const keys = new Uint32Array(ROWS);
  const flags = new Uint8Array(out.minor.length).fill(Flag.quiet);
  const expand = (part: number, count: number) => {
    for (let from = 0; from < count; ) {
      out.length = 0;
      from = slice.unmoves!(after, part, keys, from, count, 0, out);
      for (let row = 0; row < out.length; ) {
        const first = row;
        while (row < out.length && out.major[row] === out.major[first]) row++;
        into.flags(out.major[first], out.minor.subarray(first, row), flags, row - first);
      }
    }
  };
  for await (const batch of values(after, 0, slice.parts)) {
    const codes = batch.columns[0] as ValueColumn;
    let count = 0;
    for (let i = 0; i < batch.length; i++) {
      if (codes[i] !== LOST_NOW && codes[i] !== LOST_BY_RULE) continue;
      keys[count++] = batch.first + i;
      if (count < ROWS) continue;
      expand(batch.major, count);
      count = 0;
    }
    expand(batch.major, count);
    await pause?.();
  }
}
