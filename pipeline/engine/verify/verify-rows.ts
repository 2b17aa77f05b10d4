/**
 * Verification by rows (pipeline/game/rows.ts): which parts have wrong values. All parts that the moves of a part lead to
 * are held as ranks of a byte. So no move becomes a request: a move of 64 positions is one comparison of rows. The value of a position
 * says which rank its best move must have; this is compared with the best rank among its moves. The kernels derive from the rules alone, not
 * from the table, which positions are legal, which moves they have, and whether a position without a move is mated: it is if in check.
 *
 * Where positions have numbers, the kernels also add up what the moves of the best rank count, and the sum must be the number of the
 * position.
 *
 * Memory: a byte for each position of the part in question, or of a stretch of its rows, and a byte for each position of the parts that moves
 * lead to; with numbers three and two bytes. If not all of these parts fit, as many as fit are taken at a time. I/O: reads the table once, a
 * part once more for each of its further stretches, and a part that moves lead to again whenever it is no longer in memory.
 */

import { assert } from '../../../operators/core/errors.js';
import { aligned } from '../../../operators/core/wasm.js';
import { piecesOf } from '../../game/fill-census.js';
import {
  type Dependency,
  MOST_KERNEL_BYTES,
  type RowMoves,
  type Side,
  type Slice,
  type SliceIndex,
} from '../../game/game.js';
import { labellingOf } from '../../game/labelling.js';
import { countRepeats } from '../../game/repeats.js';
import { backUp, brokenCode, type Metric, type ValueColumn, WIDE_PLIES } from '../../game/value.js';
import { openNumbers } from '../../tables/numbers.js';
import type { Table } from '../../tables/table.js';
import type { TableColumn } from '../../tables/value-table.js';
import { RowBest } from '../memory/best-moves.js';
import type { Context } from '../memory/context.js';
import { memoryOf, STRETCH_UNIT } from '../memory/phase-memory.js';
import { type Scale, scalesOf, sidedScale, stretchOf } from '../memory/scales.js';
import { newReading, overlapOf, ranksByTable, tableOfCodes, tableRanks } from '../memory/successor-ranks.js';
import { bySideAndPart, type SidePart } from './verified-parts.js';

/** A part with wrong values, or with values that no scale covers, so that rows cannot check it. */
export interface DoubtedPart extends SidePart {
  /** Whether a scale covers all values of the part and all that its moves lead to. If so, some values of the part are wrong. */
  readonly onScale: boolean;
}

type SideScale = Scale & { readonly side: Side };

export interface RowsVerified {
  positions: number;
  /** In order. */
  readonly doubted: DoubtedPart[];
}

/** @param sideParts what is verified; those that follow each other should lead to the same parts. */
export async function verifyByRows(
  context: Context<Slice>,
  table: Table<SliceIndex>,
  rowMoves: RowMoves,
  sideParts: readonly SidePart[],
): Promise<RowsVerified> {
  const verifier = new RowVerifier(context, table, rowMoves);
  try {
    const { found } = verifier;
    for (const { side, part } of sideParts) {
      const doubt = await verifier.doubtIn(side, part);
      if (doubt !== null) found.doubted.push({ side, part, onScale: doubt === 'wrong' });
      context.report(context.slice.partSize(part));
    }
    found.doubted.sort(bySideAndPart);
    return found;
  } finally {
    verifier.close();
  }
}

class RowVerifier extends RowBest {
  readonly found: RowsVerified = { positions: 0, doubted: [] };
  private readonly scales: readonly SideScale[];
  /** By scale and table the ranks of moves to codes; and by scale what codes of the slice expect. In memory that kernels reach. */
  private readonly ranks: readonly (readonly Uint8Array[])[];
  private readonly expected: readonly Uint8Array[];
  /** Positions of a part whose best moves are found together. */
  private readonly stretch: number;
  /** The best ranks of a stretch. Where positions have numbers, the counts of their moves and the ranks that they expect follow. */
  private readonly bests: Uint8Array;
  /** What the compared rows expect: ranks, or, where positions have numbers, the numbers. */
  private readonly chunk: Uint8Array;
  private readonly reading = newReading();
  /** The numbers of the table; null if positions have none. */
  private readonly numbers: TableColumn | null;

