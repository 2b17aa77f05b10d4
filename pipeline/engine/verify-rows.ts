/**
 * Verification by rows (pipeline/game/rows.ts): which parts have wrong values. All parts that the moves of a part lead to
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
  type Side,
  type Slice,
  type SliceIndex,
  type WideScale,
} from '../game/game.js';
import { brokenIn, type Metric, type ValueColumn } from '../game/value.js';
import type { Table } from '../tables/table.js';
import { RowBest } from './best-moves.js';
import type { Context } from './context.js';
import { memoryOf } from './memory.js';
import { newReading, type RankOf, ranksByTable, tableRanks } from './successor-ranks.js';
import { bySideAndPart, type SidePart } from './verified-parts.js';

export interface RowsVerified {
  positions: number;
  /** Moves. */
  requests: number;
  /** Parts that have wrong values, or values too unlike those of a right table to be checked by rows; in order. */
  readonly doubtful: SidePart[];
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
      if (!(await verifier.isRight(side, part))) found.doubtful.push({ side, part });
      context.report(context.slice.partSize(part));
    }
    found.doubtful.sort(bySideAndPart);
    return found;
  } finally {
    verifier.close();
  }
}

/** Writes the codes of a column i8 as bytes. */
function copyCodes({ buffer, byteOffset, length }: ValueColumn, to: Uint8Array): void {
  to.set(new Uint8Array(buffer, byteOffset, length));
}

/** Bytes a position of the part in question: counts, best moves, and what values expect of these. */
const BYTES_OF_PART = 3;

class RowVerifier extends RowBest {
  readonly found: RowsVerified = { positions: 0, requests: 0, doubtful: [] };
  private readonly isWdl: boolean;
  /** Those of each side to move. */
  private readonly scales: readonly (Scale & { readonly side: Side })[];
  private readonly counts: Uint8Array;
  private readonly bests: Uint8Array;
  private readonly expectations: Uint8Array;
  private readonly census = newCensus(CENSUS_ROWS);
  private readonly reading = newReading();

  constructor(
    private readonly context: Context<Slice>,
    private readonly table: Table<SliceIndex>,
    rowMoves: RowMoves,
  ) {
    const { slice, metric, budget } = context;
    const { valueType, longestWin } = table.manifest;
    const scales = ([0, 1] as const).flatMap((side) =>
      scalesOf(metric, valueType, longestWin[side] ?? 0, longestWin[1 - side] ?? 0).map((scale) => ({
        ...scale,
        side,
      })),
    );
    const width = slice.partSize(0);
    // There are no requests by rows: ranks take their share.
    const { successors, requests } = memoryOf('verify', budget);
    const memory = Math.min(successors.memory + requests.memory, MOST_KERNEL_BYTES);
    const tables = [table, ...context.tables];
    const ranksOf = scales.map(({ rankOf }) => ranksByTable(tables, slice.dependencies, metric, rankOf));
    const source = tableRanks<Uint8Array>(tables, ranksOf, (...codes) => this.rankOwn(...codes));
    const most = Math.max(
      ...([0, 1] as const).map((side) => scales.filter((each) => each.side === side).length),
    );
    super(context, rowMoves, source, most, memory, BYTES_OF_PART * width);
    this.isWdl = metric === 'wdl';
    this.scales = scales;
    this.counts = this.allocate(width);
    this.bests = this.allocate(width);
    this.expectations = this.allocate(width);
  }

  private rankOwn(codes: ValueColumn, ranks: Uint8Array, scale: number): boolean {
    const { wide } = this.scales[scale];
    if (wide !== null) return !this.rows.rankWords(codes as Int16Array, wide, false, ranks);
    // They become ranks when the part is whole.
    copyCodes(codes, ranks);
    return true;
  }

  protected override finishOwn(ranks: Uint8Array, side: Side, part: number, scale: number): boolean {
    const isNarrow = this.scales[scale].wide === null;
    const isComplete = !isNarrow || !this.rows.rankCodes(ranks, !this.isWdl);
    return super.finishOwn(ranks, side, part, scale) && isComplete;
  }

  /** Returns whether all values of a part are right, and adds to `found` what it looked at. */
  async isRight(side: Side, part: number): Promise<boolean> {
    const size = this.context.slice.partSize(part);
    const lost = this.countMoves(side, part);
    const best = this.bests.subarray(0, size);
    const expected = this.expectations.subarray(0, size);
    const counts = this.counts.subarray(0, size);
    let right = true;
    let counted = false;
    for (const [number, scale] of this.scales.entries()) {
      if (scale.side !== side) continue;
      best.fill(0);
      if (!(await this.raise(side, part, best, number))) right = false;
      if (!(await this.expect(side, part, scale, expected, lost))) right = false;
      for (const key of lost) {
        if (best[key] !== 0) right = false;
        // Else it would be compared with the moves of a position that has some.
        expected[key] = scale.broken;
      }
      const { wrong, moves } = this.rows.countWrong(best, expected, counts, scale.drawn, scale.broken);
      if (wrong > 0) right = false;
      if (!counted) this.found.requests += moves;
      counted = true;
    }
    return right;
  }

