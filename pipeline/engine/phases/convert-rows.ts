/**
 * Convert, for metrics with numbers of solutions (game/labelling.ts): finds, for each position, the shortest solution that begins with a move
 * out of the slice, and how many of that length there are. Longer ones never matter, so a position has at most one event. Taking all
 * conversions back (unconvert.ts) would give an event for each move and each binary digit of its number: in KQQPvK.7 these were 250 million
 * sets, 2.5 GB, and two thirds of the CPU of the solve.
 *
 *   tables of the dependencies, a part at a time as ranks → moves by rows, as in verification: best rank → once more: their numbers
 *   → sets of each digit, distributed by (ply, side, part)
 *
 * Memory: as in verification by rows (verify-rows.ts), and a pool for the sets. I/O: the parts of the dependencies that moves lead to, again
 * whenever they are no longer in memory; the sets that do not fit the pool, once.
 */
import { newArrays } from '../../../operators/core/arrays.js';
import { assert } from '../../../operators/core/errors.js';
import { aligned } from '../../../operators/core/wasm.js';
import { distribute, releaseSegments } from '../../../operators/distribute/distribute.js';
import { createPool } from '../../../operators/distribute/pool.js';
import { gather } from '../../../operators/gather.js';
import { newRows } from '../../../operators/runs/rows.js';
import type { Cursor, RowSource } from '../../../operators/runs/types.js';
import { flow, Kind } from '../../game/events.js';
import { piecesOf } from '../../game/fill-census.js';
import { DIGIT_BITS, MOST_KERNEL_BYTES, type RowMoves, type Side, type Slice } from '../../game/game.js';
import { labellingOf, MOST_NUMBER } from '../../game/labelling.js';
import { firstMajorOfEvent } from '../../game/majors.js';
import type { ValueColumn } from '../../game/value.js';
import { openNumbers } from '../../tables/numbers.js';
import { RowBest } from '../memory/best-moves.js';
import type { Context } from '../memory/context.js';
import { memoryOf } from '../memory/phase-memory.js';
import { setsOf } from '../memory/rows.js';
import { pliesOfRank, sidedScale, stretchOf } from '../memory/scales.js';
import { type RankSource, ranksOfCodes, tableRanks } from '../memory/successor-ranks.js';

/** Sets that are passed on at a time, beside those of one row. */
const SETS = 1 << 14;
/** Binary digits of a number, and in place of one the greatest number (assembly/numbers.ts). */
const DIGITS = 8;
const FULL = 8;
/** Ranks are written four at a time, so up to three bytes behind the last. */
const BEHIND = 16;

/** The events of this context's parts: majors of events, sets with the digits of their numbers, in order. */
export async function* conversionsByRows(context: Context<Slice>, rowMoves: RowMoves): Cursor {
  const { slice, budget, scratch, counters, tables } = context;
  const shares = memoryOf('convert by rows', budget);
  const env = { budget: shares.order, scratch, counters, arrays: newArrays() };
  const pool = createPool(shares.sets.memory, { shared: false });
  const most = tables.reduce((plies, { manifest }) => Math.max(plies, manifest.rounds), 0) + 2;
  const range = { from: 0, to: firstMajorOfEvent(slice, most + 1, 0) };
  const segments = await distribute(
    bestConversions(context, rowMoves),
    { majors: range.to, payload: 2, pool },
    env,
  );
  try {
    yield* gather([{ segments, pool }], range, 2, env);
  } finally {
    await releaseSegments(segments, env);
  }
}

async function* bestConversions(context: Context<Slice>, rowMoves: RowMoves): RowSource {
  const { slice, parts, report } = context;
  const finder = new BestConversions(context, rowMoves);
  try {
    for (const side of [0, 1] as const) {
      for (const part of rowMoves.inOrder(side)) {
        if (part < parts.from || part >= parts.to) continue;
        for (const { first, length } of piecesOf(slice, part, finder.stretch))
          if (await finder.find(side, part, first, length)) yield* finder.sets(side, part, first, length);
        report(slice.partSize(part));
      }
    }
  } finally {
    finder.close();
  }
}

class BestConversions extends RowBest {
  /** Positions of a part whose best conversions are found together. */
  readonly stretch: number;
  /** Of a stretch: the best ranks, and the numbers of the moves that have them. */
  private readonly bests: Uint8Array;
  /** By side and dependency the ranks of moves to codes, in memory that kernels reach. */
  private readonly ranks: readonly (readonly Uint8Array[])[];
  private readonly goalOf: Side;
  /** By side the rank of positions from which the goal is not reached. */
  private readonly unsolved: readonly number[];
  private readonly out = newRows(SETS + 64 * (DIGITS + 1), 2);
  /** By rank and digit the positions of a row, in two words; 0 outside of `sets`. */
  private readonly masks = new Uint32Array(256 * (DIGITS + 1) * 2);

