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
 * Memory: two bytes a position of the part in question and of that which is looked at; the rest is for requests. When
 * it is full they are answered and filling goes on: nothing is ordered or spilled. I/O: reads the table twice, and the
 * parts that moves lead to once for each part that they come from.
 */
import { assert } from '../../operators/core/errors.js';
import { createPool } from '../../operators/distribute/pool.js';
import { joinByMajor } from '../../operators/join-by-major.js';
import { newRows } from '../../operators/runs/rows.js';
import type { RowSource, Rows } from '../../operators/runs/types.js';
import { newCensus } from '../game/fill-census.js';
import type { Emission, Side, Slice, SliceIndex } from '../game/game.js';
import { DRAWN, hasBit } from '../game/labels.js';
import { firstMajorBehind } from '../game/majors.js';
import type { DerivedPart } from '../game/step-manifests.js';
import { BROKEN_RANK, brokenIn, fromPreference, preference, type ValueColumn } from '../game/value.js';
import type { Table } from '../tables/table.js';
import type { Context } from './context.js';
import { memoryOf } from './memory.js';
import { verifyResident } from './resident.js';
import { SuccessorRanks } from './successor-ranks.js';
import { addMismatch, newDerivedPart, type SidePart, verifiedParts } from './verified-parts.js';
import { verifyByRows } from './verify-rows.js';

/** Indices whose moves are made together, and rows of moves that are made at a time: both stay in the inner cache. */
const BATCH_INDICES = 1 << 11;
const BATCH_MOVES = 1 << 12;
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
  const { doubtful, ...found } = await verifyByRows(context, table, slice.rowMoves, sideParts);
  if (doubtful.length === 0) return { ...newDerivedPart(), ...found };
  const derived = await new KeyVerifier({ ...context, report: () => {} }, table).verify(doubtful);
  return { ...derived, ...found };
}

/** Positions without moves. */
const LOST_RANK = preference(-1);
const DRAWN_RANK = preference(0);

/** Ranks have 16 bits. */
class KeyVerifier extends SuccessorRanks<Uint16Array> {
  private readonly result = newDerivedPart();
  /** By key: the best of the moves known so far, 0 if none is; of positions without moves what they are. */
  private readonly bests: Uint16Array;
  private readonly census = newCensus(BATCH_INDICES);
  private readonly keys = new Uint32Array(BATCH_INDICES);
  /** By number in `keys`: the best of the moves that stay in the part. */
  private readonly nearby = new Uint16Array(BATCH_INDICES);
  private readonly rows: Rows;
  /** The rows, with numbers in `keys` in place of askers. */
  private readonly moves: Emission;

  constructor(context: Context<Slice>, table: Table<SliceIndex>) {
    const { slice, budget } = context;
    const bytes = Uint16Array.BYTES_PER_ELEMENT;
    super(context, table, [preference], memoryOf('verify', budget).successors.memory, bytes);
    this.bests = new Uint16Array(slice.partSize(0));
    this.rows = newRows(Math.max(BATCH_MOVES, slice.maxMoves), 1);
    const { major, minor, payload } = this.rows;
    this.moves = { length: 0, major, minor, source: payload[0] };
  }

  protected allocate(width: number): Uint16Array {
    return new Uint16Array(width);
  }

  /** Verifies some parts, ascending. */
  async verify(sideParts: readonly SidePart[]): Promise<DerivedPart> {
    const { slice, budget, counters, report } = this.context;
    const left = budget.memory - this.bytes - this.bests.byteLength;
    const least = memoryOf('verify', budget).requests.memory;
    const pool = createPool(Math.min(MAX_POOL_BYTES, Math.max(least, left)), { shared: false });
    for (const { side, part } of sideParts) {
      const best = this.bests.subarray(0, slice.partSize(part));
      await joinByMajor(
        this.requests(side, part, best),
        async (major) => (await this.load(major)).ranks,
        (_major, keys, askers, found) => raise(best, askers, found as Uint16Array, keys),
        { majors: this.majors.at(-1)!, pool, counters },
      );
      await this.compare(side, part, best);
      report(best.length);
    }
    return this.result;
  }