  constructor(
    private readonly context: Context<Slice>,
    private readonly table: Table<SliceIndex>,
    rowMoves: RowMoves,
  ) {
    const { slice, metric, budget } = context;
    const { valueType, longestWin } = table.manifest;
    const tables = [table, ...context.tables];
    const { goalOf, numbering } = labellingOf(metric);
    const scales = ([0, 1] as const).flatMap((side) =>
      (goalOf !== null
        ? [sidedScale(metric, side, goalOf)]
        : scalesOf(metric, longestWin[side] ?? 0, longestLoss(side, tables, slice.dependencies, metric))
      ).map((scale) => ({ ...scale, side })),
    );
    // There are no requests by rows: ranks take their share.
    const { 'best moves': best, successors, requests } = memoryOf('verify', budget);
    const memory = Math.min(best.memory + successors.memory + requests.memory, MOST_KERNEL_BYTES);
    const source = tableRanks<Uint8Array>(
      tables,
      (codes, of, scale, ranks, numbers) => {
        if (numbers !== undefined)
          this.numbersBehind(ranks, of, codes.length).set(numbers.subarray(0, codes.length));
        return this.rows.rankCodes(codes, this.ranks[scale][of], ranks);
      },
      numbering === 'solutions' ? (of) => openNumbers(context.tableStore, of, context.counters) : null,
    );
    const most = Math.max(
      ...([0, 1] as const).map((side) => scales.filter((each) => each.side === side).length),
    );
    const ranks = scales.map(({ rankOf }) => ranksByTable(tables, slice.dependencies, metric, rankOf));
    const broken = brokenCode(valueType);
    const expected = scales.map((scale) =>
      tableOfCodes(valueType, (code) => (code === broken ? scale.broken : scale.expects(code))),
    );
    const made = new Set([...ranks.flat(), ...expected]);
    const tableBytes = [...made].reduce((sum, { length }) => sum + aligned(length), 0);
    const fixed = tableBytes + CHUNK + 2 * BEHIND;
    const stretch = stretchOf(
      source.indices,
      memory - fixed,
      numbering === null ? { rank: 1, best: 1 } : { rank: 2, best: 3 },
    );
    const bestBytes = (numbering === null ? 1 : 3) * stretch + BEHIND;
    const counting = numbering === null ? null : { numbering, best: stretch };
    super(context, rowMoves, source, most, memory, fixed + aligned(bestBytes), counting);
    const placed = new Map([...made].map((codes) => [codes, this.place(codes)]));
    this.scales = scales;
    this.ranks = ranks.map((each) => each.map((codes) => placed.get(codes)!));
    this.expected = expected.map((codes) => placed.get(codes)!);
    this.stretch = stretch;
    this.bests = this.allocate(bestBytes);
    this.chunk = this.allocate(CHUNK + BEHIND);
    this.numbers = numbering === null ? null : openNumbers(context.tableStore, table, context.counters);
  }

  /** The numbers of some positions of a part, behind their ranks. */
  private numbersBehind(ranks: Uint8Array, table: number, length: number): Uint8Array {
    const stride = (table === 0 ? this.own : this.dependencies).width;
    return new Uint8Array(ranks.buffer, ranks.byteOffset + stride, length);
  }

  /** Copies ranks of codes to the linear memory of the kernels, a byte each. */
  private place(ranks: Uint16Array): Uint8Array {
    const placed = this.allocate(ranks.length);
    placed.set(ranks);
    return placed;
  }

  /**
   * Compares the values of a part, and adds to `found` how many they are. Null: all are right. `unranked`: some, or some that moves lead
   * to, are on no scale.
   */
  async doubtIn(side: Side, part: number): Promise<'wrong' | 'unranked' | null> {
    let [isRight, areRanked] = [true, true];
    for (const { first, length } of piecesOf(this.context.slice, part, this.stretch)) {
      const best = this.bests.subarray(0, length);
      let positions = 0;
      for (const [number, scale] of this.scales.entries()) {
        if (scale.side !== side) continue;
        this.bests.fill(0);
        if (
          this.numbers !== null &&
          !(await this.expect(side, part, first, this.expectedOf(0, length), number))
        )
          areRanked = false;
        if (!(await this.raise(side, part, first, best, number))) areRanked = false;
        const compared = await this.compare(side, part, first, best, number);
        isRight &&= compared.isRight;
        areRanked &&= compared.areRanked;
        // The number of positions is the same for each scale.
        ({ positions } = compared);
      }
      this.found.positions += positions;
    }
    if (!areRanked) return 'unranked';
    return isRight ? null : 'wrong';
  }

