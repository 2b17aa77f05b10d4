/**
 * Verification by rows (pipeline/game/row-moves.ts): which parts have wrong values. All parts that the moves of a part lead to
 * are held as ranks of a byte. So no move becomes a request: a move of 64 positions is one comparison of rows. What a position's
 * value says that its best move must have is compared with what its moves have. Which positions are legal, mated or stalemates, the
 * census says; which moves are legal, the kernels find by where they lead. Neither asks the table.
 *
 * Memory: three bytes a position of the part in question, and a byte a position of the parts that moves lead to. If these do not
 * fit, as many as do are looked at together. I/O: reads the table once, and the parts that moves lead to as often as they are
 * no longer held.
 */
import { assert } from '../../operators/core/errors.js';
import { CENSUS_ROWS, newCensus } from '../game/fill-census.js';
import {
  type Census,
  MOST_KERNEL_BYTES,
  type RowMoves,
  type RowRanks,
  type Side,
  type Slice,
  type SliceIndex,
} from '../game/game.js';
import { firstMajorBehind } from '../game/majors.js';
import { brokenIn, type Metric, type ValueColumn } from '../game/value.js';
import type { Table } from '../tables/table.js';
import type { Context } from './context.js';
import { type Scale, scalesOf } from './rank-scale.js';
import { newPartReading, type Ranking, SuccessorRanks, shelvesIn } from './successor-ranks.js';
import { bySideAndPart, type SidePart } from './verified-parts.js';

export interface RowsVerified {
  positions: number;
  /** Moves. */
  requests: number;
  /** Parts that have wrong values, or values too unlike those of a right table to be checked by rows; in order. */
  readonly doubtful: SidePart[];
}

/**
 * @param memory for all that is held.
 * @param sideParts what is verified; those that follow each other should lead to the same parts.
 */
export async function verifyByRows(
  context: Context<Slice>,
  table: Table<SliceIndex>,
  rowMoves: RowMoves,
  memory: number,
  sideParts: readonly SidePart[],
): Promise<RowsVerified> {
  const { slice, metric, report } = context;
  const tables = [table, ...context.tables];
  const { valueType, longestWin } = table.manifest;
  const scales = scalesOf(metric, valueType, Math.max(0, ...longestWin.map((plies) => plies ?? 0)));
  const width = slice.partSize(0);
  const ofScales = { scales: scales.map(({ rankOf }) => rankOf) };
  const shelves = shelvesIn(
    Math.min(memory, MOST_KERNEL_BYTES) - 3 * width,
    tables.map((each) => each.slice),
    ofScales,
    Uint8Array.BYTES_PER_ELEMENT,
  );
  const rows = rowMoves.open(shelves.bytes + 3 * width);
  try {
    const ranking = { ...ofScales, ...kernelRanking(rows, scales, metric) };
    const ranks = new SuccessorRanks(tables, metric, ranking, shelves);
    const found: RowsVerified = { positions: 0, requests: 0, doubtful: [] };
    const examine = newExaminer(context, table, scales, rows, ranks);
    for (const { side, part } of sideParts) {
      if (!(await examine(side, part, found))) found.doubtful.push({ side, part });
      report(slice.partSize(part));
    }
    found.doubtful.sort(bySideAndPart);
    return found;
  } finally {
    rows.close();
  }
}

/** Ranks of a byte, in memory that the kernels reach. */
function kernelRanking(
  rows: RowRanks,
  scales: readonly Scale[],
  metric: Metric,
): Omit<Ranking<Uint8Array>, 'scales'> {
  return {
    allocate: rows.allocate,
    rankOwn(codes, ranks, scale) {
      const { wide } = scales[scale];
      if (wide !== null) return !rows.rankWords(codes as Int16Array, wide, false, ranks);
      // They become ranks when the part is whole.
      copyCodes(codes, ranks);
      return true;
    },
    finishOwn(ranks, side, part, scale) {
      const isComplete = scales[scale].wide !== null || !rows.rankCodes(ranks, metric !== 'wdl');
      rows.complete(side, part, ranks);
      return isComplete;
    },
  };
}

/** Writes the codes of a column i8 as bytes. */
function copyCodes({ buffer, byteOffset, length }: ValueColumn, to: Uint8Array): void {
  to.set(new Uint8Array(buffer, byteOffset, length));
}