  /** Writes the counts of a part, and returns the keys of positions that are lost. */
  private countMoves(side: Side, part: number): number[] {
    const { open, lostKeys } = this.census;
    const lost: number[] = [];
    const size = this.context.slice.partSize(part);
    for (let first = 0; first < size; first += CENSUS_ROWS) {
      const length = Math.min(CENSUS_ROWS, size - first);
      const census: Census = {
        counts: this.counts.subarray(first, first + length),
        conversions: null,
        open,
        lostKeys,
        lost: 0,
        legal: 0,
        drawn: 0,
      };
      this.context.slice.census(side, part, first, length, census);
      this.found.positions += census.legal;
      for (let i = 0; i < census.lost; i++) lost.push(lostKeys[i]);
    }
    return lost;
  }

  /** Writes the ranks that positions of a part expect, by a scale. Returns whether those that are lost are so in the table. */
  private async expect(
    side: Side,
    part: number,
    { wide }: Scale,
    to: Uint8Array,
    lost: readonly number[],
  ): Promise<boolean> {
    let next = 0;
    let read = 0;
    let allLost = true;
    for await (const { first, length, columns } of this.table.values(side, part, part + 1, this.reading)) {
      const codes = (columns[0] as ValueColumn).subarray(0, length);
      for (; next < lost.length && lost[next] < first + length; next++) {
        const code = codes[lost[next] - first];
        if (this.isWdl ? code >= 0 || code === brokenIn(codes) : code !== -1) allLost = false;
      }
      if (wide === null) copyCodes(codes, to.subarray(first));
      else this.rows.rankWords(codes as Int16Array, wide, true, to.subarray(first));
      read += length;
    }
    assert(read === to.length, `the table of ${this.context.slice.name} has all values of part ${part}`);
    if (wide === null) this.rows.expectRanks(to, !this.isWdl);
    return allLost;
  }
}

// Ranks in a byte (pipeline/game/rows.ts). Tables of i8 have one scale. Wider ones may have more values than a byte. Then each of
// several scales tells some of them apart, the others are its least and its greatest rank. Two values are the same if they are by
// every scale.

export interface Scale {
  /** How codes of the slice's own table become ranks, if they have 16 bits. */
  readonly wide: WideScale | null;
  /** Ranks that drawn positions expect, and broken ones. */
  readonly drawn: number;
  readonly broken: number;
  /** The rank of a move that leaves its maker with a code; 0 if no scale has one, or one that no position expects. */
  readonly rankOf: RankOf;
}

/** Ranks of RowRanks: see there. */
const NARROW = { drawn: 128, broken: 129, longestLoss: 127, wdlLoss: 2, mostWin: 255 };

function narrowScale(metric: Metric): Scale {
  const { drawn, broken, longestLoss, wdlLoss, mostWin } = NARROW;
  return {
    wide: null,
    drawn,
    broken,
    rankOf(outcome) {
      if (outcome === 0) return drawn;
      if (metric === 'wdl') return outcome > 0 ? mostWin : wdlLoss;
      return outcome > 0 ? Math.max(broken, 256 - outcome) : Math.min(longestLoss, -outcome - 1);
    },
  };
}

/** Ranks of a wide scale: least and greatest stand for all that lie beyond; one more is for broken positions. */
const LEAST = 1;
const GREATEST = 254;
const SPAN = GREATEST - LEAST - 1;
const BROKEN = 255;
/** Ordinals have 16 bits. */
const MOST_PLIES = 8000;

/** Scales of a player whose wins and losses in the table have so many plies at most, each player's for itself: often one suffices. */
function wideScales(metric: Metric, winPlies: number, lossPlies: number): Scale[] {
  // The winner makes the last move, so under dtm all codes but draws are odd, and two neighbours may have one rank.
  const step = metric === 'dtm' ? 2 : 1;
  // Beyond the values that the table may hold, so that no position expects a clamped one; odd, so that neighbours are.
  const wins = { plies: winPlies, most: (winPlies + 5) | 1 };
  const losses = { plies: lossPlies, most: (lossPlies + 5) | 1 };
  const hasRank = (outcome: number) => step === 1 || outcome === 0 || (outcome & 1) === 1;
  const ordinal = (outcome: number) => {
    if (outcome === 0) return (losses.most + 3) / step;
    if (outcome < 0) return Math.floor((Math.min(-outcome, losses.most) - 1) / step);
    return Math.ceil((losses.most + wins.most + 6 - Math.min(outcome, wins.most)) / step);
  };
  const scales: Scale[] = [];
  // The best of all may be the greatest rank by itself.
  for (let first = 0; first < ordinal(1); first += SPAN) {
    const rankOf = (outcome: number) =>
      hasRank(outcome) ? Math.max(LEAST, Math.min(GREATEST, ordinal(outcome) - first + LEAST + 1)) : 0;
    scales.push({ wide: { wins, losses, step, first }, drawn: rankOf(0), broken: BROKEN, rankOf });
  }
  return scales;
}

/** The scales of a table for the moves of a side. @param wins plies of its longest win, and `losses` of the other side's. */
export function scalesOf(metric: Metric, type: 'i8' | 'i16', wins: number, losses: number): Scale[] {
  return type === 'i8'
    ? [narrowScale(metric)]
    : wideScales(metric, Math.min(MOST_PLIES, wins), Math.min(MOST_PLIES, losses));
}