  /**
   * Makes the moves of all positions of a part. Those that stay in the part are looked up, and `best` raised by them; the
   * others come out as requests (successor | asker's key). Their majors are those of the ranks.
   */
  private async *requests(side: Side, part: number, best: Uint16Array): RowSource {
    const { slice } = this.context;
    const keys = this.keys;
    const nearby = this.nearby;
    const moves = this.moves;
    const there = firstMajorBehind(slice, side);
    const conversionBias = Uint32Array.from(this.majors.slice(2));
    for (let first = 0; first < best.length; first += BATCH_INDICES) {
      const open = this.classify(side, part, first, best);
      nearby.fill(0, 0, open);
      for (let from = 0; from < open; ) {
        // Others may have been loaded while requests were answered.
        const { ranks } = await this.load(there + part);
        moves.length = 0;
        from = slice.moves(side, part, keys, from, open, there, moves);
        this.result.requests += moves.length;
        raiseWithin(nearby, moves, there + part, ranks);
        if (moves.length > 0) yield this.asRequests();
      }
      for (let i = 0; i < open; i++) if (nearby[i] > best[keys[i]]) best[keys[i]] = nearby[i];
      if (slice.dependencies.length === 0) continue;
      for (let from = 0; from < open; ) {
        moves.length = 0;
        from = slice.conversions(side, part, keys, from, open, conversionBias, moves);
        this.result.requests += moves.length;
        if (moves.length > 0) yield this.asRequests();
      }
    }
  }

  /** Sets `best` of the positions without moves; puts the keys of the others in `keys`, and returns their number. */
  private classify(side: Side, part: number, first: number, best: Uint16Array): number {
    const census = this.census;
    const length = Math.min(BATCH_INDICES, best.length - first);
    this.context.slice.census(side, part, first, length, census);
    this.result.positions += census.legal;
    let open = 0;
    for (let i = 0; i < length; i++) {
      const count = census.counts[i];
      best[first + i] = count === 0 ? BROKEN_RANK : count === DRAWN ? DRAWN_RANK : 0;
      if (hasBit(census.open, i)) this.keys[open++] = first + i;
    }
    for (let i = 0; i < census.lost; i++) best[census.lostKeys[i]] = LOST_RANK;
    return open;
  }

  /** The rows of `moves`, as requests. */
  private asRequests(): Rows {
    const { source, length } = this.moves;
    for (let i = 0; i < length; i++) source[i] = this.keys[source[i]];
    this.rows.length = length;
    return this.rows;
  }

  /** Compares the stored values of a part with the best of its moves. */
  private async compare(side: Side, part: number, best: Uint16Array): Promise<void> {
    const { slice, values } = this.table;
    const equal = this.context.metric === 'wdl' ? Math.sign : (code: number) => code;
    for await (const { first, length, columns } of values(side, part, part + 1)) {
      const codes = columns[0] as ValueColumn;
      const broken = brokenIn(codes);
      for (let i = 0; i < length; i++) {
        const rank = best[first + i];
        assert(rank > 0, 'an open position has moves');
        const stored = codes[i] === broken ? null : codes[i];
        const derived = rank === BROKEN_RANK ? null : fromPreference(rank);
        if (stored === null || derived === null ? stored === derived : equal(stored) === equal(derived))
          continue;
        addMismatch(this.result, { slice: slice.name, side, part, key: first + i, stored, derived });
      }
    }
  }
}

/** Raises best[askers[i]] by the rank of keys[i], for all askers. */
function raise(best: Uint16Array, askers: Uint32Array, ranks: Uint16Array, keys: Uint32Array): void {
  for (let i = 0; i < askers.length; i++) {
    const rank = ranks[keys[i]];
    const asker = askers[i];
    if (rank > best[asker]) best[asker] = rank;
  }
}

/** Raises best[source] by the ranks of the moves with the given major, and takes these out of the emission. */
function raiseWithin(best: Uint16Array, moves: Emission, within: number, ranks: Uint16Array): void {
  const { major, minor, source, length } = moves;
  let left = 0;
  for (let i = 0; i < length; i++) {
    const asker = source[i];
    if (major[i] === within) {
      const rank = ranks[minor[i]];
      if (rank > best[asker]) best[asker] = rank;
    } else {
      major[left] = major[i];
      minor[left] = minor[i];
      source[left++] = asker;
    }
  }
  moves.length = left;
}