/** Returns whether all values of a part are right, and adds to `found` what it looked at. */
function newExaminer(
  { slice, metric }: Context<Slice>,
  table: Table<SliceIndex>,
  scales: readonly Scale[],
  rows: RowRanks,
  ranks: SuccessorRanks<Uint8Array>,
) {
  const width = slice.partSize(0);
  const counts = rows.allocate(width);
  const bests = rows.allocate(width);
  const expectations = rows.allocate(width);
  const readCensus = newCensusReader(slice, counts);
  const reading = newPartReading();
  const conversionBias = ranks.majors.slice(2);

  /** The best of the moves of a part, by a scale. Returns whether all that they lead to have ranks. */
  async function raise(side: Side, part: number, scale: number, best: Uint8Array): Promise<boolean> {
    const bias = firstMajorBehind(slice, side);
    const { own, dependencies } = rows.behind(side, part, bias, conversionBias);
    const most = ranks.shelves.own.places;
    const theirMost = ranks.shelves.dependencies.places;
    best.fill(0);
    for (let i = 0; i * most < own.length || i * theirMost < dependencies.length; i++) {
      const some = [
        ...own.slice(i * most, (i + 1) * most),
        ...dependencies.slice(i * theirMost, (i + 1) * theirMost),
      ];
      const { isComplete, ranks: behind } = await ranks.loadAll(some, scale);
      if (!isComplete) return false;
      rows.raise(side, part, bias, conversionBias, behind, best);
    }
    return true;
  }

  /** Writes the ranks that positions of a part expect, by a scale. Returns whether those that are lost are so in the table. */
  async function expect(side: Side, part: number, scale: Scale, to: Uint8Array, lost: readonly number[]) {
    let next = 0;
    let read = 0;
    let allLost = true;
    for await (const { first, length, columns } of table.values(side, part, part + 1, reading)) {
      const codes = columns[0] as ValueColumn;
      for (; next < lost.length && lost[next] < first + length; next++) {
        const code = codes[lost[next] - first];
        if (metric === 'wdl' ? code >= 0 || code === brokenIn(codes) : code !== -1) allLost = false;
      }
      if (scale.wide === null) copyCodes(codes.subarray(0, length), to.subarray(first));
      else rows.rankWords((codes as Int16Array).subarray(0, length), scale.wide, true, to.subarray(first));
      read += length;
    }
    assert(read === to.length, `the table of ${slice.name} has all values of part ${part}`);
    if (scale.wide === null) rows.expectRanks(to, metric !== 'wdl');
    return allLost;
  }

  return async (side: Side, part: number, found: RowsVerified): Promise<boolean> => {
    const size = slice.partSize(part);
    const { legal, lost } = readCensus(side, part);
    found.positions += legal;
    const best = bests.subarray(0, size);
    const expected = expectations.subarray(0, size);
    let right = true;
    for (const [number, scale] of scales.entries()) {
      if (!(await raise(side, part, number, best))) right = false;
      if (!(await expect(side, part, scale, expected, lost))) right = false;
      for (const key of lost) {
        if (best[key] !== 0) right = false;
        // Else it would be compared with the moves of a position that has some.
        expected[key] = scale.broken;
      }
      const { wrong, moves } = rows.countWrong(
        best,
        expected,
        counts.subarray(0, size),
        scale.drawn,
        scale.broken,
      );
      if (wrong > 0) right = false;
      if (number === 0) found.requests += moves;
    }
    return right;
  };
}

/** Returns what writes the counts of a part, and says how many positions are legal and which are lost. */
function newCensusReader(slice: Slice, counts: Uint8Array) {
  const { open, lostKeys } = newCensus(CENSUS_ROWS);
  return (side: Side, part: number): { readonly legal: number; readonly lost: readonly number[] } => {
    const lost: number[] = [];
    let legal = 0;
    const size = slice.partSize(part);
    for (let first = 0; first < size; first += CENSUS_ROWS) {
      const length = Math.min(CENSUS_ROWS, size - first);
      const census: Census = {
        counts: counts.subarray(first, first + length),
        conversions: null,
        open,
        lostKeys,
        lost: 0,
        legal: 0,
        drawn: 0,
      };
      slice.census(side, part, first, length, census);
      legal += census.legal;
      for (let i = 0; i < census.lost; i++) lost.push(lostKeys[i]);
    }
    return { legal, lost };
  };
}