  /** Where positions have numbers, the ranks that some of a stretch expect. */
  private expectedOf(place: number, length: number): Uint8Array {
    const at = 2 * this.stretch + place;
    return this.bests.subarray(at, at + length);
  }

  /** Writes the ranks that positions of a part expect, from `start` on, by a scale. Returns whether all have one. */
  private async expect(
    side: Side,
    part: number,
    start: number,
    to: Uint8Array,
    number: number,
  ): Promise<boolean> {
    let haveRanks = true;
    for await (const batch of this.table.values(side, part, part + 1, this.reading)) {
      const [begins, ends] = overlapOf(batch, start, start + to.length);
      if (begins >= ends) continue;
      const codes = (batch.columns[0] as ValueColumn).subarray(begins - batch.first, ends - batch.first);
      if (!this.rows.rankCodes(codes, this.expected[number], to.subarray(begins - start))) haveRanks = false;
    }
    return haveRanks;
  }

  /**
   * Compares a part from `start` on with the best of its moves, a few rows at a time, as values are read, or, where positions have
   * numbers, as these are.
   */
  private async compare(side: Side, part: number, start: number, best: Uint8Array, number: number) {
    const { rows, chunk, numbers } = this;
    const { slice } = this.context;
    const scale = this.scales[number];
    const found = { positions: 0, isRight: true, areRanked: true };
    const end = start + best.length;
    /** What is compared next, and how much of the chunk is there. */
    let first = start;
    let filled = 0;

    const count = () => {
      const place = first - start;
      const bests = best.subarray(place, place + filled);
      const read = chunk.subarray(0, filled);
      const [expected, theirs] = numbers === null ? [read, null] : [this.expectedOf(place, filled), read];
      const { wrong, positions } = rows.countWrong(side, part, first, bests, expected, scale, theirs);
      if (wrong > 0) found.isRight = false;
      const isPosition = (key: number) => expected[key] !== scale.broken;
      found.positions += positions - countRepeats(slice, part, first, filled, isPosition);
      first += filled;
      filled = 0;
    };

    const batches =
      numbers === null
        ? this.table.values(side, part, part + 1, this.reading)
        : numbers.values(side, part, part + 1);
    for await (const batch of batches) {
      const [begins, ends] = overlapOf(batch, start, end);
      for (let from = begins; from < ends; ) {
        const at = from - batch.first;
        const length = Math.min(ends - from, CHUNK - filled);
        const some = batch.columns[0].subarray(at, at + length);
        const to = chunk.subarray(filled);
        if (numbers !== null) to.set(some as Uint8Array);
        else if (!rows.rankCodes(some as ValueColumn, this.expected[number], to)) found.areRanked = false;
        from += length;
        filled += length;
        if (filled === CHUNK || from === end) count();
      }
    }
    assert(first === end, `the table of ${slice.name} has all values of part ${part}`);
    return found;
  }
}

/** Positions that are compared at a time: whole rows. */
const CHUNK = STRETCH_UNIT;
/** Ranks are written four at a time, so up to three bytes behind the last. */
const BEHIND = 16;

/**
 * The most plies that losses of a side may take. A table states its longest wins alone, and the other side may win longer after a move
 * that leaves the slice.
 */
function longestLoss(
  side: Side,
  [{ manifest }, ...others]: readonly Table<SliceIndex>[],
  dependencies: readonly Dependency[],
  metric: Metric,
): number {
  const leaving = others.map(({ manifest: { longestWin } }, i) => {
    const most = Math.max(...longestWin.map((plies) => plies ?? 0));
    return most === 0 ? 0 : -backUp(most, metric, dependencies[i].restarts.includes(metric)) - 1;
  });
  const longest = Math.max(1 + (manifest.longestWin[1 - side] ?? 0), ...leaving);
  return manifest.valueType === 'i8' ? Math.min(WIDE_PLIES - 1, longest) : longest;
}
