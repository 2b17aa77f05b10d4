/**
 * Values for Syzygy's files from solved tables. Each side is read once, part by part, in an order in which captures lead to the same
 * parts of the smaller endings again and again. The best captures of a whole part are found by rows, as verification finds them. With
 * pawns, whether a quiet move wins at once follows from the few positions where it can lead, by their unmoves.
 */
import { newCounters } from '../../../operators/core/counters.js';
import { assert } from '../../../operators/core/errors.js';
import type { DenseCursor } from '../../../operators/runs/types.js';
import { RowBest } from '../../engine/memory/best-moves.js';
import { type Ending, type Game, MOST_KERNEL_BYTES, type Side, type Slice } from '../../game/game.js';
import { withoutRepeats } from '../../game/repeats.js';
import { newEmission } from '../../game/run-kernel.js';
import { brokenIn, type ValueColumn } from '../../game/value.js';
import { sideOf, type View, viewsOf } from '../../game/views.js';
import { spaceOf } from '../../games/chess/index-space.js';
import { outcomeBefore, RULE } from '../../games/chess/syzygy/format.js';
import type { Placement, ValueSource } from '../../games/chess/syzygy/subtable.js';

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
  /** Bytes of outcomes of smaller endings held at once, unless a single part has more. */
  readonly memory: number;
  /** Called between parts. */
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
        await placeValues(table, own, open, memory, into, pause);
        if (spaceOf(view.slice).pawnGroups > 0) await placeQuiet(table, own, into, pause);
      }
    },
  };
}

async function placeValues(
  { slice, values }: SliceValues,
  side: Side,
  open: TableSourceOptions['open'],
  memory: number,
  into: Placement,
  pause: TableSourceOptions['pause'],
): Promise<void> {
  const captures = await newCaptures(slice, open, memory);
  try {
    for (const part of slice.rowMoves!.inOrder(side)) {
      const best = await captures.best(side, part);
      for await (const { first, length, columns } of values(side, part, part + 1)) {
        const codes = withoutRepeats(slice, part, first, (columns[0] as ValueColumn).subarray(0, length));
        into.values(part, first, codes, best.subarray(first), length);
      }
      await pause?.();
    }
  } finally {
    captures.close();
  }
}

/** By code as an unsigned number, the rank of a move that leads there: 1 + its outcome. Moves that there are not have rank 0. */
const RANKS = Uint8Array.from({ length: 1 << 16 }, (_, code) => 1 + outcomeBefore((code << 16) >> 16));

/** Finds the best captures of parts of a slice. */
async function newCaptures(slice: Slice, open: TableSourceOptions['open'], memory: number) {
  assert(slice.rowMoves !== undefined, 'every ending with files has rows');
  const men = spaceOf(slice.name).men;
  const behind = await Promise.all(slice.dependencies.map((dependency) => open(dependency.slice)));
  const isCapture = [false, ...behind.map((there) => spaceOf(there.slice.name).men < men)];
  const source = {
    indices: [slice, ...behind.map((there) => there.slice)],
    async read(table: number, side: Side, part: number, _scale: number, ranks: Uint8Array) {
      for await (const { first, length, columns } of behind[table - 1].values(side, part, part + 1)) {
        const codes = columns[0] as ValueColumn;
        const broken = brokenIn(codes);
        for (let i = 0; i < length; i++) {
          const code = codes[i];
          ranks[first + i] = code === broken ? 0 : RANKS[code & 0xffff];
        }
      }
      return true;
    },
  };
  const width = slice.partSize(0);
  const most = Math.min(memory, MOST_KERNEL_BYTES);
  const moving = { slice, counters: newCounters() };
  const rows = new RowBest(moving, slice.rowMoves, source, 1, most, width);
  const bests = rows.allocate(width);
  return {
    /** The ranks of the best captures of a part, by key; valid until it is called again. */
    async best(side: Side, part: number): Promise<Uint8Array> {
      const best = bests.subarray(0, slice.partSize(part)).fill(0);
      await rows.raise(side, part, 0, best, 0, (table) => isCapture[table]);
      return best;
    },
    close: () => rows.close(),
  };
}

/** Positions that are expanded at once. */
const ROWS = 1 << 14;

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
  const expand = (part: number, count: number) => {
    for (let from = 0; from < count; ) {
      out.length = 0;
      from = slice.unmoves!(after, part, keys, from, count, 0, out);
      for (let row = 0; row < out.length; ) {
        const first = row;
        while (row < out.length && out.major[row] === out.major[first]) row++;
        into.quiet(out.major[first], out.minor.subarray(first, row));
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
