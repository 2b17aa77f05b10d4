/**
 * Verifies a table of dtm50 by forward moves. The ladder of every position is derived from those of its successors,
 * for all clocks at once. It must be the one that the table has. Nothing of the rounds is used: no unmoves, no
 * escapes, no order.
 */

import { CENSUS_ROWS, censusOf, readStatus } from '../../game/fill-census.js';
import { type Emission, type Side, type Slice, type SliceIndex, Status } from '../../game/game.js';
import { countRepeats } from '../../game/repeats.js';
import { newEmission } from '../../game/run-kernel.js';
import type { DerivedPart } from '../../game/step-manifests.js';
import { brokenIn, preference, RULE_PLIES, type ValueColumn } from '../../game/value.js';
import { addMismatch } from '../../game/wrong-values.js';
import { openClocks } from '../../tables/clock-runs.js';
import { BROKEN_LADDER, DRAWN_LADDER, type Ladders, MATED_LADDER } from '../../tables/ladders.js';
import type { Table } from '../../tables/table.js';
import type { Context } from '../memory/context.js';
import { clockedRoom, lastConverting } from '../phases/clocked.js';
import { raiseByConversions } from '../phases/clocked-conversions.js';
import { newDerivedPart } from './verified-parts.js';

/** All parts of the slice are the context's. @throws UserError if the slice does not fit the memory. */
export async function verifyClocked(context: Context<Slice>, table: Table<SliceIndex>): Promise<DerivedPart> {
  const { slice, tableStore, budget, counters, report } = context;
  const room = clockedRoom(slice, budget.memory);
  const { ladders, numbers } = await openClocks(tableStore, table, counters, room.ladders);
  const sides = [new Uint32Array(slice.size), new Uint32Array(slice.size)] as const;
  const derivation = new Derivation(slice, ladders, sides);
  for (const side of [0, 1] as const) {
    for await (const { major, first, length, columns } of numbers.values(side, 0, slice.parts))
      sides[side].set(columns[0].subarray(0, length), major * slice.width + first);
    for await (const { major, first, length, columns } of table.values(side, 0, slice.parts))
      derivation.compareValues(side, major, first, (columns[0] as ValueColumn).subarray(0, length));
  }
  const conversions = new Uint16Array(slice.size);
  for (const side of [0, 1] as const) {
    conversions.fill(0);
    derivation.result.requests += await raiseByConversions(context, room.requests, side, conversions);
    derivation.deriveSide(side, conversions, report);
  }
  return derivation.result;
}

/** Ladders of positions without moves, by {@link Status}. */
const END_LADDERS = {
  [Status.broken]: BROKEN_LADDER,
  [Status.lost]: MATED_LADDER,
  [Status.drawn]: DRAWN_LADDER,
} as Readonly<Record<number, number>>;

const DRAWN_RANK = preference(0);
/** Above all clocks. */
const NO_LIMIT = RULE_PLIES + 1;

class Derivation {
  readonly result = newDerivedPart();
  readonly #slice: Slice;
  readonly #ladders: Ladders;
  readonly #sides: readonly [Uint32Array, Uint32Array];
  readonly #lastConverting: number;
  readonly #out: Emission;
  /** Ladders of the successors of some positions, position by position, and where those of each begin. */
  readonly #successors: Uint32Array;
  readonly #starts = new Uint32Array(CENSUS_ROWS + 1);

  /** @param sides the ladders that the table has, by index. */
  constructor(slice: Slice, ladders: Ladders, sides: readonly [Uint32Array, Uint32Array]) {
    const rows = Math.max(1 << 13, 2 * slice.maxMoves);
    this.#slice = slice;
    this.#ladders = ladders;
    this.#sides = sides;
    this.#lastConverting = lastConverting(slice);
    this.#out = newEmission(rows);
    this.#successors = new Uint32Array(rows);
  }

  /** Values at clock 0 must be those of the ladders. */
  compareValues(side: Side, part: number, first: number, codes: ValueColumn): void {
    const broken = brokenIn(codes);
    const at = part * this.#slice.width + first;
    for (let i = 0; i < codes.length; i++) {
      const stored = codes[i] === broken ? null : codes[i];
      const derived = this.#code(this.#sides[side][at + i], 0);
      if (stored !== derived) this.#note(side, part, first + i, { stored, derived });
    }
  }

