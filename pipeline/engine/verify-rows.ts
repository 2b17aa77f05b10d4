/**
 * Verification by rows (pipeline/game/rows.ts): which parts have wrong values. All parts that the moves of a part lead to
 * are held as ranks of a byte. So no move becomes a request: a move of 64 positions is one comparison of rows. The value of a position
 * says which rank its best move must have; this is compared with the best rank among its moves. The kernels derive from the rules alone, not
 * from the table, which positions are legal, which moves they have, and whether a position without a move is mated: it is if in check.
 *
 * Where positions have numbers, moves to positions of the rank that a position expects are counted as well, and their sum must be its number.
 *
 * Memory: a byte a position of the part in question, or of a stretch of its rows, and a byte a position of the parts that moves lead to: three
 * and two, where positions have numbers. If these do not fit, as many as do are looked at together. I/O: reads the table once, and a part
 * once more for each of its further stretches, and the parts that moves lead to as often as they are no longer held.
 */

import { assert } from '../../operators/core/errors.js';
import { aligned } from '../../operators/core/wasm.js';
import { piecesOf } from '../game/fill-census.js';
import {
  type Dependency,
  MOST_KERNEL_BYTES,
  type RowMoves,
  type Side,
  type Slice,
  type SliceIndex,
} from '../game/game.js';
import { isGoal, labellingOf, roleOf } from '../game/labelling.js';
import { countRepeats } from '../game/repeats.js';
import { isDirectMate, stipulations } from '../game/stipulation.js';
import { backUp, brokenCode, type Metric, type ValueColumn, WIDE_PLIES } from '../game/value.js';
import { type OpenNumbers, openNumbers, valuesWithNumbers } from '../tables/numbers.js';
import type { Table } from '../tables/table.js';
import { RowBest } from './best-moves.js';
import type { Context } from './context.js';
import { memoryOf, STRETCH_UNIT } from './memory.js';
import {
  newReading,
  type RankOf,
  type RankSource,
  ranksByTable,
  tableOfCodes,
  tableRanks,
} from './successor-ranks.js';
import { bySideAndPart, type SidePart } from './verified-parts.js';