  constructor(
    private readonly context: Context<Slice>,
    rowMoves: RowMoves,
  ) {
    const { slice, metric, budget, tables, tableStore, counters } = context;
    const { goalOf, numbering } = labellingOf(metric);
    assert(goalOf !== null && numbering === 'solutions', 'solutions are those of one goal');
    const memory = Math.min(memoryOf('convert by rows', budget).ranks.memory, MOST_KERNEL_BYTES);
    const theirs = tableRanks<Uint8Array>(
      tables,
      (codes, of, scale, ranks, numbers) => this.rankCodes(codes, of, scale as Side, ranks, numbers!),
      (table) => openNumbers(tableStore, table, counters),
    );
    const source: RankSource<Uint8Array> = {
      // The slice has no table yet, so its parts need no room.
      indices: [
        { parts: slice.parts, dependencies: slice.dependencies, partSize: () => 0 },
        ...theirs.indices,
      ],
      read: (table, ...asked) => theirs.read(table - 1, ...asked),
    };
    const scales = ([0, 1] as const).map((side) => sidedScale(metric, side, goalOf));
    const codes = scales.map(({ rankOf }) =>
      tables.map(({ manifest }, d) =>
        ranksOfCodes(manifest.valueType, metric, slice.dependencies[d].restarts.includes(metric), rankOf),
      ),
    );
    const tableBytes = codes.flat().reduce((sum, { length }) => sum + aligned(length), 0);
    const fixed = tableBytes + BEHIND;
    const stretch = stretchOf([slice, ...theirs.indices], memory - fixed, { rank: 2, best: 2 });
    super(context, rowMoves, source, 2, memory, fixed + aligned(2 * stretch), {
      numbering,
      best: stretch,
    });
    this.goalOf = goalOf;
    this.unsolved = scales.map((scale) => scale.unsolved!);
    this.stretch = stretch;
    this.ranks = codes.map((each) =>
      each.map((some) => {
        const placed = this.allocate(some.length);
        placed.set(some);
        return placed;
      }),
    );
    this.bests = this.allocate(2 * stretch + BEHIND);
  }

  /** Ranks of codes of a dependency, with their numbers behind them. */
  private rankCodes(
    codes: ValueColumn,
    dependency: number,
    side: Side,
    ranks: Uint8Array,
    numbers: Uint8Array,
  ): boolean {
    const behind = new Uint8Array(ranks.buffer, ranks.byteOffset + this.dependencies.width, codes.length);
    behind.set(numbers.subarray(0, codes.length));
    const isOnScale = this.rows.rankCodes(codes, this.ranks[side][dependency], ranks);
    assert(isOnScale, 'a solution has no more than 505 plies');
    return true;
  }

  /** Finds the best moves that leave the slice, of some positions of a part. Returns whether there are any. */
  async find(side: Side, part: number, first: number, length: number): Promise<boolean> {
    const { bests } = this;
    const best = bests.subarray(0, length);
    const leaves = (table: number) => table > 0;
    bests.fill(0);
    await this.raise(side, part, first, best, side, leaves);
    const unsolved = this.unsolved[side];
    return best.some((rank) => rank > unsolved);
  }

  /** The sets of what was found, by digit of their numbers. */
  *sets(side: Side, part: number, start: number, length: number) {
    const { bests, stretch, goalOf, out, masks } = this;
    const { slice, metric } = this.context;
    const unsolved = this.unsolved[side];
    const { low, high } = setsOf(out);
    const kind = side === goalOf ? Kind.loss : Kind.win;
    const majors = Array.from({ length: 256 }, (_, rank) =>
      rank <= unsolved
        ? -1
        : firstMajorOfEvent(slice, pliesOfRank(metric, side, goalOf, rank), flow(kind, side)) + part,
    );
    const met: number[] = [];
    for (let first = 0; first < length; first += 64) {
      const row = ((start + first) >>> 6) * 2 ** DIGIT_BITS;
      for (let i = 0; i < 64; i++) {
        const rank = bests[first + i];
        if (rank <= unsolved) continue;
        const number = bests[stretch + first + i];
        const base = rank * (DIGITS + 1) * 2 + (i >> 5);
        const bit = 1 << (i & 31);
        if (!met.includes(rank)) met.push(rank);
        if (number === MOST_NUMBER) masks[base + 2 * FULL] |= bit;
        else
          for (let digit = 0, rest = number; rest !== 0; digit++, rest >>= 1)
            if (rest & 1) masks[base + 2 * digit] |= bit;
      }
      for (const rank of met) {
        const base = rank * (DIGITS + 1) * 2;
        for (let digit = 0; digit <= FULL; digit++) {
          const [evens, odds] = [masks[base + 2 * digit], masks[base + 2 * digit + 1]];
          if ((evens | odds) === 0) continue;
          out.major[out.length] = majors[rank];
          out.minor[out.length] = row + digit;
          low[out.length] = evens;
          high[out.length++] = odds;
          masks[base + 2 * digit] = 0;
          masks[base + 2 * digit + 1] = 0;
        }
      }
      met.length = 0;
      if (out.length < SETS && first + 64 < length) continue;
      if (out.length > 0) yield out;
      out.length = 0;
    }
  }
}