  /** @param conversions by index: `preference` of the best conversion, 0 if there is none. */
  deriveSide(side: Side, conversions: Uint16Array, report: (done: number) => void): void {
    const status = new Uint8Array(CENSUS_ROWS);
    const keys = new Uint32Array(CENSUS_ROWS);
    for (const { part, first, length, census } of censusOf(this.#slice, side)) {
      readStatus(census, first, length, status);
      const isPosition = (i: number) => status[i] !== Status.broken;
      const repeats = countRepeats(this.#slice, part, first, length, isPosition);
      this.result.positions += census.legal - repeats;
      let open = 0;
      for (let i = 0; i < length; i++) {
        if (status[i] === Status.open) keys[open++] = first + i;
        else this.#compare(side, part, first + i, END_LADDERS[status[i]]);
      }
      this.#derive(side, part, keys.subarray(0, open), conversions);
      report(length);
    }
  }

  /** Derives the ladders of positions with moves, and compares them. */
  #derive(side: Side, part: number, keys: Uint32Array, conversions: Uint16Array): void {
    const { width } = this.#slice;
    const others = this.#sides[1 - side];
    const out = this.#out;
    const starts = this.#starts;
    const successors = this.#successors;
    for (let from = 0; from < keys.length; ) {
      out.length = 0;
      const to = this.#slice.moves(side, part, keys, from, keys.length, 0, out);
      const { major, minor, source, length } = out;
      this.result.requests += length;
      starts.fill(0, 0, to - from + 1);
      for (let i = 0; i < length; i++) starts[source[i] - from]++;
      let sum = 0;
      for (let i = 0; i <= to - from; i++) starts[i] = sum += starts[i];
      // From the end of each position's moves down, so that `starts` become what they say.
      for (let i = length - 1; i >= 0; i--)
        successors[--starts[source[i] - from]] = others[major[i] * width + minor[i]];
      for (let i = from; i < to; i++) {
        const conversion = conversions[part * width + keys[i]];
        const derived = this.#ladderOf(starts[i - from], starts[i - from + 1], conversion);
        this.#compare(side, part, keys[i], derived);
      }
      from = to;
    }
  }

  /**
   * The ladder of a position whose successors in the slice are those of `successors` from `first` to `end`. At each clock it has the best
   * of its moves. With more plies on the clock no move gets better. So a win lasts as long as the move that makes it, and a loss until
   * any move leads to another one.
   */
  #ladderOf(first: number, end: number, conversion: number): number {
    const ladders = this.#ladders;
    const { plies, until } = ladders;
    const successors = this.#successors;
    let ladder = DRAWN_LADDER;
    for (let clock = 0; ; ) {
      const converts = conversion !== 0 && clock <= this.#lastConverting;
      let best = converts ? conversion : 0;
      let bestUntil = this.#lastConverting;
      let least = converts ? bestUntil : NO_LIMIT;
      for (let i = first; i < end; i++) {
        const rung = ladders.rungAt(successors[i], clock + 1);
        let rank = DRAWN_RANK;
        let last = NO_LIMIT;
        if (rung !== DRAWN_LADDER) {
          const count = plies[rung];
          // Plies to mate are odd for the opponent's wins: `preference` of the code that is one ply further.
          rank = (count & 1) === 1 ? count + 2 : 0xffff - count;
          last = until[rung] - 1;
        }
        if (rank > best) {
          best = rank;
          bestUntil = last;
        } else if (rank === best && last > bestUntil) bestUntil = last;
        if (last < least) least = last;
      }
      if (best === 0 || best === DRAWN_RANK) return ladder;
      const limit = best > DRAWN_RANK ? bestUntil : least;
      ladder = ladders.raised(ladder, best > DRAWN_RANK ? 0x10000 - best : best - 1, limit);
      clock = limit + 1;
    }
  }

  #code(ladder: number, clock: number): number | null {
    return ladder === BROKEN_LADDER ? null : this.#ladders.codeAt(ladder, clock);
  }

  /** Notes a mismatch, by the values at the first clock at which they differ. */
  #compare(side: Side, part: number, key: number, derived: number): void {
    const stored = this.#sides[side][part * this.#slice.width + key];
    if (stored === derived) return;
    let clock = 0;
    while (clock < RULE_PLIES && this.#code(stored, clock) === this.#code(derived, clock)) clock++;
    this.#note(side, part, key, {
      clock,
      stored: this.#code(stored, clock),
      derived: this.#code(derived, clock),
    });
  }

  #note(
    side: Side,
    part: number,
    key: number,
    values: Pick<DerivedPart['mismatches'][0], 'clock' | 'stored' | 'derived'>,
  ): void {
    addMismatch(this.result, () => ({ slice: this.#slice.name, side, part, key, ...values }));
  }
}
