/**
 * Verification by rows (pipeline/game/rows.ts): which parts have wrong values. All parts that the moves of a part lead to
 * are held as ranks of a byte. So no move becomes a request: a move of 64 positions is one comparison of rows. The value of a position
 * says which rank its best move must have; this is compared with the best rank among its moves. The kernels derive from the rules alone, not
 * from the table, which positions are legal, which moves they have, and whether a position without a move is mated: it is if in check.
 *
 * Where positions have numbers, moves to positions of the rank that a position expects are counted as well, and their sum must be its number.
 *
 * Memory: a byte a position of the part in question, and a byte a position of the parts that moves lead to. If these do not
 * fit, as many as do are looked at together. What values expect is read when all moves are made, to the place of a part that moves led
 * to. I/O: reads the table once, and the parts that moves lead to as often as they are
 * no longer held.
 */

import { assert } from '../../operators/core/errors.js';
import { aligned } from '../../operators/core/wasm.js';
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
import { type OpenNumbers, openNumbers } from '../tables/numbers.js';
import type { Table } from '../tables/table.js';
import { RowBest } from './best-moves.js';
import type { Context } from './context.js';
import { memoryOf } from './memory.js';
import { newReading, type RankOf, ranksByTable, tableOfCodes, tableRanks } from './successor-ranks.js';
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
  private readonly bests: Uint8Array;
  private readonly reading = newReading();
  /** Those of the table; null if positions have none. */
  private readonly numbers: OpenNumbers | null;

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
    const width = slice.partSize(0);
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
    const bestBytes = numbering === null ? width : 3 * width;
    const bytes = [...made].reduce((sum, { length }) => sum + aligned(length), aligned(bestBytes));
    super(context, rowMoves, source, most, memory, bytes, 1, numbering);
    const placed = new Map([...made].map((codes) => [codes, this.place(codes)]));
    this.scales = scales;
    this.ranks = ranks.map((each) => each.map((codes) => placed.get(codes)!));
    this.expected = expected.map((codes) => placed.get(codes)!);
    this.bests = this.allocate(bestBytes);
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
    const size = this.context.slice.partSize(part);
    const best = this.bests.subarray(0, size);
    let compared = 0;
    let areRanked = true;
    let isRight = true;
    for (const [number, scale] of this.scales.entries()) {
      if (scale.side !== side) continue;
      this.bests.fill(0);
      // Moves are counted by what is expected, so that is read first.
      const { width } = this.own;
      const expectedFirst = this.numbers === null ? null : this.bests.subarray(2 * width, 2 * width + size);
      if (expectedFirst !== null && !(await this.expect(side, part, number, expectedFirst)))
        areRanked = false;
      if (!(await this.raise(side, part, best, number))) areRanked = false;
      const place = this.own.take((width) => this.allocateRanks(width));
      const read = place.subarray(0, size);
      if (expectedFirst !== null) await this.readNumbers(side, part, read);
      else if (!(await this.expect(side, part, number, read))) areRanked = false;
      const expected = expectedFirst ?? read;
      const numbers = expectedFirst === null ? null : read;
      const { wrong, positions } = this.rows.countWrong(side, part, best, expected, scale, numbers);
      this.own.giveBack(place);
      if (wrong > 0) isRight = false;
      const isPosition = (key: number) => expected[key] !== scale.broken;
      compared = positions - countRepeats(this.context.slice, part, 0, size, isPosition);
    }
    this.found.positions += compared;
    if (!areRanked) return 'unranked';
    return isRight ? null : 'wrong';
  }

  private async readNumbers(side: Side, part: number, to: Uint8Array): Promise<void> {
    for await (const { first, length, columns } of this.numbers!.numbers(side, part, part + 1))
      to.set((columns[0] as Uint8Array).subarray(0, length), first);
  }

  /** Writes the ranks that positions of a part expect, by a scale. Returns whether all have one. */
  private async expect(side: Side, part: number, scale: number, to: Uint8Array): Promise<boolean> {
    let read = 0;
    let haveRanks = true;
    for await (const { first, length, columns } of this.table.values(side, part, part + 1, this.reading)) {
      const codes = (columns[0] as ValueColumn).subarray(0, length);
      if (!this.rows.rankCodes(codes, this.expected[scale], to.subarray(first))) haveRanks = false;
      read += length;
    }
    assert(read === to.length, `the table of ${this.context.slice.name} has all values of part ${part}`);
    return haveRanks;
  }
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
