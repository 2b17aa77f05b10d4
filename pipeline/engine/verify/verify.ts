/**
 * Verify: derives the whole table again by forward moves, from the table itself and the dependencies' tables. For every
 * position of a part the best of its successors is found; that must be the value in the table. Successors in the same
 * part are looked up at once, since the part is in the cache. Those in other parts and slices become requests (successor
 * | asker) and are joined with the tables part by part. Uses no unmoves, out-counts, labels or order of rounds
 * (Schaeffer et al. 2003 verified their databases by a separate program for the same reason).
 *
 * With DTM and DTC this is a proof given the rules: distances decrease along every line, so no cycle of wrong values
 * can support itself. With WDL it shows consistency only.
 *
 * Where the slice has kernels by rows (verify-rows.ts) these find the parts that have wrong values, and only such parts are done as
 * here.
 *
 * Memory: two bytes a position of the part in question, or of a stretch of it, and of the part that is looked at; the rest is for
 * requests. When it is full they are answered and filling goes on: nothing is ordered or spilled. I/O: reads the table twice, and the
 * parts that moves lead to once for each part or stretch that they come from.
 */

import { assert } from '../../../operators/core/errors.js';
import { createPool } from '../../../operators/distribute/pool.js';
import { piecesOf } from '../../game/fill-census.js';
import type { Census, Side, Slice, SliceIndex } from '../../game/game.js';
import { isGoal, labellingOf } from '../../game/labelling.js';
import { DRAWN } from '../../game/labels.js';
import { type Ranking, rankingOf } from '../../game/ranking.js';
import { countRepeats } from '../../game/repeats.js';
import type { DerivedPart } from '../../game/step-manifests.js';
import { stipulations } from '../../game/stipulation.js';
import { BROKEN_RANK, brokenIn, type ValueColumn } from '../../game/value.js';
import { addMismatch } from '../../game/wrong-values.js';
import { openNumbers, valuesWithNumbers } from '../../tables/numbers.js';
import type { Table } from '../../tables/table.js';
import type { TableColumn } from '../../tables/value-table.js';
import { bytesOfRank, KeyBest, type KeyRanks, numberedRank } from '../memory/best-moves.js';
import type { Context } from '../memory/context.js';
import { memoryOf, STRETCH_UNIT } from '../memory/phase-memory.js';
import { type RankCodes, ranksByTable, tableRanks } from '../memory/successor-ranks.js';
import { verifyResident } from '../phases/resident.js';
import { newDerivedPart, type SidePart, verifiedParts } from './verified-parts.js';
import { verifyByRows } from './verify-rows.js';

/** Requests get the memory that is left, but never more than is of use. */
const MAX_POOL_BYTES = 1 << 30;

/** Verifies parts; without `sideParts`, those that the partition with the context's interval verifies. */
export async function verify(
  context: Context<Slice>,
  table: Table<SliceIndex>,
  sideParts: readonly SidePart[] = verifiedParts(context.slice, context.parts),
): Promise<DerivedPart> {
  const { slice } = context;
  if (context.mode === 'memory') {
    const requests = await verifyResident(context, table, slice.resident!);
    if (requests !== null) return { ...newDerivedPart(), positions: 2 * slice.size, requests };
  }
  slice.resident?.forget();
  if (slice.rowMoves === undefined) return new KeyVerifier(context, table).verify(sideParts);
  const { doubted, positions } = await verifyByRows(context, table, slice.rowMoves, sideParts);
  if (doubted.length === 0) return { ...newDerivedPart(), positions };
  const verifier = new KeyVerifier({ ...context, report: () => {} }, table);
  let doubtful = 0;
  let derived = newDerivedPart();
  for (const { onScale, ...doubt } of doubted) {
    const { wrong } = derived;
    derived = await verifier.verify([doubt]);
    if (derived.wrong > wrong) continue;
    // On a scale, a difference by rows is a difference of values, so single moves must find it as well.
    assert(!onScale, `${slice.name}: part ${doubt.part} is wrong by rows, and right by single moves`);
    doubtful++;
  }
  return { ...derived, positions, doubtful };
}

class KeyVerifier extends KeyBest {
  private readonly result = newDerivedPart();
  /** For a stretch of a part: the best rank of the moves so far, 0 if there is none; for positions without moves the rank of their end. */
  private readonly bests: KeyRanks;
  private readonly ranking: Ranking;
  private readonly pool: ReturnType<typeof createPool>;

  constructor(
    private readonly context: Context<Slice>,
    private readonly table: Table<SliceIndex>,
  ) {
    const { slice, budget } = context;
    const tables = [table, ...context.tables];
    const ranking = rankingOf(context.metric);
    const { numbering } = labellingOf(context.metric);
    const ranks = ranksByTable(tables, slice.dependencies, context.metric, ranking.rankOf);
    const memory = memoryOf('verify', budget);
    const rankCodes: RankCodes<KeyRanks> = (codes, of, _scale, to, numbers) =>
      numbering === null ? writeRanks(codes, ranks[of], to) : writeNumbered(codes, ranks[of], to, numbers);
    const source = tableRanks(tables, rankCodes, numbering === 'solutions' ? numbersOf(context) : null);
    super(context, source, memory.successors.memory, numbering !== null);
    this.ranking = ranking;
    const units = Math.floor(memory['best moves'].memory / bytesOfRank(numbering !== null) / STRETCH_UNIT);
    this.bests = this.allocate(Math.min(slice.partSize(0), Math.max(1, units) * STRETCH_UNIT));
    const left = budget.memory - this.bytes - this.bests.byteLength;
    const room = Math.min(MAX_POOL_BYTES, Math.max(memory.requests.memory, left));
    this.pool = createPool(room, { shared: false });
  }