/** A part that has wrong values, or values too unlike those of a right table to be checked by rows. */
export interface DoubtedPart extends SidePart {
  /** Whether all values of the part, and all that its moves lead to, are on a scale: then some of the part are wrong. */
  readonly onScale: boolean;
}

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
  /** Of a stretch of a part, or all of it. */
  private readonly bests: Uint8Array;
  /** Of the rows that are compared. */
  private readonly expects: Uint8Array;
  private readonly reading = newReading();
  /** Positions of a stretch at most. */
  private readonly stretch: number;
  /** Those of the table, and room for those of the rows that are compared; null if positions have none. */
  private readonly numbers: { readonly open: OpenNumbers; readonly chunk: Uint8Array } | null;

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
    const fixed = tableBytes + 2 * (CHUNK + BEHIND) + BEHIND;
    const hasNumbers = numbering !== null;
    const stretch = stretchOf(source, memory - fixed, hasNumbers);
    const bestBytes = (hasNumbers ? 3 : 1) * stretch;
    super(context, rowMoves, source, most, memory, fixed + aligned(bestBytes), numbering, stretch);
    const placed = new Map([...made].map((codes) => [codes, this.place(codes)]));
    this.scales = scales;
    this.ranks = ranks.map((each) => each.map((codes) => placed.get(codes)!));
    this.expected = expected.map((codes) => placed.get(codes)!);
    this.bests = this.allocate(bestBytes + BEHIND).subarray(0, bestBytes);
    this.stretch = stretch;
    this.expects = this.allocate(CHUNK + BEHIND);
    this.numbers =
      numbering === null
        ? null
        : {
            open: openNumbers(context.tableStore, table, context.counters),
            chunk: this.allocate(CHUNK + BEHIND),
          };
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
        // Moves are counted by what is expected, so that is read first.
        if (this.numbers !== null && !(await this.expectAll(side, part, first, length, number)))
          areRanked = false;
        if (!(await this.raise(side, part, first, best, number))) areRanked = false;
        const compared = await this.compare(side, part, first, best, number);
        isRight &&= compared.isRight;
        areRanked &&= compared.areRanked;
        // The same by each scale.
        ({ positions } = compared);
      }
      this.found.positions += positions;
    }
    if (!areRanked) return 'unranked';
    return isRight ? null : 'wrong';
  }

  /** Writes the ranks that positions of a stretch expect behind what their moves count. Returns whether all have one. */
  private async expectAll(
    side: Side,
    part: number,
    start: number,
    count: number,
    number: number,
  ): Promise<boolean> {
    const to = this.bests.subarray(2 * this.stretch);
    let haveRanks = true;
    for await (const batch of this.table.values(side, part, part + 1, this.reading)) {
      const from = Math.max(batch.first, start);
      const end = Math.min(batch.first + batch.length, start + count);
      if (from >= end) continue;
      const codes = (batch.columns[0] as ValueColumn).subarray(from - batch.first, end - batch.first);
      if (!this.rows.rankCodes(codes, this.expected[number], to.subarray(from - start))) haveRanks = false;
    }
    return haveRanks;
  }

  /** Compares the values of a part from `start` on with the best of their moves, a few rows at a time, as they are read. */
  private async compare(side: Side, part: number, start: number, best: Uint8Array, number: number) {
    const { rows, expects, expected, numbers } = this;
    const { slice } = this.context;
    const scale = this.scales[number];
    const found = { positions: 0, isRight: true, areRanked: true };
    const end = start + best.length;
    /** What is compared next, and how many of its expectations are there. */
    let first = start;
    let filled = 0;

    const count = () => {
      const some = expects.subarray(0, filled);
      const bests = best.subarray(first - start, first - start + filled);
      const its = numbers?.chunk ?? null;
      const { wrong, positions } = rows.countWrong(side, part, first, bests, some, scale, its);
      if (wrong > 0) found.isRight = false;
      const isPosition = (place: number) => some[place] !== scale.broken;
      found.positions += positions - countRepeats(slice, part, first, filled, isPosition);
      first += filled;
      filled = 0;
    };

    const batches =
      numbers === null
        ? this.table.values(side, part, part + 1, this.reading)
        : valuesWithNumbers(this.table, numbers.open, side, part, part + 1, [this.reading]);
    for await (const batch of batches) {
      const codes = batch.columns[0] as ValueColumn;
      const to = Math.min(batch.first + batch.length, end);
      for (let from = Math.max(batch.first, start); from < to; ) {
        const at = from - batch.first;
        const length = Math.min(to - from, CHUNK - filled);
        const some = codes.subarray(at, at + length);
        if (!rows.rankCodes(some, expected[number], expects.subarray(filled))) found.areRanked = false;
        numbers?.chunk.set((batch.columns[1] as Uint8Array).subarray(at, at + length), filled);
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
 * The positions of a part whose best moves are found together: all, if a byte of each and the ranks of a part of the slice and one of a
 * dependency fit in `memory`. Fewer stretches are better than more ranks, since each stretch may load the ranks again.
 */
function stretchOf({ indices }: RankSource<Uint8Array>, memory: number, hasNumbers: boolean): number {
  const [width, ...theirs] = indices.map((slice) => slice.partSize(0));
  // With numbers a rank takes two bytes, and a position of the stretch three.
  const ranks = width + Math.max(1, ...theirs);
  const room = (memory - (hasNumbers ? 2 : 1) * ranks) / (hasNumbers ? 3 : 1);
  return Math.min(width, Math.max(1, Math.floor(room / STRETCH_UNIT)) * STRETCH_UNIT);
}

// Ranks in a byte (pipeline/game/rows.ts). A table may have more values than a byte. Then each of several scales tells some of them
// apart, the others are its least and its greatest rank. Two values are the same if they are by every scale.

export interface Scale {
  /** Ranks that drawn positions expect, mated ones, and keys without a position. */
  readonly drawn: number;
  readonly mated: number;
  readonly broken: number;
  /** The rank of positions from which the goal is not reached, where it is one side's. */
  readonly unsolved?: number;
  /** The rank of a move that leaves its maker with a code; 0 if no scale has one. Codes that no position expects may share one. */
  readonly rankOf: RankOf;
  /** The rank that a position with a code expects of its best move; 0 if the table can have no such code. */
  readonly expects: RankOf;
}

type SideScale = Scale & { readonly side: Side };

/** Least and greatest stand for all that lie beyond; one more is for broken positions. */
const LEAST = 1;
const GREATEST = 254;
const SPAN = GREATEST - LEAST - 1;
const BROKEN = 255;

/**
 * The scales of a table for the moves of a side: often one suffices. Outcomes have ordinals: a loss in n plies has n, then comes a draw,
 * then wins, the longest first.
 * @param longestWin plies of the side's longest win in the table, and `longestLoss` of a loss that it may have.
 */
export function scalesOf(metric: Metric, longestWin: number, longestLoss: number): Scale[] {
  const isWdl = !stipulations[metric].plies;
  const [wins, losses] = isWdl ? [1, 1] : [longestWin, longestLoss];
  // The winner makes the last move, so where plies are those to mate all codes but draws are odd, and two neighbours may have one rank.
  const step = isDirectMate(metric) ? 2 : 1;
  // Beyond the values that the table may hold, so that no position expects a clamped one; odd, so that neighbours are.
  const mostWin = (wins + 5) | 1;
  const mostLoss = (losses + 5) | 1;
  const hasRank = (outcome: number) => step === 1 || outcome === 0 || (outcome & 1) === 1;
  const ordinal = (outcome: number) => {
    if (outcome === 0) return (mostLoss + 3) / step;
    if (outcome < 0) return Math.floor((Math.min(-outcome, mostLoss) - 1) / step);
    return Math.ceil((mostLoss + mostWin + 6 - Math.min(outcome, mostWin)) / step);
  };
  const scales: Scale[] = [];
  // The best of all may be the greatest rank by itself.
  for (let first = 0; first < ordinal(1); first += SPAN) {
    const rankOf = (code: number) => {
      // Under wdl all wins are alike, and all losses.
      const outcome = isWdl && code !== 0 ? (code > 0 ? 1 : -2) : code;
      return hasRank(outcome) ? Math.max(LEAST, Math.min(GREATEST, ordinal(outcome) - first + LEAST + 1)) : 0;
    };
    const isBeyond = (code: number) => !isWdl && (code > wins || code < -losses - 1);
    const expects = (code: number) => (isBeyond(code) ? 0 : rankOf(code));
    scales.push({ drawn: rankOf(0), mated: rankOf(-1), broken: BROKEN, rankOf, expects });
  }
  return scales;
}

/**
 * The scale of a side where the goal is one side's. Plies of a side are all even or all odd, so two neighbours have one rank. Who avoids the goal prefers
 * not to reach it, else to reach it late; others prefer to reach it soon.
 */
export function sidedScale(metric: Metric, side: Side, goalOf: Side): Scale {
  const avoids = roleOf(metric, side) === 'avoid';
  const unsolved = avoids ? GREATEST : LEAST;
  const rankOf = (outcome: number) => {
    if (outcome === 0) return unsolved;
    const plies = outcome > 0 ? outcome : -outcome - 1;
    const isMated = outcome < 0;
    const half = plies >> 1;
    if (isMated !== (side === goalOf) || (plies & 1) !== (isMated ? 0 : 1) || half > SPAN - 1) return 0;
    return avoids ? LEAST + half : GREATEST - half;
  };
  const end = (isMate: boolean) => (isGoal(metric, side, isMate) ? rankOf(-1) : unsolved);
  return { drawn: end(false), mated: end(true), broken: BROKEN, unsolved, rankOf, expects: rankOf };
}

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