  /** Verifies some parts, ascending. Returns what was found so far, in all calls. */
  async verify(sideParts: readonly SidePart[]): Promise<DerivedPart> {
    const { slice, report } = this.context;
    for (const { side, part } of sideParts) {
      for (const { first, length } of piecesOf(slice, part, this.bests.length)) {
        const best = this.bests.subarray(0, length);
        await this.raise(side, part, first, best, this.pool);
        await this.compare(side, part, first, best);
        report(length);
      }
    }
    this.result.requests = this.made;
    return { ...this.result };
  }

  /** Sets `best` of the positions without moves; keys of lost ones count from the stretch's beginning. */
  protected override note(side: Side, census: Census, at: number, length: number, best: KeyRanks): void {
    const { metric } = this.context;
    const { numbering } = labellingOf(metric);
    const { rankOf } = this.ranking;
    const ranked = (rank: number, number: number) => (numbering === null ? rank : numberedRank(rank, number));
    const end = (isMated: boolean) =>
      isGoal(metric, side, isMated) ? ranked(rankOf(-1), 1) : ranked(rankOf(0), 0);
    const [broken, drawn, mated] = [ranked(BROKEN_RANK, 0), end(false), end(true)];
    for (let i = 0; i < length; i++) {
      const count = census.counts[i];
      best[at + i] = count === 0 ? broken : count === DRAWN ? drawn : 0;
    }
    for (let i = 0; i < census.lost; i++) best[census.lostKeys[i]] = mated;
  }

  /** Compares the stored values of a part, from the `start`-th on, with the best of their moves. */
  private async compare(side: Side, part: number, start: number, best: KeyRanks): Promise<void> {
    const { slice } = this.table;
    const { metric } = this.context;
    const equal = stipulations[metric].plies ? (code: number) => code : Math.sign;
    const shift = labellingOf(metric).numbering === null ? 0 : 8;
    const numbers = shift === 0 ? undefined : numbersOf(this.context)(this.table);
    const batches = valuesWithNumbers(this.table, numbers, side, part, part + 1);
    for await (const { first, length, columns } of batches) {
      const codes = columns[0] as ValueColumn;
      const broken = brokenIn(codes);
      const from = Math.max(0, start - first);
      const to = Math.min(length, start + best.length - first);
      const rankAt = (i: number) => best[first + i - start] >>> shift;
      const isPosition = (i: number) => rankAt(i) !== BROKEN_RANK;
      this.result.positions -= countRepeats(slice, part, first + from, to - from, (place) =>
        isPosition(from + place),
      );
      for (let i = from; i < to; i++) {
        const rank = rankAt(i);
        assert(rank > 0, 'an open position has moves');
        if (isPosition(i)) this.result.positions++;
        const stored = codes[i] === broken ? null : codes[i];
        const derived = rank === BROKEN_RANK ? null : this.ranking.codeOf(rank, side);
        const isEqual =
          stored === null || derived === null ? stored === derived : equal(stored) === equal(derived);
        const number = (derived ?? 0) === 0 ? 0 : best[first + i - start] & 255;
        const isCounted = shift === 0 || columns[1][i] === number;
        if (isEqual && isCounted) continue;
        const numbers = shift === 0 ? {} : { numbers: { stored: columns[1][i], derived: number } };
        const found = { slice: slice.name, side, part, key: first + i, stored, derived };
        addMismatch(this.result, () => ({ ...found, ...numbers }));
      }
    }
  }
}

/** Opens the numbers of tables. */
function numbersOf({ tableStore, counters }: Context): (table: Table<SliceIndex>) => TableColumn {
  return (table) => openNumbers(tableStore, table, counters);
}

/** As `writeRanks`, with numbers; without given numbers each position counts one. */
function writeNumbered(
  codes: ValueColumn,
  rankOfCode: Uint16Array,
  ranks: KeyRanks,
  numbers: Uint8Array | undefined,
): boolean {
  const mask = rankOfCode.length - 1;
  for (let i = 0; i < codes.length; i++)
    ranks[i] = numberedRank(rankOfCode[codes[i] & mask], numbers === undefined ? 1 : numbers[i]);
  return true;
}

/** Writes the ranks of codes; every code has one. */
function writeRanks(codes: ValueColumn, rankOfCode: Uint16Array, ranks: KeyRanks): boolean {
  const mask = rankOfCode.length - 1;
  for (let i = 0; i < codes.length; i++) ranks[i] = rankOfCode[codes[i] & mask];
  return true;
}
